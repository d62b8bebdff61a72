import { featuresOf, languageOf, plainText, type WarningLanguage } from "./message-features.ts";
import learned from "./points.json" with { type: "json" };
import data from "./rules.json" with { type: "json" };

/** The worst comes first: a message has one warning. `pattern` is a message that no rule names. */
const KINDS = ["threat", "gift", "money", "link", "move", "pattern"] as const;
export type WarningKind = (typeof KINDS)[number];

/** Kinds that are looked for in the first messages of a match only. */
const EARLY_KINDS: ReadonlySet<WarningKind> = new Set(["link", "move"]);
/** A rule adds these to the points of the words. */
const RULE_POINTS = 1.4;
const NEEDED_POINTS: Readonly<Record<WarningLanguage, number>> = { en: 1.7, ja: 1.85, zh: 2.15 };

interface Rule {
  kind: WarningKind;
  /** Lists of which each has an expression in the message. */
  all: readonly string[];
  /** Lists of which none has. */
  none?: readonly string[];
}

const rules = KINDS.flatMap((kind) => (data.rules as readonly Rule[]).filter((rule) => rule.kind === kind));
const wordPoints = new Map<WarningLanguage, ReadonlyMap<string, number>>();
const tests = new Map<WarningLanguage, ReadonlyMap<string, RegExp>>();

/**
 * Returns the warning that a received message needs, or null. Nothing but the caller learns of it.
 * `isEarly` is true for the first messages of a match, for which all rules apply.
 */
export function findWarning(text: string, isEarly: boolean): WarningKind | null {
  const language = languageOf(text);
  const plain = plainText(text, language);
  const points = pointsOf(plain, language);
  if (points + RULE_POINTS <= NEEDED_POINTS[language]) return null; // most messages need no rule
  const found = rules.filter((rule) => applies(rule, testsOf(language), plain));
  const kind = (isEarly ? found : found.filter((rule) => !EARLY_KINDS.has(rule.kind)))[0]?.kind;
  if (kind !== undefined) return kind;
  return found.length === 0 && points > NEEDED_POINTS[language] ? "pattern" : null;
}

function applies({ all, none = [] }: Rule, lists: ReadonlyMap<string, RegExp>, text: string): boolean {
  const has = (name: string): boolean => lists.get(name)?.test(text) ?? false;
  return all.every(has) && !none.some(has);
}

/** Divides the sum of all points by the root of their number, so that a long message is not worse than a short one. */
function pointsOf(plain: string, language: WarningLanguage): number {
  const features = [...featuresOf(plain, language)];
  const known = wordPointsOf(language);
  const sum = features.reduce((total, feature) => total + (known.get(feature) ?? 0), 0);
  return sum / Math.sqrt(Math.max(features.length, 1));
}

function wordPointsOf(language: WarningLanguage): ReadonlyMap<string, number> {
  const known = wordPoints.get(language);
  if (known) return known;
  const made = new Map(
    Object.entries(learned[language]).flatMap(([points, words]) =>
      words.split("|").map((word) => [word, Number(points)] as const),
    ),
  );
  wordPoints.set(language, made);
  return made;
}

/** The lists of a language with those of all languages, as one expression each. */
function testsOf(language: WarningLanguage): ReadonlyMap<string, RegExp> {
  const known = tests.get(language);
  if (known) return known;
  const words: Readonly<Record<string, readonly string[]>> = data.words[language];
  const any: Readonly<Record<string, readonly string[]>> = data.words.any;
  const names = new Set([...Object.keys(any), ...Object.keys(words)]);
  const made = new Map(
    [...names].map((name) => [name, testOf([...(any[name] ?? []), ...(words[name] ?? [])])]),
  );
  tests.set(language, made);
  return made;
}

/** A Latin letter at an end of an expression is the end of a word. */
function testOf(expressions: readonly string[]): RegExp {
  const whole = expressions.map((each) => {
    const start = /^[a-z(]/.test(each) ? "(?<![a-z])" : "";
    const end = /[a-z)?]$/.test(each) ? "(?![a-z])" : "";
    return `${start}(?:${each})${end}`;
  });
  return new RegExp(whole.join("|"), "u");
}
