import type { legalGrounds, StoredKind, RETENTION } from "@alcove/contract/retention";
import type { StoredKey } from "../../device/stored.ts";

/** One text, without its layout. Braces name values of `legal-values.ts`. */
export interface LegalText {
  readonly title: string;
  readonly sections: readonly LegalSection[];
}

export interface LegalSection {
  /** Null for an introduction. */
  readonly heading: string | null;
  readonly paragraphs?: readonly string[];
  readonly items?: readonly LegalItem[];
}

type LegalItem = readonly [term: string, text: string];

/** The groups of data on the server. `server/tests/data/privacy-policy.test.ts` assigns each table to one. */
export type Stored = Exclude<StoredKind, "device">;

/** Legal grounds, with the purposes that rest on each. */
type Ground = (typeof legalGrounds)[number];

export type Processor = "paypal" | "google" | "recaptcha" | "push" | "mail" | "storage";

/** Besides `StoredKey`: cookies, the browser's cache, the worker, and the native app. */
type OnDevice = StoredKey | "cookie language" | "cookie visit" | "cache" | "worker" | "app";

/** The types require every entry in every language. */
export interface PrivacyPolicy {
  readonly title: string;
  readonly intro: readonly string[];
  readonly stored: { readonly heading: string; readonly items: Readonly<Record<Stored, LegalItem>> };
  readonly protection: LegalSection;
  readonly viewers: LegalSection;
  readonly processors: {
    readonly heading: string;
    readonly lead: string;
    readonly items: Readonly<Record<Processor, LegalItem>>;
  };
  readonly device: {
    readonly heading: string;
    readonly lead: string;
    readonly items: Readonly<Record<OnDevice, string>>;
  };
  /** Each sentence contains its period as `{name}`. */
  readonly retention: {
    readonly heading: string;
    readonly lead: string;
    readonly items: Readonly<Record<keyof typeof RETENTION, string>>;
  };
  readonly deletion: LegalSection;
  readonly grounds: {
    readonly heading: string;
    readonly lead: string;
    readonly items: Readonly<Record<Ground, LegalItem>>;
  };
  readonly choices: LegalSection;
  readonly transfers: LegalSection;
  readonly rights: LegalSection;
}

export function privacyText(policy: PrivacyPolicy): LegalText {
  const { title, intro, stored, protection, viewers, processors, device } = policy;
  const { retention, deletion, grounds, choices, transfers, rights } = policy;
  return {
    title,
    sections: [
      { heading: null, paragraphs: intro },
      { heading: stored.heading, items: Object.values(stored.items) },
      protection,
      viewers,
      { heading: processors.heading, paragraphs: [processors.lead], items: Object.values(processors.items) },
      { heading: device.heading, paragraphs: [device.lead], items: Object.entries(device.items) },
      {
        heading: retention.heading,
        paragraphs: [retention.lead, ...Object.values(retention.items)],
      },
      deletion,
      { heading: grounds.heading, paragraphs: [grounds.lead], items: Object.values(grounds.items) },
      choices,
      transfers,
      rights,
    ],
  };
}
