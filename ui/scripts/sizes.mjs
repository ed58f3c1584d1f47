// Holds the sizes of the built page, compressed as the server sends it, below their limits. Usage: node scripts/sizes.mjs [FOLDER]

import { readFile, readdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const KB = 1000;
const LIMITS = { script: 60 * KB, style: 12 * KB, lazy: 40 * KB, terminal: 100 * KB };

const folder = new URL(`${process.argv[2] ?? "../dist"}/`, import.meta.url);
const sizeOf = async (name) => gzipSync(await readFile(new URL(name, folder)), { level: 9 }).length;

/** Files that the page names itself: they come with the first load. */
function firstLoad(html) {
  return [...html.matchAll(/(?:src|href)="\/(page\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name);
}

const first = firstLoad(await readFile(new URL("index.html", folder), "utf8"));
const names = (await readdir(new URL("page/", folder))).map((name) => `page/${name}`).sort();
const sum = async (end) => (await Promise.all(first.filter((name) => name.endsWith(end)).map(sizeOf))).reduce((all, one) => all + one, 0);

const rows = [
  ["script of the first load", await sum(".js"), LIMITS.script],
  ["style of the first load", await sum(".css"), LIMITS.style],
];
for (const name of names.filter((name) => /\.(js|css)$/.test(name) && !first.includes(name))) {
  rows.push([name, await sizeOf(name), /\/(terminal|xterm|screen)/i.test(name) ? LIMITS.terminal : LIMITS.lazy]);
}

for (const [what, size, limit] of rows) {
  process.stdout.write(`${what.padEnd(40)} ${String(size).padStart(7)} of ${limit} bytes${size > limit ? "  TOO LARGE" : ""}\n`);
}
const large = rows.filter(([, size, limit]) => size > limit);
if (large.length > 0) {
  process.stderr.write(`${large.length} too large; load on first use what the first picture does not need, or split it\n`);
  process.exit(1);
}
