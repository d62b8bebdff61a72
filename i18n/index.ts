import type english from "./locales/en.json";

export type { EnglishMessages } from "./locales/en.d.ts";

/** Also the first segments of URLs. */
export const languages = ["en", "ja", "zh-hans", "zh-hant"] as const;
export type Language = (typeof languages)[number];

/** The English file types the keys of every language. */
export type Translations = {
  readonly [Namespace in keyof typeof english]: {
    readonly [Key in keyof (typeof english)[Namespace]]: string;
  };
};

const loaders: Record<Language, () => Promise<{ default: Translations }>> = {
  en: () => import("./locales/en.json", { with: { type: "json" } }),
  ja: () => import("./locales/ja.json", { with: { type: "json" } }),
  "zh-hans": () => import("./locales/zh-hans.json", { with: { type: "json" } }),
  "zh-hant": () => import("./locales/zh-hant.json", { with: { type: "json" } }),
};

/** Loads one language, which a bundler puts into its own chunk. */
export async function loadTranslations(language: Language): Promise<Translations> {
  return (await loaders[language]()).default;
}

/** For a device's or browser's tag, such as `ja-JP` or `cn`. */
export function languageOf(tag: string): Language {
  const folded = tag.toLowerCase().replaceAll("_", "-");
  if (/^ja\b/.test(folded)) return "ja";
  if (/^(cn\b|zh-(hans|cn|sg)\b)/.test(folded)) return "zh-hans";
  return /^zh\b/.test(folded) ? "zh-hant" : "en";
}
