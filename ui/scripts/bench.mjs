// Measures the page. Usage: node scripts/bench.mjs [PART…]

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("../bench/main.ts", import.meta.url)), { configFile: false, logLevel: "warn" });
await module.main(process.argv.slice(2));
