// For notifications only: no fetch handler and no cache.

const LANGUAGES = ["en", "ja", "zh-hans", "zh-hant"];

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

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
