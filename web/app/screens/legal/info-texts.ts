import type { Language } from "@alcove/i18n";
import { infoEn } from "./info.en.ts";
import { infoJa } from "./info.ja.ts";
import { infoZhHans } from "./info.zh-hans.ts";
import { infoZhHant } from "./info.zh-hant.ts";
import type { LegalText } from "./legal-text.ts";

/** Pages that inform and bind nobody, so each language stands alone. */
export interface InfoTexts {
  /** The native app leaves out the first section where it mentions no purchases. */
  readonly provider: LegalText;
  readonly accessibility: LegalText;
  readonly childSafety: LegalText;
  readonly deleteAccount: LegalText;
}

export const infoTexts: Readonly<Record<Language, InfoTexts>> = {
  en: infoEn,
  ja: infoJa,
  "zh-hans": infoZhHans,
  "zh-hant": infoZhHant,
};
