import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

/** Modules that a first load needs, besides the start of every page. */
const SCREENS = {
  login: ["app/screens/login/login.tsx", "i18n/locales/ja.json?part=base"],
  home: [
    "app/screens/home/home.tsx",
    "app/layout/member-overlays.tsx",
    "i18n/locales/ja.json?part=base",
    "i18n/locales/ja.json?part=member",
  ],
};
const START = ["app/entry.client.tsx", "app/root.tsx", "app/layout/language-layout.tsx"];

/** Writes the script files of each first load to `build/first-load.json`, for the test of their size. */
export function listFirstLoads(): Plugin {
  return {
    name: "list-first-loads",
    applyToEnvironment: ({ name }) => name === "client",
    async writeBundle({ dir = "" }, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const lists = Object.entries(SCREENS).map(([screen, modules]) => {
        const files = new Set<string>();
        const add = (file: string) => {
          if (files.has(file)) return;
          files.add(file);
          for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            add(imported);
        };
        for (const module of [...START, ...modules]) for (const chunk of chunksOf(module, chunks)) add(chunk);
        return [screen, [...files]];
      });
      await writeFile(join(dir, "../first-load.json"), JSON.stringify(Object.fromEntries(lists)));
    },
  };
}

/** The entry of a route is a chunk of its own. */
function chunksOf(module: string, chunks: Rolldown.OutputChunk[]): string[] {
  const found = chunks.filter(({ moduleIds, facadeModuleId }) =>
    [...moduleIds, facadeModuleId].some((id) => id?.replace(/\?__react-router.*/, "").endsWith(`/${module}`)),
  );
  if (found.length === 0) throw new Error(`${module} is in no script`);
  return found.map(({ fileName }) => fileName);
}
