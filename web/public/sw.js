// Notifications, and the app without a connection. The cache has files of the build only: no call, no picture, no page of a member.

const LANGUAGES = ["en", "ja", "zh-hans", "zh-hant"];
const CACHE = "app";
/** The document of all screens; it has no content of its own. */
const SHELL = "/app-shell";
/** The shell imports the app's entry. Each version of the app has another one. */
const ENTRY = /import\("(\/assets\/[\w-]+\.js)"\)/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable().catch(() => undefined)]),
  ),
);
self.addEventListener("message", (event) => event.waitUntil(keep(event.data.files)));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(openPage(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(openFile(event.request));
});
self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function openPage({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const shell = await caches.match(SHELL, { ignoreVary: true });
    if (shell) return shell;
    throw error;
  }
}

async function openFile(request) {
  // Responses vary by the origin of the request, which the worker's own requests lack.
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/**
 * Keeps files that a page has loaded. The first page of a new version replaces the shell and its files. Until then a page of
 * the earlier version keeps both: the new shell would lack its files.
 */
async function keep(files) {
  const response = await fetch(SHELL, { cache: "no-cache" }).catch(() => null);
  if (!response?.ok) return;
  const text = await response.clone().text();
  const [, entry] = ENTRY.exec(text) ?? [];
  const before = await caches.match(SHELL, { ignoreVary: true });
  const isChanged = (await before?.text()) !== text;
  if (isChanged && files.some((file) => file.endsWith(entry))) {
    await caches.delete(CACHE);
    await (await caches.open(CACHE)).put(SHELL, response);
  }
  const cache = await caches.open(CACHE);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  await Promise.allSettled(files.filter((file) => !known.has(file)).map((file) => cache.add(file)));
}

/** A new notification replaces the previous one. */
async function show(data) {
  const { title, body, lang } = data.json();
  if ((await isAppVisible()) && canStaySilent()) return;
  await self.registration.showNotification(title, {
    body,
    lang,
    tag: "new",
    badge: "/notification-icon.png",
    data: LANGUAGES.includes(lang) ? lang : "en",
  });
}

async function isAppVisible() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.some((client) => client.visibilityState === "visible");
}

/** Safari ends the subscription of a site that shows no notification, even while it is open. */
function canStaySilent() {
  return !/Safari/.test(navigator.userAgent) || /Chrom/.test(navigator.userAgent);
}

async function open(lang) {
  const url = `/${lang}/dm`;
  const [window] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // A worker can navigate only the windows that it controls.
  const isNavigated = window ? await window.navigate(url).then(Boolean, () => false) : false;
  // Navigates even if the browser does not allow the window to take the focus.
  if (isNavigated) await window.focus().catch(() => undefined);
  else await self.clients.openWindow(url);
}
