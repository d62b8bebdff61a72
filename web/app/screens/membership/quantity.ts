/** Reads a whole number in half- or full-width digits, at most `max`. Any other text is 0. */
export function readQuantity(typed: string, max: number): number {
  const plain = typed.normalize("NFKC").trim();
  return /^\d+$/.test(plain) ? Math.min(Number(plain), max) : 0;
}
