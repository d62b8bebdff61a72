type Element = string | number | Buffer | Date | null | undefined;

/** What an array may hold as it is, but for the word that stands for nothing. */
const PLAIN = /^[\w:.+-]+$/;
const NOTHING = /^null$/i;

/**
 * An array as PostgreSQL reads it. The driver's own way makes and throws away some ten strings for each element, which was
 * a seventh of all that a message left to the garbage collector.
 */
export function arrayText(elements: readonly Element[]): string {
  return `{${elements.map(elementText).join(",")}}`;
}

function elementText(element: Element): string {
  if (element === null || element === undefined) return "NULL";
  if (typeof element === "number") return String(element);
  if (element instanceof Date) return `"${element.toISOString()}"`;
  if (typeof element !== "string") return String.raw`"\\x${element.toString("hex")}"`;
  if (PLAIN.test(element) && !NOTHING.test(element)) return element;
  return `"${element.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
