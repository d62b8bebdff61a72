import type english from "./locales/en.json";

export type { EnglishMessages } from "./build/english-messages.d.ts";

/** Also the first segments of URLs. */
export const languages = ["en", "ja", "zh-hans", "zh-hant"] as const;
export type Language = (typeof languages)[number];

/** The English file types the keys of every language. */
export type Translations = {
  readonly [Namespace in keyof typeof english]: {
    readonly [Key in keyof (typeof english)[Namespace]]: string;
  };
};

export function languageOf(tag: string): Language {
  const folded = tag.toLowerCase().replaceAll("_", "-");
  if (/^ja\b/.test(folded)) return "ja";
  if (/^(cn\b|zh-(hans|cn|sg)\b)/.test(folded)) return "zh-hans";
  return /^zh\b/.test(folded) ? "zh-hant" : "en";
}
