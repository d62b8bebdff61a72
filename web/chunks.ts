import { join } from "node:path";
import type { Rolldown } from "vite";

const app = (file: string) => join(import.meta.dirname, "app", file);

/** Every page of the app, and the login. */
const START = ["entry.client.tsx", "root.tsx", "layout/language-layout.tsx", "screens/login/login.tsx"].map(
  app,
);
/** Home, and what members need on every page. */
const HOME = [
  ...["", "?route-chunk=main", "?route-chunk=clientLoader"].map((part) => `screens/home/home.tsx${part}`),
  "layout/member-overlays.tsx",
].map(app);

/** Puts the code of the first load into few files. The first group with a module takes it. */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const isStart = importedBy(START);
  const isHome = importedBy(HOME);
  return [
    group(5, "framework", (id, graph) => id.includes("node_modules") && isStart(id, graph)),
    group(4, "start", isStart),
    group(3, "home", isHome),
    // Whole: parts of them in several files would import each other, and run in the wrong order.
    group(2, "schemas", (id) => /\/(?:node_modules\/zod|contract\/src)\//.test(id)),
    { priority: 1, name: "shared", minShareCount: 3, entriesAware: true, entriesAwareMergeThreshold: 30_000 },
  ];
}

type HasModule = (id: string, graph: Rolldown.ChunkingContext) => boolean;

function group(priority: number, name: string, hasModule: HasModule): Rolldown.CodeSplittingGroup {
  // A build without the name prints a line of advice for each group.
  return { priority, debugName: name, name: (id, graph) => (hasModule(id, graph) ? name : null) };
}

/** Returns whether the entries need a module before they run. */
function importedBy(entries: string[]): HasModule {
  let known: Set<string> | null = null;
  return (id, graph) => {
    if (!known) {
      known = new Set();
      const waiting = [...entries];
      for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
        if (known.has(each)) continue;
        known.add(each);
        waiting.push(...(graph.getModuleInfo(each)?.importedIds ?? []));
      }
    }
    return known.has(id);
  };
}
