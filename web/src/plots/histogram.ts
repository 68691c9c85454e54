// Values in bins.

export interface Bin {
  label: string;
  value: number;
}

export function histogram(values: number[], binLimit: number): Bin[] {
  if (values.length === 0) return [];
  const least = Math.min(...values);
  const most = Math.max(...values);
  const width = Math.max(1, Math.ceil((most - least + 1) / binLimit));
  const bins: Bin[] = [];
  for (let from = least; from <= most; from += width) {
    const value = values.filter((v) => v >= from && v < from + width).length;
    bins.push({ label: String(from), value });
  }
  return bins;
}

// The mean over all lists that are so long, for each place.
export function meansByPlace(lists: number[][]): number[] {
  const length = Math.max(0, ...lists.map((l) => l.length));
  return Array.from({ length }, (_, i) => {
    const there = lists.filter((l) => i < l.length);
    return there.reduce((sum, l) => sum + l[i]!, 0) / there.length;
  });
}
