"""Plots with logarithmic axes, written as SVG by hand."""

import math
from html import escape

WIDTH, HEIGHT = 760, 520
LEFT, RIGHT, TOP, BOTTOM = 78, 24, 64, 62
INK, PALE, GRID = "#222222", "#666666", "#e4e4e4"
FONT = "font-family=\"'DejaVu Sans', Verdana, sans-serif\""


class Axis:
    """Maps values to pixels; `ends` are the values at its two ends."""

    def __init__(self, title, ends, log=True, label=str, ticks=None):
        self.title, self.ends, self.log, self.label = title, ends, log, label
        self.ticks = ticks if ticks is not None else powers_of_ten(*ends)

    def place(self, value):
        """0 at the first end, 1 at the last; what is outside is put at the end."""
        low, high = self.ends
        value = min(max(value, low), high)
        if self.log:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)


def powers_of_ten(low, high):
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0 ** e for e in range(first, last + 1)]


def ends_around(values):
    """Ends of a logarithmic axis that hold all values, at thirds of a decade."""
    low, high = math.log10(min(values) * 0.9), math.log10(max(values) * 1.1)
    return 10.0 ** (math.floor(low * 3) / 3), 10.0 ** (math.ceil(high * 3) / 3)


def seconds_label(value):
    if value < 0.9e-3:
        return f"{value * 1e6:.0f} µs"
    return f"{value * 1e3:.0f} ms" if value < 0.9 else f"{value:g} s"


def count_label(value):
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


class Chart:
    def __init__(self, title, subtitle, x, y):
        self.x, self.y = x, y
        self.parts = []
        self.text(LEFT, 28, title, size=17, weight="bold")
        self.text(LEFT, 48, subtitle, size=12, fill=PALE)
        self.draw_axes()

    # ---- places ----

    def at(self, x, y):
        return (LEFT + self.x.place(x) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - self.y.place(y) * (HEIGHT - TOP - BOTTOM))

    # ---- shapes ----

    def add(self, tag, content=None, **attributes):
        words = " ".join(f'{k.replace("_", "-")}="{v}"' for k, v in attributes.items())
        body = "/>" if content is None else f">{content}</{tag}>"
        self.parts.append(f"<{tag} {words}{body}")

    def text(self, x, y, words, size=12, anchor="start", fill=INK, weight="normal", turn=0,
             below=0):
        extra = {"transform": f"rotate({turn:.1f} {x:.1f} {y:.1f})"} if turn else {}
        if below:
            extra.update(dx=-6, dy=below)
        self.add("text", escape(words), x=f"{x:.1f}", y=f"{y:.1f}", font_size=size,
                 text_anchor=anchor, fill=fill, font_weight=weight, **extra)

    def line(self, start, end, colour=GRID, width=1.0, dash=None):
        extra = {"stroke_dasharray": dash} if dash else {}
        self.add("line", x1=f"{start[0]:.1f}", y1=f"{start[1]:.1f}", x2=f"{end[0]:.1f}",
                 y2=f"{end[1]:.1f}", stroke=colour, stroke_width=width, **extra)

    def path(self, points, colour, width=2.2):
        words = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in (self.at(*p) for p in points))
        self.add("path", d=words, fill="none", stroke=colour, stroke_width=width,
                 stroke_linejoin="round")

    def dots(self, points, colour):
        """Points are x, y and a name, which the browser shows under the pointer."""
        for x, y, name in points:
            px, py = self.at(x, y)
            self.add("circle", f"<title>{escape(name)}</title>", cx=f"{px:.1f}", cy=f"{py:.1f}",
                     r=3.2, fill=colour, fill_opacity=0.55)

    def diagonal(self, factor, words):
        """The line y = factor * x where both axes are logarithmic, named at its upper end."""
        low = max(self.x.ends[0], self.y.ends[0] / factor)
        high = min(self.x.ends[1], self.y.ends[1] / factor)
        start, end = self.at(low, low * factor), self.at(high, high * factor)
        self.line(start, end, PALE, 1.2, None if factor == 1 else "5 4")
        turn = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
        self.text(*end, words, 11, "end", PALE, turn=turn, below=14)

    # ---- frame ----

    def draw_axes(self):
        (x0, x1), (y0, y1) = self.x.ends, self.y.ends
        for v in self.x.ticks:
            self.line(self.at(v, y0), self.at(v, y1))
            px, py = self.at(v, y0)
            self.text(px, py + 18, self.x.label(v), anchor="middle")
        for v in self.y.ticks:
            self.line(self.at(x0, v), self.at(x1, v))
            px, py = self.at(x0, v)
            self.text(px - 8, py + 4, self.y.label(v), anchor="end")
        self.line(self.at(x0, y0), self.at(x1, y0), INK)
        self.line(self.at(x0, y0), self.at(x0, y1), INK)
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, self.x.title, 13, "middle")
        self.text(20, (TOP + HEIGHT - BOTTOM) / 2, self.y.title, 13, "middle", turn=-90)

    def legend(self, entries, corner="bottom-right"):
        """Entries are a colour and a text."""
        wide = 44 + 6.8 * max(len(words) for _, words in entries)
        high = 20 * len(entries) + 10
        x = WIDTH - RIGHT - wide - 10 if "right" in corner else LEFT + 12
        y = HEIGHT - BOTTOM - high - 10 if "bottom" in corner else TOP + 10
        self.add("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{wide:.1f}", height=high, rx=4,
                 fill="white", fill_opacity=0.9, stroke=GRID)
        for i, (colour, words) in enumerate(entries):
            cy = y + 15 + 20 * i
            self.add("rect", x=f"{x + 10:.1f}", y=f"{cy - 5:.1f}", width=16, height=10, rx=2,
                     fill=colour)
            self.text(x + 34, cy + 4, words)

    def save(self, path):
        body = "\n".join(self.parts)
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" {FONT}>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{body}\n</svg>\n',
            encoding="utf-8")
