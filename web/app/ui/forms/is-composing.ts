/**
 * Returns whether an input method composes a character, so that Enter, Esc and arrow keys belong to it. Safari reports
 * the key that ends a composition only by its code.
 */
export function isComposing({ isComposing, keyCode }: { isComposing: boolean; keyCode: number }): boolean {
  return isComposing || keyCode === 229;
}
