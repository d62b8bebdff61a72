import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

/** Hashes only: names would show in a network log which screens a member visits. */
const ASSET = "assets/[hash][extname]";
const SCRIPTS = { entryFileNames: "assets/[hash].js", chunkFileNames: "assets/[hash].js" };

export default defineConfig({
  plugins: [reactRouter()],
  build: { target: "es2022", sourcemap: false, assetsInlineLimit: 0 },
  environments: {
    client: { build: { rollupOptions: { output: { ...SCRIPTS, assetFileNames: ASSET } } } },
    ssr: { build: { rollupOptions: { output: { assetFileNames: ASSET } } } },
  },
  worker: { format: "es", rollupOptions: { output: { ...SCRIPTS, assetFileNames: ASSET } } },
});
