import type { TranslationKey } from "../page/banner.ts";

export const STATIC_TEXTS_ID = "texts";

/** The texts that the script of a static page shows. The build writes them into the page. */
export interface StaticTexts {
  readonly coverTitle: string;
  readonly notes: readonly string[];
  readonly banners: Partial<Record<TranslationKey, string>>;
}

export function staticTexts(): StaticTexts {
  return JSON.parse(document.getElementById(STATIC_TEXTS_ID)!.textContent) as StaticTexts;
}
