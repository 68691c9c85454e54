// Small plots, drawn as SVG.  Each has a title for screen readers and its figures in a table beside it where they matter.

import type { VNode } from "preact";

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 40;
const BOTTOM = 24;
const TOP = 8;

interface Bar {
  label: string;
  value: number;
  title?: string;
  tone?: number;
}

interface BarsProps {
  title: string;
  bars: Bar[];
  format?: (value: number) => string;
}

const plain = (n: number): string => (n >= 1000 ? `${+(n / 1000).toPrecision(2)}k` : `${+n.toPrecision(3)}`);

// Upright bars, one for each value of the axis.
export function Bars({ title, bars, format = plain }: BarsProps): VNode {
  const most = niceTop(Math.max(...bars.map((b) => b.value), 0));
  const step = (WIDTH - LEFT) / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / 8);
  return (
    <Frame title={title} most={most} format={format}>
      {bars.map((b, i) => (
        <rect class={`bar tone${b.tone ?? 0}`} x={LEFT + i * step + step * 0.12} width={Math.max(1, step * 0.76)} {...upright(b.value / most)}>
          <title>{b.title ?? `${b.label}: ${format(b.value)}`}</title>
        </rect>
      ))}
      {bars.map((b, i) => i % every === 0 && <Tick x={LEFT + (i + 0.5) * step} text={b.label} />)}
    </Frame>
  );
}

const plotHeight = HEIGHT - BOTTOM - TOP;
const yOf = (share: number): number => TOP + plotHeight * (1 - share);
const upright = (share: number): { y: number; height: number } => ({ y: yOf(share), height: Math.max(0, plotHeight * share) });

export function niceTop(most: number): number {
  if (most <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  return [1, 1.5, 2, 3, 4, 5, 8, 10].map((k) => k * unit).find((t) => t >= most) ?? 10 * unit;
}

interface Series {
  name: string;
  points: (number | null)[]; // null: left out
  tone: number;
}

interface LinesProps {
  title: string;
  series: Series[];
  xName: string;
}

export function Lines({ title, series, xName }: LinesProps): VNode {
  const length = Math.max(...series.map((s) => s.points.length), 2);
  const most = niceTop(Math.max(...series.flatMap((s) => s.points.map((v) => v ?? 0)), 0));
  const x = (i: number): number => LEFT + ((WIDTH - LEFT - 6) * i) / (length - 1);
  const ticks = [0, Math.floor((length - 1) / 2), length - 1];
  return (
    <>
      <Frame title={title} most={most} format={plain}>
        {series.map((s) => (
          <polyline class={`curve tone${s.tone}`} points={s.points.flatMap((v, i) => (v === null ? [] : [`${x(i).toFixed(1)},${yOf(v / most).toFixed(1)}`])).join(" ")} />
        ))}
        {ticks.map((i) => (
          <Tick x={x(i)} text={i === length - 1 ? `${i} ${xName}` : String(i)} end={i === length - 1} />
        ))}
      </Frame>
      {series.length > 1 && <Legend series={series} />}
    </>
  );
}

export function Legend({ series }: { series: { name: string; tone: number }[] }): VNode {
  return (
    <ul class="legend">
      {series.map((s) => (
        <li>
          <svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">
            <rect class={`bar tone${s.tone}`} width="12" height="12" rx="2" />
          </svg>
          {s.name}
        </li>
      ))}
    </ul>
  );
}

function Tick({ x, text, end = false }: { x: number; text: string; end?: boolean }): VNode {
  return (
    <text class="tick" x={x} y={HEIGHT - 8} text-anchor={end ? "end" : "middle"}>
      {text}
    </text>
  );
}

interface FrameProps {
  title: string;
  most: number;
  format: (value: number) => string;
  children: preact.ComponentChildren;
}

function Frame({ title, most, format, children }: FrameProps): VNode {
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
      {[0, 0.5, 1].map((share) => (
        <>
          <line class="rule" x1={LEFT} x2={WIDTH} y1={yOf(share)} y2={yOf(share)} />
          <text class="tick" x={LEFT - 6} y={yOf(share) + 4} text-anchor="end">
            {format(most * share)}
          </text>
        </>
      ))}
      {children}
    </svg>
  );
}

// Bars that lie, on a scale of powers of ten: for speeds that differ by thousands.
export function LogBars({ title, bars, format }: { title: string; bars: Bar[]; format: (value: number) => string }): VNode {
  const top = Math.ceil(Math.log10(Math.max(10, ...bars.map((b) => b.value))));
  const row = 26;
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${bars.length * row + 4}`} role="img" aria-label={title}>
      {bars.map((b, i) => {
        const length = b.value > 0 ? Math.max(2, (150 * Math.log10(Math.max(1, b.value))) / top) : 0;
        return (
          <>
            <text class="tick name" x={78} y={i * row + 17} text-anchor="end">
              {b.label}
            </text>
            <rect class={`bar tone${b.tone ?? 0}`} x={86} y={i * row + 5} height={16} width={length} rx={2} />
            <text class="tick" x={92 + length} y={i * row + 17}>
              {b.value > 0 ? format(b.value) : (b.title ?? "")}
            </text>
          </>
        );
      })}
    </svg>
  );
}
