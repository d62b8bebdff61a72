import { browserPermission } from "./browser-permission.ts";
import type { Device, Position } from "./device.ts";
import { sharePicture } from "./share-picture.ts";

const POSITION_TIMEOUT_MS = 20_000;

const loadPush = async () => (await import("./push.ts")).browserPush;

export const device: Device = {
  isNative: () => false,
  version: null,

  push: {
    service: () => null,
    state: async () => (await loadPush()).state(),
    subscribe: async (key) => (await loadPush()).subscribe(key),
    unsubscribe: async () => (await loadPush()).unsubscribe(),
  },

  copy: async (text) => navigator.clipboard.writeText(text),
  openPage: (url) => location.assign(url),
  sharePicture,
  share: null,
  openAppSettings: null,
  language: () => navigator.languages[0] ?? navigator.language,

  kind() {
    if (/Android/.test(navigator.userAgent)) return "android";
    // An iPad calls itself a Mac.
    const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent);
    const isTouchMac = navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;
    return isApple || isTouchMac ? "iphone" : "computer";
  },

  positionPermission: async () => browserPermission("geolocation"),
  microphonePermission: async () => browserPermission("microphone"),

  position: () =>
    new Promise<Position | null>((done) => {
      if (!("geolocation" in navigator)) {
        done(null);
        return;
      }
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => done({ longitude: coords.longitude, latitude: coords.latitude }),
        () => done(null),
        // The app stores only a cell of kilometres.
        { enableHighAccuracy: false, timeout: POSITION_TIMEOUT_MS, maximumAge: 60_000 },
      );
    }),
};
