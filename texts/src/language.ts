import type english from "./en/index.ts";

/** The languages of the product, as the first segment of an address names them. */
export const languages = ["en", "ja", "zh-hans", "zh-hant"] as const;
export type Language = (typeof languages)[number];

type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> };

/** A catalogue: English is its type, every other language has the same sentences. */
export type Texts = Shape<typeof english>;

/** The product's language for a device's or browser's tag, such as `ja-JP` or `cn` (decisions, section 2). */
export function languageOf(tag: string): Language {
  const folded = tag.toLowerCase().replaceAll("_", "-");
  if (/^ja\b/.test(folded)) return "ja";
  if (/^(cn\b|zh-(hans|cn|sg)\b)/.test(folded)) return "zh-hans";
  return /^zh\b/.test(folded) ? "zh-hant" : "en";
}

const catalogues: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import("./en/index.ts"),
  ja: () => import("./ja/index.ts"),
  "zh-hans": () => import("./zh-hans/index.ts"),
  "zh-hant": () => import("./zh-hant/index.ts"),
};

/** Loads one language's catalogue, as a chunk of its own. */
export async function loadTexts(language: Language): Promise<Texts> {
  return (await catalogues[language]()).default;
}
