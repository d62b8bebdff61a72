import { Capacitor, type PluginListenerHandle } from "@capacitor/core";
import { PushNotifications } from "@capacitor/push-notifications";
import { browserStore } from "../stored.ts";
import type { NativePushAddress, PushDevice, PushState } from "../device.ts";

const TIMEOUT_MS = 20_000;
/** The server names it in pushes to Android. */
const CHANNEL = "news";

const isApple = () => Capacitor.getPlatform() === "ios";
/** A project for Android without Firebase's file is built without the plugin. */
const hasPlugin = () => Capacitor.isPluginAvailable("PushNotifications");

export const nativePush: PushDevice = {
  service: () => (isApple() ? "apns" : "fcm"),

  async state(): Promise<PushState> {
    if (!hasPlugin()) return "unsupported";
    const { receive } = await PushNotifications.checkPermissions();
    if (receive === "denied") return "denied";
    return receive === "granted" && browserStore.get("push") !== null ? "on" : "off";
  },

  async subscribe() {
    const { receive } = await PushNotifications.requestPermissions();
    if (receive !== "granted") return null;
    const address = await registerPush();
    browserStore.set("push", "on");
    return address;
  },

  async unsubscribe() {
    if (!hasPlugin()) return null;
    const address = browserStore.get("push") === null ? null : await registerPush().catch(() => null);
    browserStore.remove("push");
    await PushNotifications.unregister();
    return address;
  },
};

/** Returns the present token of the app. Rejects if the push service does not respond. */
async function registerPush(): Promise<NativePushAddress> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listening: Promise<PluginListenerHandle>[] = [];
  const token = new Promise<NativePushAddress>((resolve, reject) => {
    listening = [
      PushNotifications.addListener("registration", ({ value }) => resolve(addressOf(value))),
      PushNotifications.addListener("registrationError", ({ error }) => reject(new Error(error))),
    ];
    timer = setTimeout(() => reject(new Error("no push token")), TIMEOUT_MS);
  });
  try {
    await Promise.all(listening);
    await PushNotifications.register();
    return await token;
  } finally {
    clearTimeout(timer);
    for (const each of listening) void each.then(async (listener) => listener.remove());
  }
}

function addressOf(token: string): NativePushAddress {
  return { service: nativePush.service()!, token };
}

interface PushHandlers {
  /** The system gave the app a token, perhaps a new one. */
  onToken: (address: NativePushAddress) => void;
  onTap: () => void;
}

/** Returns a function that ends it. A tap that started the app arrives too: the plugin keeps it. */
export function listenToPushes({ onToken, onTap }: PushHandlers): () => void {
  if (!hasPlugin()) return () => undefined;
  const listening = [
    PushNotifications.addListener("registration", ({ value }) => onToken(addressOf(value))),
    PushNotifications.addListener("pushNotificationActionPerformed", onTap),
  ];
  return () => {
    for (const each of listening) void each.then(async (listener) => listener.remove());
  };
}

/**
 * Asks for the token again, which changes at times. Android's channel exists before the first push, and its settings show
 * the name.
 */
export async function renewPush(channelName: string): Promise<void> {
  if (!isApple() && hasPlugin()) await PushNotifications.createChannel({ id: CHANNEL, name: channelName });
  if ((await nativePush.state()) === "on") await PushNotifications.register();
}

/** The member looks at the app. */
export function removeShownPushes(): void {
  if (hasPlugin() && browserStore.get("push") !== null)
    void PushNotifications.removeAllDeliveredNotifications();
}
