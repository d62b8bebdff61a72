import { foldTyped } from "@alcove/contract/text-rules";

/** Reads a whole number in half- or full-width digits, at most `max`. Any other text is 0. */
export function readQuantity(typed: string, max: number): number {
  const plain = foldTyped(typed);
  return /^\d+$/.test(plain) ? Math.min(Number(plain), max) : 0;
}
