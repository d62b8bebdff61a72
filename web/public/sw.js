// Shows notifications and opens the app when one is pressed. It keeps nothing and answers no request of a page.

const LANGUAGES = ["en", "ja", "zh-hans", "zh-hant"];

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Always the same neutral sentence; a newer notification takes the place of the one before. */
async function show(data) {
  const { title, body, lang } = data.json();
  if ((await isLookedAt()) && mayStaySilent()) return;
  await self.registration.showNotification(title, {
    body,
    lang,
    tag: "new",
    badge: "/notification-icon.png",
    data: LANGUAGES.includes(lang) ? lang : "en",
  });
}

/** Whether the app is open before somebody's eyes. */
async function isLookedAt() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.some((client) => client.visibilityState === "visible");
}

/** Safari ends the subscription of a site that shows nothing, even while it is open. */
function mayStaySilent() {
  return !/Safari/.test(navigator.userAgent) || /Chrom/.test(navigator.userAgent);
}

async function open(lang) {
  const address = `/${lang}/dm`;
  const [window] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // A window that this worker does not control cannot be led anywhere.
  const isLed = window ? await window.navigate(address).then(Boolean, () => false) : false;
  // It is led there also where the browser does not let it come to the front.
  if (isLed) await window.focus().catch(() => undefined);
  else await self.clients.openWindow(address);
}
