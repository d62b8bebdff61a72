import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Manifest } from "vite";
import type * as Prerender from "./app/prerender.tsx";
import { ENTRY, isNativeBuild } from "./native-mode.ts";

const OUT = join(import.meta.dirname, isNativeBuild ? "build/native" : "build");
const CLIENT = join(OUT, "client");
const SERVER = join(OUT, "server");

await build({ logLevel: "warn", build: { outDir: CLIENT, emptyOutDir: true, manifest: "manifest.json" } });
await build({
  logLevel: "warn",
  build: { outDir: SERVER, emptyOutDir: true, ssr: "app/prerender.tsx", copyPublicDir: false },
});

// Tests and this script read it, no page.
const manifest = JSON.parse(await readFile(join(CLIENT, "manifest.json"), "utf8")) as Manifest;
await rm(join(CLIENT, "manifest.json"));
await writeFile(join(OUT, "manifest.json"), JSON.stringify(manifest));

const { renderPages, renderShell, urlPatterns } = (await import(
  join(SERVER, "prerender.js")
)) as typeof Prerender;
await writeFile(join(CLIENT, "index.html"), renderShell(filesOf));
// The native app starts from the shell.
if (!isNativeBuild)
  for (const [path, page] of await renderPages(filesOf)) {
    await mkdir(join(CLIENT, path), { recursive: true });
    await writeFile(join(CLIENT, path, "index.html"), page);
  }
// The server responds to other URLs with 404.
await writeFile(join(OUT, "url-patterns.json"), JSON.stringify(urlPatterns()));
await rm(SERVER, { recursive: true });

function filesOf(modules: readonly string[], memberModules: readonly string[] = []) {
  const styles = Object.values(manifest).find(({ file }) => file.endsWith(".css"))!;
  const pathOf = (name: string) => `/${manifest[name]!.file}`;
  const scripts = new Set<string>();
  for (const module of [ENTRY, ...modules]) addWithImports(module, scripts);
  const ofMembers = new Set(scripts);
  for (const module of memberModules) addWithImports(module, ofMembers);
  return {
    entry: pathOf(ENTRY),
    styles: `/${styles.file}`,
    scripts: [...scripts].map(pathOf),
    memberScripts: [...ofMembers].filter((name) => !scripts.has(name)).map(pathOf),
  };
}

/** Adds the module behind those that it imports at once. */
function addWithImports(name: string, known: Set<string>): void {
  if (known.has(name)) return;
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the build`);
  for (const each of chunk.imports ?? []) addWithImports(each, known);
  known.add(name);
}
