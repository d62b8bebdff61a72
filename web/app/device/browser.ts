import type { Device, Place } from "./device.ts";
import { browserPush } from "./push.ts";

const POSITION_TIMEOUT_MS = 20_000;

export const device: Device = {
  isNative: () => false,

  push: browserPush,

  language: () => navigator.languages[0] ?? navigator.language,

  async mayReadPosition() {
    try {
      return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
    } catch {
      return false; // a browser that cannot say has to ask
    }
  },

  position: () =>
    new Promise<Place | null>((done) => {
      if (!("geolocation" in navigator)) {
        done(null);
        return;
      }
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => done({ longitude: coords.longitude, latitude: coords.latitude }),
        () => done(null),
        // The cell that is kept is kilometres wide: a coarse fix saves battery.
        { enableHighAccuracy: false, timeout: POSITION_TIMEOUT_MS, maximumAge: 60_000 },
      );
    }),
};
