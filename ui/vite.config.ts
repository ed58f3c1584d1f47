import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin, ProxyOptions } from "vite";
import { defineConfig } from "vitest/config";
import { css } from "./src/themes/css.ts";

// Where a running `tagline serve` answers, for work on the page: TAGLINE_URL=http://127.0.0.1:7777 npm run dev.
const server = process.env["TAGLINE_URL"] ?? "http://127.0.0.1:7777";

// The server takes requests of its own page alone, so the proxy speaks with its name and origin.
const toServer: ProxyOptions = {
  target: server,
  changeOrigin: true,
  configure: (proxy) => proxy.on("proxyReq", (request) => {
    if (request.getHeader("origin")) request.setHeader("origin", server);
  }),
};

// As the server sends it, so that a preview refuses what the server's page would refuse.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

const THEMES = "virtual:themes.css";

// The themes are token files; the style sheet is made of them here.
const themes: Plugin = {
  name: "themes",
  resolveId: (id) => (id === THEMES ? `/@${THEMES}` : null),
  load: (id) => (id === `/@${THEMES}` ? css() : null),
};

// `vite build --mode gallery` builds the page of all cards, which is no part of what the server sends.
export default defineConfig(({ mode }) => ({
  plugins: [themes, svelte()],
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  build: {
    ...(mode === "gallery" ? { outDir: "../target/gallery", emptyOutDir: true, rollupOptions: { input: "gallery.html" } } : {}),
    // `/page/{file}` is the server's address of every file but the entry.
    assetsDir: "page",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 200,
  },
  server: { proxy: { "/api": toServer, "/healthz": toServer } },
  preview: { proxy: { "/api": toServer, "/healthz": toServer }, headers: { "content-security-policy": policy } },
  test: { include: ["src/**/*.test.ts", "tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
}));
