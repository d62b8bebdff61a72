import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { chunkGroups } from "./chunks.ts";
import { listFirstLoads } from "./first-load.ts";
import { splitTexts } from "./split-texts.ts";
import { trimRouter } from "./trim-router.ts";

/** Hashes only: names would show in a network log which screens a member visits. */
const ASSET = "assets/[hash][extname]";
const SCRIPTS = { entryFileNames: "assets/[hash].js", chunkFileNames: "assets/[hash].js" };
const codeSplitting = { groups: chunkGroups() };

export default defineConfig({
  plugins: [reactRouter(), splitTexts(), trimRouter(), listFirstLoads()],
  // The build has parsed the messages.
  resolve: { alias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
  ssr: { noExternal: ["use-intl"] },
  build: { target: "es2022", sourcemap: false, assetsInlineLimit: 0, modulePreload: false },
  environments: {
    client: {
      build: { rollupOptions: { output: { ...SCRIPTS, assetFileNames: ASSET, codeSplitting } } },
    },
    ssr: { build: { rollupOptions: { output: { assetFileNames: ASSET } } } },
  },
  worker: { format: "es", rollupOptions: { output: { ...SCRIPTS, assetFileNames: ASSET } } },
});
