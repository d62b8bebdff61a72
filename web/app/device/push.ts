import type { PushDevice, PushState } from "./device.ts";

const WORKER = "/sw.js";
/**
 * Stands beside the session that this browser subscribed in, and goes with it (`lib/session.ts`): to the next member here the
 * subscription that the browser may still have is none.
 */
const MARK = "push";

/** Notifications of a browser: by its push service and a service worker that does nothing else. */
export const browserPush: PushDevice = {
  async state(): Promise<PushState> {
    if (!isSupported()) return needsHomeScreen() ? "needs_home_screen" : "unsupported";
    if (Notification.permission === "denied") return "denied";
    return localStorage.getItem(MARK) && (await subscription()) ? "on" : "off";
  },

  async subscribe(key) {
    if ((await Notification.requestPermission()) !== "granted") return null;
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that was made for another key of the server, or for another member, is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    localStorage.setItem(MARK, "on");
    const { endpoint, keys } = made.toJSON();
    return { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" };
  },

  async unsubscribe() {
    const known = await subscription();
    localStorage.removeItem(MARK);
    await known?.unsubscribe();
    return known?.endpoint ?? null;
  },
};

function isSupported(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** Safari on iPhones and iPads knows notifications only for what was added to the home screen. */
function needsHomeScreen(): boolean {
  const isApple = /iPhone|iPad/.test(navigator.userAgent) || isTabletThatSaysMac();
  return isApple && !matchMedia("(display-mode: standalone)").matches;
}

function isTabletThatSaysMac(): boolean {
  return navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
}

async function subscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}
