import { useSyncExternalStore } from "react";
import type { Translations } from "@alcove/i18n";
import { parseStored, tabStore } from "../../device/stored.ts";

type BannerTone = "alert" | "notify";

/** The full key of a translation, such as `signUp.done`. */
export type TranslationKey = {
  [N in keyof Translations & string]: `${N}.${keyof Translations[N] & string}`;
}[keyof Translations & string];

export interface BannerMessage {
  readonly id: number;
  readonly tone: BannerTone;
  readonly key: TranslationKey | null;
  readonly text: string | null;
  /** The place that shows it is out of sight. */
  readonly isOutOfSight?: boolean;
}

const EMPTY: readonly BannerMessage[] = [];
let queue = takeCarriedOver();
let nextId = 1 + Math.max(0, ...queue.map(({ id }) => id));
const listeners = new Set<() => void>();

function takeCarriedOver(): readonly BannerMessage[] {
  if (typeof document === "undefined") return EMPTY;
  const carried = tabStore.get("banners");
  tabStore.remove("banners");
  return parseStored<BannerMessage[]>(carried) ?? EMPTY;
}

function setQueue(messages: readonly BannerMessage[]): void {
  queue = messages;
  for (const listener of listeners) listener();
}

function add(tone: BannerTone, content: { key: TranslationKey } | { text: string }): void {
  const message = { id: nextId++, tone, key: null, text: null, ...content };
  setQueue([...queue, message]);
}

export const banner = {
  notify: (key: TranslationKey) => add("notify", { key }),
  alert: (key: TranslationKey) => add("alert", { key }),
  /** For a text in the member's language, such as an `ApiError`'s. */
  alertText: (text: string) => add("alert", { text }),
  notifyText: (text: string) => add("notify", { text }),
  /** Once, even if several calls needed a login. */
  askToLogIn: () => {
    if (!queue.some(({ key }) => key === "errors.login_required"))
      add("alert", { key: "errors.login_required" });
  },
  carryOver: () => tabStore.set("banners", JSON.stringify(queue)),
  isWaiting: () => queue.length > 0,
  getState: (): readonly BannerMessage[] => queue,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Shows a message as a banner, whose place is out of sight. */
  float: (id: number) =>
    setQueue(queue.map((message) => (message.id === id ? { ...message, isOutOfSight: true } : message))),
  remove: (id: number) => setQueue(queue.filter((message) => message.id !== id)),
  /** Returns a function that removes the banners that `show` added. */
  removable(show: () => void): () => void {
    const first = nextId;
    show();
    const end = nextId;
    return () => setQueue(queue.filter(({ id }) => id < first || id >= end));
  },
};

export function useBanners(): readonly BannerMessage[] {
  return useSyncExternalStore(banner.subscribe, banner.getState, () => EMPTY);
}
