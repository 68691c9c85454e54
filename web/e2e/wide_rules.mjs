// A sound rulesheet of a given size: many switches that are turned on one after the other.
export function wide(bytes) {
  const parts = ["(role you)\n(init (at 0))\n(legal you go)\n"];
  let size = 0;
  let i = 0;
  for (; size < bytes; i++) {
    const rule = `(<= (next (at ${i + 1}))\n  (true (at ${i}))\n  (does you go))\n`;
    parts.push(rule);
    size += rule.length;
  }
  parts.push(`(<= terminal\n  (true (at ${i})))\n(<= (goal you 100)\n  (true (at ${i})))\n(<= (goal you 0)\n  (not (true (at ${i}))))\n`);
  return parts.join("");
}
