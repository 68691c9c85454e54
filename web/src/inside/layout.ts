// A dependency graph laid out in layers: strata from left to right, and within a stratum by how far a relation is from
// those that depend on nothing.  Relations of a layer are ordered by the middle of their neighbours, which leaves few crossings.

import type { Dependencies } from "../net/forms";

export interface PlacedNode {
  index: number;
  layer: number;
  x: number;
  y: number;
  width: number;
}

export interface PlacedEdge {
  from: number;
  to: number;
  negated: boolean;
  path: string;
}

export interface GraphLayout {
  width: number;
  height: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  strata: { stratum: number; x: number; width: number }[];
}

const ROW = 40;
const GAP = 64;
const HEADER = 26;
const HEIGHT = 26;

export function layOut(graph: Dependencies): GraphLayout {
  const layers = layersOf(graph);
  const columns = orderedColumns(graph, layers);
  return place(graph, columns);
}

// Layers: longest path within a stratum, behind all layers of the strata before.
function layersOf({ relations, edges }: Dependencies): number[] {
  const rank = relations.map(() => 0);
  const inner = edges.filter((e) => e.from !== e.to && relations[e.from]!.stratum === relations[e.to]!.stratum);
  for (let round = 0; round < Math.min(relations.length, 12); round++) {
    let changed = false;
    for (const e of inner) {
      const wanted = Math.min(rank[e.to]! + 1, 11);
      if (rank[e.from]! < wanted) [rank[e.from], changed] = [wanted, true];
    }
    if (!changed) break;
  }
  const keys = [...new Set(relations.map((r, i) => r.stratum * 100 + rank[i]!))].sort((a, b) => a - b);
  return relations.map((r, i) => keys.indexOf(r.stratum * 100 + rank[i]!));
}

function orderedColumns(graph: Dependencies, layers: number[]): number[][] {
  const columns: number[][] = Array.from({ length: Math.max(-1, ...layers) + 1 }, () => []);
  layers.forEach((layer, i) => columns[layer]!.push(i));
  const neighbours = graph.relations.map((_, i) =>
    graph.edges.flatMap((e) => (e.from === i ? [e.to] : e.to === i ? [e.from] : [])),
  );
  const place = graph.relations.map(() => 0);
  const note = (column: number[]): void => column.forEach((i, k) => (place[i] = k / Math.max(1, column.length)));
  columns.forEach(note);
  for (let round = 0; round < 8; round++) {
    for (const column of round % 2 ? [...columns].reverse() : columns) {
      const middle = (i: number): number => mean(neighbours[i]!.map((n) => place[n]!), place[i]!);
      column.sort((a, b) => middle(a) - middle(b));
      note(column);
    }
  }
  return columns;
}

const mean = (values: number[], other: number): number =>
  values.length === 0 ? other : values.reduce((a, b) => a + b, 0) / values.length;

const textWidth = (name: string): number => 20 + name.length * 7.4;

function place({ relations, edges }: Dependencies, columns: number[][]): GraphLayout {
  const tallest = Math.max(1, ...columns.map((c) => c.length));
  const nodes: PlacedNode[] = [];
  const byIndex = new Map<number, PlacedNode>();
  const strata = new Map<number, { stratum: number; x: number; width: number }>();
  let x = 12;
  columns.forEach((column, layer) => {
    const width = Math.max(...column.map((i) => textWidth(relations[i]!.relation)));
    const top = HEADER + ((tallest - column.length) * ROW) / 2;
    column.forEach((index, k) => {
      const node = { index, layer, x, y: top + k * ROW + ROW / 2, width: textWidth(relations[index]!.relation) };
      nodes.push(node);
      byIndex.set(index, node);
    });
    const stratum = relations[column[0]!]!.stratum;
    const band = strata.get(stratum) ?? { stratum, x: x - 10, width: 0 };
    strata.set(stratum, { ...band, width: x + width + 10 - band.x });
    x += width + GAP;
  });
  const placed = edges.filter((e) => e.from !== e.to).map((e) => ({ ...e, path: curve(byIndex.get(e.to)!, byIndex.get(e.from)!) }));
  return { width: x - GAP + 16, height: HEADER + tallest * ROW + 10, nodes, edges: placed, strata: [...strata.values()] };
}

export const nodeHeight = HEIGHT;

// From what is needed to what needs it.
function curve(a: PlacedNode, b: PlacedNode): string {
  const [x1, x2] = [a.x + a.width, b.x];
  const bend = x2 > x1 ? (x2 - x1) / 2 : 40;
  if (a.layer === b.layer) return `M${x1} ${a.y}C${x1 + 36} ${a.y} ${x1 + 36} ${b.y} ${b.x + b.width} ${b.y}`;
  return `M${x1} ${a.y}C${x1 + bend} ${a.y} ${x2 - bend} ${b.y} ${x2} ${b.y}`;
}
