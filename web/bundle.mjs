// Bundles the page into dist/: index.html, app.js, app.css, icon.svg.  No other file is needed, and none is fetched.
import { build } from "esbuild";
import { cp, mkdir, rm } from "node:fs/promises";

const here = new URL(".", import.meta.url).pathname;

await rm(`${here}dist`, { recursive: true, force: true });
await mkdir(`${here}dist`);
await build({
  entryPoints: [{ in: `${here}src/main.tsx`, out: "app" }, { in: `${here}src/style/app.css`, out: "app" }],
  outdir: `${here}dist`,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome109", "firefox115", "safari16.4"],
  legalComments: "none",
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) await cp(`${here}static/${file}`, `${here}dist/${file}`);
