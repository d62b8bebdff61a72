import { languages } from "@alcove/i18n";
import { privacyPolicyJa } from "./privacy-policy.ja.ts";
import { privacyPolicyZhHant } from "./privacy-policy.zh-hant.ts";
import { termsEn } from "./terms.en.ts";
import { termsZhHant } from "./terms.zh-hant.ts";

export interface LegalText {
  /** The language it is written in, as a document's `lang`. */
  lang: string;
  title: string;
  changed: string;
  sections: readonly { heading: string; paragraphs: readonly string[] }[];
}

const isKnown = (segment: string | undefined) => languages.some((language) => language === segment);

/** The four languages share one text; unknown ones fall back to English (specification, section 2). */
export function termsFor(segment: string | undefined): LegalText {
  return isKnown(segment) ? termsZhHant : termsEn;
}

/** The four languages share one text; unknown ones fall back to Japanese (specification, section 2). */
export function privacyPolicyFor(segment: string | undefined): LegalText {
  return isKnown(segment) ? privacyPolicyZhHant : privacyPolicyJa;
}
