import type { Language } from "@alcove/i18n";
import { en } from "./en.ts";
import { ja } from "./ja.ts";
import type { Phrases } from "./phrases.ts";
import { zhHans } from "./zh-hans.ts";
import { zhHant } from "./zh-hant.ts";

export const phrases: Record<Language, Phrases> = { en, ja, "zh-hans": zhHans, "zh-hant": zhHant };
