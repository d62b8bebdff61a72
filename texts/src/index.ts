import en from "./en/index.ts";
import ja from "./ja/index.ts";
import zhHans from "./zh-hans/index.ts";
import zhHant from "./zh-hant/index.ts";
import { type Language, type Texts } from "./language.ts";

export { languageOf, languages, loadTexts, type Language, type Texts } from "./language.ts";

/** All catalogues at once, for the server. The web app loads one, with `loadTexts` of `@alcove/texts/language`. */
export const allTexts: Record<Language, Texts> = { en, ja, "zh-hans": zhHans, "zh-hant": zhHant };
