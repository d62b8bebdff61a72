import { useSyncExternalStore } from "react";
import { type Call, CONSENT_REQUIRED_FROM } from "@alcove/contract/call";

/** Whether terms or privacy policy changed, as the server's responses to this page announce. */
interface ConsentState {
  /** The day from which the new version holds; null if no consent is due. */
  readonly requiredFrom: string | null;
  /** The member chose to read only, so the sheet stays closed until they try more. */
  readonly readsOnly: boolean;
}

const NOT_DUE: ConsentState = { requiredFrom: null, readsOnly: false };

/** A response to an earlier request knows nothing of the consent. */
let givenAt = -Infinity;
const listeners = new Set<() => void>();
let state = NOT_DUE;

function set(to: ConsentState): void {
  state = to;
  for (const listener of listeners) listener();
}

export const consent = {
  getState: (): ConsentState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Of each response to a member. `sentAt` is the time of its request (`performance.now`). */
  note({ headers }: Response, sentAt: number): void {
    if (sentAt < givenAt) return;
    const requiredFrom = headers.get(CONSENT_REQUIRED_FROM);
    if (requiredFrom !== state.requiredFrom)
      set(requiredFrom === null ? NOT_DUE : { ...state, requiredFrom });
  },
  /** Also after a logout. */
  clear(): void {
    givenAt = performance.now();
    set(NOT_DUE);
  },
  readOnly: (): void => set({ ...state, readsOnly: true }),
  /** Shows the sheet again. */
  ask: (): void => set({ ...state, readsOnly: false }),
  /** Our app waits for the consent from the first day on, the server for other clients later. */
  allows: ({ access, withoutConsent }: Call): boolean =>
    state.requiredFrom === null || access !== "member" || withoutConsent,
};

export function useConsent(): ConsentState {
  return useSyncExternalStore(consent.subscribe, consent.getState, () => NOT_DUE);
}
