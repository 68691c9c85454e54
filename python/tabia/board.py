"""How a game is drawn: as text, and as SVG in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabia import _native as n
from tabia._native import Limits, Log, Sink
from tabia._tabia import ffi, lib

if TYPE_CHECKING:
    from tabia.machine import Machine


class Board(n.Shared, n.Bound):
    """Draws positions of a machine; `Machine.board` makes one.

    layout   a text that `Board.layout` gave, perhaps corrected by hand; None: it is found

    >>> import tabia
    >>> machine = tabia.read("tic-tac-toe").machine("circuit")
    >>> svg = machine.board().draw(machine.play("(place 2 2)"), "svg")
    >>> "<svg" in svg
    True
    """

    def __init__(self, machine: Machine, layout: str | None = None) -> None:
        super().__init__()
        log, board, of = Log(), ffi.new("tabia_board **"), n.handle(machine, "machine", "machine")
        with Limits() as limits:
            if layout is None:
                status = lib.tabia_board_new(board, of, limits.c, log.c)
            else:
                text = n.c_text(layout, "layout")
                status = lib.tabia_board_read(board, of, b"layout", text, len(text), limits.c,
                                              log.c)
        self._c = n.owned(board[0], lib.tabia_board_free, of)
        log.check(status)
        self.machine = machine

    def draw(self, position: bytes | None = None, format: str = "text") -> str:
        """A position, or the start: as "text", "svg" or "json"."""
        log, sink, word = Log(), Sink(), n.c_text(format, "format")
        place = self.machine._positioned(self.machine.start() if position is None else position)
        with self._lock:
            log.check(lib.tabia_board_draw(self._c, place, word, sink.put, sink.c, log.c))
        return sink.text()

    def layout(self) -> str:
        """How boards are laid out, as text that can be corrected by hand."""
        sink = Sink()
        with self._lock:
            lib.tabia_board_write_layout(self._c, sink.put, sink.c)
        return sink.text()

    def __repr__(self) -> str:
        return f"<tabia.Board of {self.machine.rules.name!r}>"

    def __str__(self) -> str:
        return self.draw()

    def _repr_svg_(self) -> str:
        return self.draw(format="svg")
