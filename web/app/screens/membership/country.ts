import { useTranslations } from "use-intl";
import { isRegion } from "@alcove/contract/countries";
import type { Language } from "@alcove/i18n";

const LIKELY: Record<Language, string> = { en: "US", ja: "JP", "zh-hans": "CN", "zh-hant": "TW" };

/** The country of the browser's language, such as `en-GB`, else that of the page's. The member can change it. */
export function likelyCountry(language: Language): string {
  for (const tag of navigator.languages) {
    const { region } = new Intl.Locale(tag);
    if (region && isRegion(region)) return region;
  }
  return LIKELY[language];
}

const STATE_KEYS = { "US-CA": "california", "US-NY": "newYork" } as const;

/** Returns the name of a country or state. */
export function useCountryText(language: Language): (region: string) => string {
  const t = useTranslations("membership");
  const names = new Intl.DisplayNames([language], { type: "region" });
  return (region) => {
    if (region in STATE_KEYS) return t(STATE_KEYS[region as keyof typeof STATE_KEYS]);
    const [country = "", state] = region.split("-");
    const name = names.of(country) ?? country;
    return state === undefined ? name : `${name} (${region})`;
  };
}
