import { defineConfig } from "vite";
import { CLASS_NAMES } from "../class-names.ts";
import { OLDEST_BROWSERS } from "../oldest-browsers.ts";

/** Builds the operators' console, which the server serves on a port of its own. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  css: { modules: CLASS_NAMES },
  build: {
    outDir: "../build/console",
    emptyOutDir: true,
    target: OLDEST_BROWSERS,
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
