import { defineConfig } from "vite";

export default defineConfig({
  root: "src",
  base: "/portal/",
  // The page may have no script of its own, so nothing is preloaded by one either.
  build: { target: "es2022", emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 400 },
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  server: { port: 5173, proxy: { "/v1": process.env.FAIRLEAD_URL ?? "http://127.0.0.1:8321" } },
});
