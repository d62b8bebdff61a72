import type { LegalVersion } from "@alcove/contract/legal-versions";

export const documents = ["terms", "privacy"] as const;
export type Document = (typeof documents)[number];

export type Versions = Readonly<Record<Document, string>>;

interface WithVersions {
  readonly legalVersions: Readonly<Record<Document, readonly LegalVersion[]>>;
}

/** Those that the pages show. They may hold later. */
export function newestVersions({ legalVersions: lists }: WithVersions): Versions {
  return { terms: lists.terms[0]!.version, privacy: lists.privacy[0]!.version };
}

/** Before the first version holds, it is that one. */
export function versionInForce(list: readonly LegalVersion[], day: string): string {
  return (list.find(({ version }) => version <= day) ?? list.at(-1)!).version;
}

/** An unknown version is older than all. */
export function versionsAfter(list: readonly LegalVersion[], agreed: string): readonly string[] {
  const versions = list.map(({ version }) => version);
  return versions.includes(agreed) ? versions.slice(0, versions.indexOf(agreed)) : versions;
}

/** Returns the day of the first version in force that lacks a consent, or null. */
export function consentRequiredFrom(
  { legalVersions: lists }: WithVersions,
  agreed: Versions,
  day: string,
): string | null {
  const due = documents.flatMap((document) => versionsAfter(lists[document], agreed[document]));
  return due.filter((version) => version <= day).toSorted()[0] ?? null;
}
