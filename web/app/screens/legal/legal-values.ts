import { RETENTION } from "@alcove/contract/retention";
import { settings } from "../../lib/page/settings.ts";

const values: Readonly<Record<string, string | number>> = {
  ...RETENTION,
  brand: settings.brandName,
  email: settings.supportEmail,
};

/** Replaces the names in braces. */
export function fillIn(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => String(values[name]));
}
