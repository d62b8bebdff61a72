import { browserStore } from "./stored.ts";
import { WORKER } from "./worker.ts";
import type { PushDevice, PushState } from "./device.ts";

export const browserPush: Omit<PushDevice, "service"> = {
  async state(): Promise<PushState> {
    if (!isSupported()) return needsHomeScreen() ? "needs_home_screen" : "unsupported";
    if (Notification.permission === "denied") return "denied";
    return browserStore.get("push") && (await subscription()) ? "on" : "off";
  },

  async subscribe(key) {
    if ((await Notification.requestPermission()) !== "granted") return null;
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    // A previous subscription may belong to another server key or another member.
    await (await pushManager.getSubscription())?.unsubscribe();
    const created = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    browserStore.set("push", "on");
    const { endpoint, keys } = created.toJSON();
    return { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" };
  },

  async unsubscribe() {
    const known = await subscription();
    browserStore.remove("push");
    await known?.unsubscribe();
    return known && { endpoint: known.endpoint };
  },
};

function isSupported(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** Safari on iPhones and iPads supports push only for apps on the home screen. */
function needsHomeScreen(): boolean {
  const isApple = /iPhone|iPad/.test(navigator.userAgent) || isTabletWithMacUserAgent();
  return isApple && !matchMedia("(display-mode: standalone)").matches;
}

function isTabletWithMacUserAgent(): boolean {
  return navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
}

async function subscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}
