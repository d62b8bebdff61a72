import type { Language, Translations } from "./index.ts";
import en from "./locales/en.json" with { type: "json" };
import ja from "./locales/ja.json" with { type: "json" };
import zhHans from "./locales/zh-hans.json" with { type: "json" };
import zhHant from "./locales/zh-hant.json" with { type: "json" };

/** For the server and the build; the web app loads one language by parts. */
export const allTranslations: Record<Language, Translations> = {
  en,
  ja,
  "zh-hans": zhHans,
  "zh-hant": zhHant,
};
