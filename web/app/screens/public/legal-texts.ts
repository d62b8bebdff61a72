import { languages } from "@alcove/i18n";
import { privacyPolicyJa } from "./privacy-policy.ja.ts";
import { privacyPolicyZhHant } from "./privacy-policy.zh-hant.ts";
import { termsEn } from "./terms.en.ts";
import { termsZhHant } from "./terms.zh-hant.ts";

export interface LegalText {
  /** As a document's `lang`. */
  lang: string;
  title: string;
  changed: string;
  sections: readonly { heading: string; paragraphs: readonly string[] }[];
}

const isKnown = (segment: string | undefined) => languages.some((language) => language === segment);

/** The four languages share one text. Unknown languages use English. */
export function termsFor(segment: string | undefined): LegalText {
  return isKnown(segment) ? termsZhHant : termsEn;
}

/** The four languages share one text. Unknown languages use Japanese. */
export function privacyPolicyFor(segment: string | undefined): LegalText {
  return isKnown(segment) ? privacyPolicyZhHant : privacyPolicyJa;
}
