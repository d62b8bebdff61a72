import { useSyncExternalStore } from "react";
import { deleteExpiredSignUp, SIGN_UP_LIFE_MS } from "../../lib/session/sign-up-expiry.ts";
import { tabStore } from "../../device/stored.ts";

export const PAGES = ["picture", "signIn", "about", "meet"] as const;
export type Page = (typeof PAGES)[number];
export type Step = "email" | "code" | Page;

export interface Agreements {
  readonly privacy: boolean;
  readonly terms: boolean;
  readonly sensitive: boolean;
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
  agreed: { privacy: false, terms: false, sensitive: false },
  sentAt: null,
  misses: 0,
  code: "",
  isConfirmed: false,
  values: {},
};
let expiry = 0;
const listeners = new Set<() => void>();
let cached: { text: string | null; draft: Draft } = { text: null, draft: EMPTY };

/** In this tab only, for an hour after the last change. */
export const draft = {
  get(): Draft {
    deleteExpiredSignUp();
    const text = tabStore.get("signUp");
    if (text !== cached.text) cached = { text, draft: text === null ? EMPTY : (JSON.parse(text) as Draft) };
    return cached.draft;
  },
  update(changes: Partial<Draft>): void {
    const changed = { ...draft.get(), ...changes };
    const text = JSON.stringify({ ...changed, savedAt: Date.now() });
    tabStore.set("signUp", text);
    cached = { text, draft: changed };
    clearTimeout(expiry);
    expiry = window.setTimeout(deleteExpiredSignUp, SIGN_UP_LIFE_MS);
    for (const listener of listeners) listener();
  },
  clear(): void {
    tabStore.remove("signUp");
    for (const listener of listeners) listener();
  },
};

export function useDraft(): Draft {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    draft.get,
    () => EMPTY,
  );
}

/** NOTE: passwords are never stored. */
export function rememberFields(form: HTMLFormElement): void {
  const fields = [...new FormData(form)].filter(([name]) => !name.startsWith("password"));
  const values = Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  draft.update({ values });
}
