import { redirect } from "react-router";
import { device } from "../device/browser.ts";
import { preferredLanguage } from "../lib/language.ts";

/** `/` leads to the visitor's language. The server does the same; in the native wrapper there is none. */
export function clientLoader() {
  throw redirect(`/${preferredLanguage(device.language())}`);
}

export default function RootRedirect() {
  return null;
}
