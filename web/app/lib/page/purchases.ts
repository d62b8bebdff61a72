import { replace } from "react-router";
import { device } from "../../device/browser.ts";
import { settings } from "./settings.ts";

/** Whether screens may mention purchases. Stores forbid that in some countries. */
export function hasPurchases(): boolean {
  return !device.isNative() || settings.nativePurchases === "browser";
}

/** For loaders of screens about money: leads home where these are hidden. */
export function requirePurchases(lang: string): void {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router's redirect
  if (!hasPurchases()) throw replace(`/${lang}`);
}
