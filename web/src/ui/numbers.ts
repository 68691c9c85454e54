// Numbers for people.

export const count = (n: number): string => Math.round(n).toLocaleString("en").replaceAll(",", "\u2009");

// 41.6 M, 117 k, 8 345
export function rate(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  if (n >= 1e4) return `${(n / 1e3).toFixed(0)} k`;
  return count(n);
}

export const seconds = (s: number): string => (s < 0.0095 ? `${(s * 1000).toFixed(1)} ms` : s < 0.95 ? `${(s * 1000).toFixed(0)} ms` : `${s.toFixed(1)} s`);

export function clock(s: number): string {
  const whole = Math.floor(s);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export const fixed = (n: number | null, digits = 1): string => (n === null ? "–" : n.toFixed(digits));
