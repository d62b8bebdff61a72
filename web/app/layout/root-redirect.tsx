import { redirect } from "react-router";
import { device } from "../device/browser.ts";
import { preferredLanguage } from "../lib/texts/language.ts";

/** Redirects `/` to the visitor's language, like the server; the native wrapper has no server. */
export function clientLoader() {
  throw redirect(`/${preferredLanguage(device.language())}`);
}

export default function RootRedirect() {
  return null;
}
