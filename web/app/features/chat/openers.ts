import { lengthOf } from "@alcove/contract/text-rules";
import type { PublicUser } from "@alcove/contract/users";

const SENTENCE_MIN = 20;
const LENGTH_MAX = 120;

/** Returns up to two texts of a profile to begin a conversation with. */
export function openersOf(
  { description, hobby, purpose }: Pick<PublicUser, "description" | "hobby" | "purpose">,
  language: string,
): string[] {
  const sentence = sentencesOf(withoutMarkdown(description), language).find(
    (text) => lengthOf(text) >= SENTENCE_MIN && lengthOf(text) <= LENGTH_MAX,
  );
  const few = [hobby, purpose]
    .map((text) => text?.trim())
    .find((text) => text && lengthOf(text) <= LENGTH_MAX);
  return [...new Set([sentence, few].filter((text) => text !== undefined))];
}

function sentencesOf(text: string, language: string): string[] {
  // Firefox below 125 has no segmenter.
  if (!("Segmenter" in Intl)) return text.split(/\n|(?<=[.!?]\s|[。！？])/).map((part) => part.trim());
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  return text
    .split("\n")
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()));
}

/** Keeps the words of headings, lists, emphasis and links. */
function withoutMarkdown(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/gm, "")
    .replaceAll(/[*_`~]/g, "");
}
