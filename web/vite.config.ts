import { defineConfig } from "vite";
import { CLASS_NAMES } from "./class-names.ts";
import packageJson from "./package.json" with { type: "json" };
import { nativeBuild } from "./native-build.ts";
import { ENTRY, isNativeBuild } from "./native-mode.ts";
import { OLDEST_BROWSERS } from "./oldest-browsers.ts";
import { splitTexts } from "./split-texts.ts";

/** Hashes only: names would show in a network log which screens a member visits. */
const NAMES = {
  entryFileNames: "assets/[hash:7].js",
  chunkFileNames: "assets/[hash:7].js",
  assetFileNames: "assets/[hash:7][extname]",
};

/** Few files, because each costs a slow line more than its bytes. The first group with a module takes it and its imports. */
const GROUPS = [
  // Each of the first three runs in a task of its own: one task for all would block a slow processor for long.
  { name: "libraries", priority: 4, test: /\/node_modules\/(?:react|react-dom|react-router)\// },
  // Whole: parts of them in several files would import each other, and run in the wrong order.
  { name: "schemas", priority: 3, test: /\/(?:node_modules\/zod|contract\/src)\// },
  { name: "start", priority: 2, test: /app\/entry\.client\.tsx$/ },
  // Without legal texts, which are long, and the buttons of sheets: every screen would load them.
  {
    name: "shared",
    priority: 1,
    test: /^(?!.*\/app\/(?:screens\/legal\/|ui\/sheet-buttons))/,
    minShareCount: 4,
    entriesAware: true,
    entriesAwareMergeThreshold: 30_000,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [...(isNativeBuild ? [nativeBuild()] : []), splitTexts()],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  // The build has parsed the messages.
  resolve: { alias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
  ssr: { noExternal: ["use-intl"] },
  css: { modules: CLASS_NAMES },
  // One style sheet, which the server writes into the pages: every screen is styled at its first paint, and offline.
  build: {
    target: OLDEST_BROWSERS,
    sourcemap: false,
    // The characters of the first heading come with the styles, so that no other face shows before them.
    assetsInlineLimit: (file) => file.endsWith("marcellus-start-400.woff2"),
    cssCodeSplit: false,
  },
  environments: {
    client: {
      build: {
        rollupOptions: {
          input: ENTRY,
          // Directives of libraries mean nothing in a bundle.
          checks: { moduleLevelDirective: false },
          output: { ...NAMES, codeSplitting: isNativeBuild ? true : { groups: GROUPS } },
        },
      },
    },
    ssr: { build: { rollupOptions: { output: { assetFileNames: NAMES.assetFileNames } } } },
  },
  worker: { format: "es", rollupOptions: { output: NAMES } },
});
