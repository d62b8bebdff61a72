/** The snake case name of a field, as responses use it. */
export function fieldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
