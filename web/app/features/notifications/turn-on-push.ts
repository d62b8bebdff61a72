import { subscribeNativePush, subscribePush } from "@alcove/contract/notifications";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { markNotifiedAgain } from "./mark-notified.ts";

/** Asks for the permission, and subscribes this device. A denial changes nothing. */
export async function turnOnPush(pushKey: string): Promise<void> {
  const subscription = await device.push.subscribe(pushKey).catch(() => {
    banner.alert("notifications.failed"); // the push service did not respond
    return null;
  });
  if (!subscription) return;
  try {
    if ("service" in subscription) await api(subscribeNativePush, subscription);
    else await api(subscribePush, subscription);
    markNotifiedAgain();
    banner.notify("notifications.turnedOn");
  } catch (error) {
    await device.push.unsubscribe();
    throw error;
  }
}
