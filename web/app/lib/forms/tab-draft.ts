import { useSyncExternalStore } from "react";
import { parseStored, tabStore } from "../../device/stored.ts";
import { DRAFT_LIFE_MS, deleteExpiredDrafts, type DraftKey } from "../session/draft-expiry.ts";

/** A form that survives a reload and a switch to the mail app: in this tab only, for an hour after the last change. */
export interface TabDraft<Form> {
  get(): Form;
  update(changes: Partial<Form>): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
  readonly empty: Form;
}

export function tabDraft<Form extends object>(key: DraftKey, empty: Form): TabDraft<Form> {
  let expiry = 0;
  const listeners = new Set<() => void>();
  let cached: { text: string | null; form: Form } = { text: null, form: empty };
  const get = () => {
    deleteExpiredDrafts();
    const text = tabStore.get(key);
    if (text !== cached.text) cached = { text, form: parseStored<Form>(text) ?? empty };
    return cached.form;
  };
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    empty,
    get,
    update(changes) {
      const form = { ...get(), ...changes };
      const text = JSON.stringify({ ...form, savedAt: Date.now() });
      tabStore.set(key, text);
      cached = { text, form };
      clearTimeout(expiry);
      expiry = window.setTimeout(deleteExpiredDrafts, DRAFT_LIFE_MS);
      notify();
    },
    clear() {
      tabStore.remove(key);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useTabDraft<Form>(draft: TabDraft<Form>): Form {
  return useSyncExternalStore(draft.subscribe, draft.get, () => draft.empty);
}
