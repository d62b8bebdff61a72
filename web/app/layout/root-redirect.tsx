import { redirect } from "react-router";
import { device } from "../device/browser.ts";
import { preferredLanguage } from "../lib/texts/language.ts";

/** Redirects `/` to the visitor's language, like the server; the native wrapper has no server. */
export function loader() {
  throw redirect(`/${preferredLanguage(device.language())}`);
}
