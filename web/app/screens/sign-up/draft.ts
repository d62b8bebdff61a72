import { tabDraft } from "../../lib/forms/tab-draft.ts";

export const PAGES = ["picture", "signIn", "about", "meet"] as const;
export type Page = (typeof PAGES)[number];
export type Step = "email" | "code" | Page;

export interface Agreements {
  readonly privacy: boolean;
  readonly terms: boolean;
}

/** The sign-up as far as it is typed, without passwords and picture. */
export interface Draft {
  readonly step: Step;
  readonly email: string;
  readonly agreed: Agreements;
  /** When the last code was requested; null before. */
  readonly sentAt: number | null;
  readonly misses: number;
  /** The typed code, right or not. */
  readonly code: string;
  readonly isConfirmed: boolean;
  /** The fields of the last step by their names. */
  readonly values: Readonly<Record<string, string>>;
}

const EMPTY: Draft = {
  step: "email",
  email: "",
  agreed: { privacy: false, terms: false },
  sentAt: null,
  misses: 0,
  code: "",
  isConfirmed: false,
  values: {},
};

export const draft = tabDraft("signUp", EMPTY);

/** NOTE: passwords are never stored. */
export function rememberFields(form: HTMLFormElement): void {
  const fields = [...new FormData(form)].filter(([name]) => !name.startsWith("password"));
  const values = Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  draft.update({ values });
}
