import { Browser } from "@capacitor/browser";
import { Clipboard } from "@capacitor/clipboard";
import { Capacitor } from "@capacitor/core";
import { Device as DevicePlugin } from "@capacitor/device";
import { Geolocation } from "@capacitor/geolocation";
import { Share } from "@capacitor/share";
import { AndroidSettings, IOSSettings, NativeSettings } from "capacitor-native-settings";
import { browserPermission } from "../browser-permission.ts";
import type { Device, Permission } from "../device.ts";
import { sharePicture } from "../share-picture.ts";
import { nativePush } from "./push.ts";

const POSITION_TIMEOUT_MS = 20_000;

let language = "en";

/** Runs before the app. */
export async function loadLanguage(): Promise<void> {
  ({ value: language } = await DevicePlugin.getLanguageTag());
}

export const device: Device = {
  isNative: () => true,
  version: __APP_VERSION__,
  language: () => language,
  kind: () => (Capacitor.getPlatform() === "ios" ? "iphone" : "android"),

  push: nativePush,

  positionPermission,
  microphonePermission: async () => browserPermission("microphone"),

  /** Asks for the permission first, unless the member has already decided. */
  async position() {
    try {
      if ((await positionPermission()) === "ask") {
        const { coarseLocation } = await Geolocation.requestPermissions({ permissions: ["coarseLocation"] });
        if (coarseLocation !== "granted") return null;
      }
      const { coords } = await Geolocation.getCurrentPosition({
        enableHighAccuracy: false,
        timeout: POSITION_TIMEOUT_MS,
        maximumAge: 60_000,
      });
      return { longitude: coords.longitude, latitude: coords.latitude };
    } catch {
      return null; // denied, switched off, or too late
    }
  },

  copy: (text) => Clipboard.write({ string: text }),

  openPage: (url) => void Browser.open({ url }),

  sharePicture,
  // It rejects when the member closes the sheet.
  share: (url) => void Share.share({ url }).catch(() => undefined),

  openAppSettings: () =>
    void NativeSettings.open({
      optionAndroid: AndroidSettings.ApplicationDetails,
      optionIOS: IOSSettings.App,
    }),
};

/** NOTE: the plugin rejects where the location of the whole device is off. Asking then opens that setting. */
async function positionPermission(): Promise<Permission> {
  try {
    const { coarseLocation, location } = await Geolocation.checkPermissions();
    if (coarseLocation === "granted" || location === "granted") return "granted";
    return coarseLocation === "denied" ? "denied" : "ask";
  } catch {
    return "ask";
  }
}
