/**
 * A quantity as typed: whole numbers in half- or full-width digits, at most `max`; whatever is no such number is 0
 * (specification, section 5).
 */
export function readQuantity(typed: string, max: number): number {
  const plain = typed.normalize("NFKC").trim();
  return /^\d+$/.test(plain) ? Math.min(Number(plain), max) : 0;
}
