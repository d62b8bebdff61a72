import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const WEB = join(import.meta.dirname, "../../../web");
const PAGE = `import { createRoot } from "react-dom/client";
import { createElement } from "react";
createRoot(document.body).render(createElement("main", null, createElement("h1", null, "Bare"), createElement("p", null, "React")));`;

/** A page with a heading and a paragraph, rendered by React and nothing else. */
export async function startBarePage(): Promise<{ url: string; close: () => Promise<void> }> {
  const dir = await mkdtemp(join(WEB, ".bare-"));
  await writeFile(join(dir, "main.js"), PAGE);
  await writeFile(
    join(dir, "index.html"),
    '<!doctype html><html lang="en"><title>Bare</title><body><script type="module" src="./main.js"></script>',
  );
  await build({ root: dir, configFile: false, logLevel: "error", build: { modulePreload: false } });
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(join(dir, "dist"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(`/${relative(join(dir, "dist"), path)}`, gzipSync(await readFile(path)));
  }
  const server = createServer(({ url = "/" }, response) => {
    const content = files.get(url === "/" ? "/index.html" : url);
    const type = url.endsWith(".js") ? "text/javascript" : "text/html";
    if (content) response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(content);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.close();
      await rm(dir, { recursive: true });
    },
  };
}
