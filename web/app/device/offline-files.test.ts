import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ORIGIN = "https://alcove.example";
const WORKER = readFileSync(new URL("../../public/sw.js", import.meta.url), "utf8");
const urlOf = (request: string | { url: string }) =>
  new URL(typeof request === "string" ? request : request.url, ORIGIN).href;

/** A browser with the worker. `files` are those of the server. */
function openBrowser() {
  const files = new Map<string, string>();
  const stores = new Map<string, Map<string, string>>();
  const listeners = new Map<string, (event: object) => void>();
  const fetchFile = async (request: string) => {
    const body = files.get(urlOf(request));
    return new Response(body ?? "", { status: body === undefined ? 404 : 200 });
  };
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, string>();
    stores.set(name, store);
    return {
      keys: async () => [...store.keys()].map((url) => ({ url })),
      put: async (request: string, response: Response) =>
        void store.set(urlOf(request), await response.text()),
      async add(request: string) {
        const response = await fetchFile(request);
        if (!response.ok) throw new TypeError("the response was not stored");
        store.set(urlOf(request), await response.text());
      },
    };
  };
  const caches = {
    open,
    delete: async (name: string) => stores.delete(name),
    match: async (request: string) => {
      const stored = [...stores.values()].map((store) => store.get(urlOf(request)));
      const body = stored.find((each) => each !== undefined);
      return body === undefined ? undefined : new Response(body);
    },
  };
  const self = { addEventListener: (type: string, act: (event: object) => void) => listeners.set(type, act) };
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the worker is a plain script
  new Function("self", "caches", "fetch", "location", WORKER)(self, caches, fetchFile, new URL(ORIGIN));
  return {
    deploy(version: string) {
      files.clear();
      for (const name of ["entry", "start", "home", "chat"])
        files.set(`${ORIGIN}/assets/${name}-${version}.js`, `${name} of ${version}`);
      files.set(`${ORIGIN}/app-shell`, `<script>import("/assets/entry-${version}.js")</script>`);
    },
    async keep(...names: string[]) {
      let done: Promise<void> | undefined;
      const data = { files: names.map((name) => `${ORIGIN}/assets/${name}.js`) };
      listeners.get("message")!({ data, waitUntil: (work: Promise<void>) => void (done = work) });
      await done;
    },
    stored: () => [...(stores.get("app")?.keys() ?? [])].map((url) => new URL(url).pathname),
    shell: async () => (await caches.match("/app-shell"))?.text(),
  };
}

test("keeps the shell of an open page after an update, until a page of the new version has loaded", async () => {
  const browser = openBrowser();
  browser.deploy("v1");
  await browser.keep("entry-v1", "start-v1");

  browser.deploy("v2");
  await browser.keep("chat-v1");
  expect(await browser.shell()).toContain("entry-v1");
  expect(browser.stored().toSorted()).toEqual(["/app-shell", "/assets/entry-v1.js", "/assets/start-v1.js"]);

  await browser.keep("entry-v2", "start-v2");
  await browser.keep("home-v2");
  expect(await browser.shell()).toContain("entry-v2");
  expect(browser.stored().toSorted()).toEqual([
    "/app-shell",
    "/assets/entry-v2.js",
    "/assets/home-v2.js",
    "/assets/start-v2.js",
  ]);
});

test("keeps the other files when one is missing", async () => {
  const browser = openBrowser();
  browser.deploy("v1");

  await browser.keep("entry-v1", "gone", "start-v1");

  expect(browser.stored().toSorted()).toEqual(["/app-shell", "/assets/entry-v1.js", "/assets/start-v1.js"]);
});
