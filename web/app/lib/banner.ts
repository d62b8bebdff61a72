import { useSyncExternalStore } from "react";
import type { Translations } from "@alcove/i18n";

type BannerTone = "alert" | "notify";

/** The full key of a translation, such as `signUp.done`. */
export type SentenceKey = {
  [N in keyof Translations & string]: `${N}.${keyof Translations[N] & string}`;
}[keyof Translations & string];

/** A transient message: a translation by its key, or a text of the server. */
export interface BannerMessage {
  readonly id: number;
  readonly tone: BannerTone;
  readonly key: SentenceKey | null;
  readonly text: string | null;
}

const CARRIED = "banners";
const NONE: readonly BannerMessage[] = [];
let queue = takeCarried();
let nextId = 1 + Math.max(0, ...queue.map(({ id }) => id));
const listeners = new Set<() => void>();

/** What the document before this one had still to say. */
function takeCarried(): readonly BannerMessage[] {
  if (typeof document === "undefined") return NONE;
  const carried = sessionStorage.getItem(CARRIED);
  sessionStorage.removeItem(CARRIED);
  return carried === null ? NONE : (JSON.parse(carried) as BannerMessage[]);
}

function change(to: readonly BannerMessage[]): void {
  queue = to;
  for (const listener of listeners) listener();
}

function add(tone: BannerTone, what: { key: SentenceKey } | { text: string }): void {
  const message = { id: nextId++, tone, key: null, text: null, ...what };
  change([...queue, message]);
}

/** The queue of banners: new ones at the end, the oldest is shown first and leaves first (specification, section 4). */
export const banner = {
  notify: (key: SentenceKey) => add("notify", { key }),
  alert: (key: SentenceKey) => add("alert", { key }),
  /** A sentence that is already in the member's language, such as a refusal's. */
  alertText: (text: string) => add("alert", { text }),
  notifyText: (text: string) => add("notify", { text }),
  /** Hands what has still to be said to the next document of this tab, which is about to be loaded. */
  carryOver: () => sessionStorage.setItem(CARRIED, JSON.stringify(queue)),
  remove: (id: number) => change(queue.filter((message) => message.id !== id)),
  /** Lets something be said; what it gives takes that back, once it is no longer true. */
  retractable(say: () => void): () => void {
    const first = nextId;
    say();
    const end = nextId;
    return () => change(queue.filter(({ id }) => id < first || id >= end));
  },
};

export function useBanners(): readonly BannerMessage[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => queue,
    () => NONE,
  );
}
