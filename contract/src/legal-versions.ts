/** The version to which members agree: the day (UTC) from which it holds, 15 days or more after its release. */
export const TERMS_VERSION = "2026-11-26";
export const PRIVACY_VERSION = "2026-11-26";

export interface LegalVersion {
  readonly version: string;
  /** Keys of the texts `legalChanges`. */
  readonly changes: readonly LegalChange[];
}

type LegalChange = "firstTerms" | "firstPrivacy";

export const TERMS_VERSIONS: readonly LegalVersion[] = [{ version: TERMS_VERSION, changes: ["firstTerms"] }];
export const PRIVACY_VERSIONS: readonly LegalVersion[] = [
  { version: PRIVACY_VERSION, changes: ["firstPrivacy"] },
];
