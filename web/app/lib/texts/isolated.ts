import { hasRightToLeft } from "@alcove/contract/text-rules";

/** Returns a name for a sentence. A right-to-left name would change the order of the words beside it. */
export function isolated(name: string): string {
  return hasRightToLeft(name) ? `\u2068${name}\u2069` : name;
}
