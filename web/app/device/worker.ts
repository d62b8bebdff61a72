/** Also shows notifications (`push.ts`). */
export const WORKER = "/sw.js";
const BATCH_MS = 2_000;

let watching: PerformanceObserver | null = null;
let isStored = false;

/** Keeps the app's files in this browser, so that it opens without a connection. Loaded files follow in batches. */
export function keepApp(): void {
  isStored = true;
  if (!("serviceWorker" in navigator) || watching) return;
  const files = new Set<string>();
  let timer = 0;
  watching = new PerformanceObserver((list) => {
    const loaded = list.getEntries().map(({ name }) => name);
    const assets = loaded.filter((url) => url.startsWith(`${location.origin}/assets/`));
    if (assets.length === 0) return;
    for (const url of assets) files.add(url);
    clearTimeout(timer);
    timer = window.setTimeout(() => void send(files).catch(() => undefined), BATCH_MS);
  });
  watching.observe({ type: "resource", buffered: true });
}

async function send(files: Set<string>): Promise<void> {
  await navigator.serviceWorker.register(WORKER);
  const { active } = await navigator.serviceWorker.ready;
  // A logout may have come in between.
  if (!isStored) return forgetApp();
  active?.postMessage({ files: [...files] });
  files.clear();
}

/** Removes worker and files. */
export async function forgetApp(): Promise<void> {
  isStored = false;
  watching?.disconnect();
  watching = null;
  if (!("serviceWorker" in navigator)) return;
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map(async (registration) => registration.unregister()));
  await Promise.all((await caches.keys()).map(async (name) => caches.delete(name)));
}
