import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { featuresOf, plainText, type WarningLanguage } from "../message-features.ts";

export interface Messages {
  scam: string[];
  honest: string[];
}

const LANGUAGES: Readonly<Record<WarningLanguage, readonly string[]>> = {
  en: ["en"],
  ja: ["ja"],
  zh: ["zh-hans", "zh-hant"],
};
const SMALLEST = 0.3;

export function readMessages(part: string, language: string): Messages {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${part}.${language}.json`), "utf8")) as Messages;
}

/**
 * Returns how much oftener each word or pair is in scams than in honest messages, as a logarithm (naive Bayes): the words
 * of each number, separated by bars.
 */
function learn(language: WarningLanguage): Record<string, string> {
  const parts = LANGUAGES[language].flatMap((each) => [
    readMessages("author", each),
    readMessages("practice", each),
  ]);
  const scam = parts.flatMap((part) => part.scam);
  const honest = parts.flatMap((part) => part.honest);
  const inScam = count(scam, language);
  const inHonest = count(honest, language);
  const learned = new Map<string, string[]>();
  for (const feature of new Set([...inScam.keys(), ...inHonest.keys()])) {
    const [a, b] = [inScam.get(feature) ?? 0, inHonest.get(feature) ?? 0];
    const weight = Math.log((a + 0.5) / (scam.length + 1)) - Math.log((b + 0.5) / (honest.length + 1));
    if (a + b < 2 || Math.abs(weight) < SMALLEST) continue;
    const rounded = weight.toFixed(1);
    learned.set(rounded, [...(learned.get(rounded) ?? []), feature]);
  }
  const sorted = [...learned].sort(([a], [b]) => Number(a) - Number(b));
  return Object.fromEntries(sorted.map(([number, features]) => [number, features.sort().join("|")]));
}

function count(messages: readonly string[], language: WarningLanguage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages)
    for (const feature of featuresOf(plainText(message, language), language))
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

/** Returns the points of all words; `points.json` holds them, and is written when this file is run. */
export const learnPoints = () => ({ en: learn("en"), ja: learn("ja"), zh: learn("zh") });

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(import.meta.dirname, "../points.json"), `${JSON.stringify(learnPoints())}\n`);
