import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { chunkGroups } from "./chunks.ts";
import { CLASS_NAMES } from "./class-names.ts";
import packageJson from "./package.json" with { type: "json" };
import { listFirstLoads } from "./first-load.ts";
import { loadStyles } from "./load-styles.ts";
import { nativeBuild } from "./native-build.ts";
import { isNativeBuild } from "./native-mode.ts";
import { OLDEST_BROWSERS } from "./oldest-browsers.ts";
import { splitTexts } from "./split-texts.ts";

/** Hashes only: names would show in a network log which screens a member visits. */
const ASSET = "assets/[hash][extname]";
const SCRIPTS = { entryFileNames: "assets/[hash].js", chunkFileNames: "assets/[hash].js" };
// The native app reads its files from the device, and its start script must not run the app's entry.
const codeSplitting = isNativeBuild ? true : { groups: chunkGroups() };

export default defineConfig({
  plugins: [
    ...(isNativeBuild ? [nativeBuild()] : [loadStyles()]),
    reactRouter(),
    splitTexts(),
    listFirstLoads(),
  ],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  resolve: {
    alias: {
      // The build has parsed the messages.
      "use-intl/format-message": "use-intl/format-message/format-only",
      "./routeModules.js": join(import.meta.dirname, "app/lib/api/load-route-module.ts"),
    },
  },
  ssr: { noExternal: ["use-intl"] },
  css: { modules: CLASS_NAMES },
  // One file of styles: every screen is styled at its first paint, and offline.
  build: {
    target: OLDEST_BROWSERS,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
  },
  environments: {
    client: {
      build: { rollupOptions: { output: { ...SCRIPTS, assetFileNames: ASSET, codeSplitting } } },
    },
    ssr: { build: { rollupOptions: { output: { assetFileNames: ASSET } } } },
  },
  worker: { format: "es", rollupOptions: { output: { ...SCRIPTS, assetFileNames: ASSET } } },
});
