import { useSyncExternalStore } from "react";
import type { ResponseOf } from "@alcove/contract/call";
import { getLastDms, type Dm } from "@alcove/contract/messaging";
import { api } from "./api.ts";

type LastDms = ResponseOf<typeof getLastDms>;

/** What the live connection says that concerns what is unread. */
type UnreadEvent =
  | { kind: "match"; match: { user_id: string } }
  | { kind: "dm"; dm: Dm }
  | { kind: "lost" | "seen"; userId: string }
  | { kind: "read"; userId: string; readerId: string; dmId: string }
  | { kind: "unsent"; userId: string; dmId: string }
  | { kind: "reading" | "connected" };

/** Whether a message, or what is new of somebody at all (null), is read on this device, before the server has heard of it. */
type HasRead = (friendId: string, dmId: string | null) => boolean;

/**
 * From whom there is something that the member has not looked at on any device: a message, or a new match.
 *
 * It follows from the live events, and is set right by each list of the server's that the app asks for anyway.
 */
export class Unread {
  readonly #api: typeof api;
  #hasRead: HasRead = () => false;
  readonly #listeners = new Set<() => void>();
  /** By user id, the latest message that is not read; null for a new match, and where it is not known. */
  #latest = new Map<string, string | null>();
  /** How far conversations were read, as far as was heard: a message may be told of after that. */
  readonly #readIds = new Map<string, string>();
  /** What was heard while lists were on their way, which may not have it. */
  readonly #eventsDuringFetch = new Map<number, UnreadEvent[]>();
  #lastRequested = 0;
  #lastApplied = 0;
  #state: ReadonlySet<string> = new Set();

  constructor(ask: typeof api) {
    this.#api = ask;
  }

  /** Who knows what is read here: what is on screen is never unread, not even for a moment. */
  setReadSource(hasRead: HasRead): void {
    this.#hasRead = hasRead;
  }

  /** The user ids of whom there is something from. */
  getState = (): ReadonlySet<string> => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks for the list of conversations, and takes from it what is unread. */
  async fetchList(): Promise<LastDms> {
    const no = ++this.#lastRequested;
    const heard: UnreadEvent[] = [];
    this.#eventsDuringFetch.set(no, heard);
    try {
      const list = await this.#api(getLastDms, {});
      // Forgotten meanwhile: it is another member's.
      if (this.#eventsDuringFetch.has(no) && no > this.#lastApplied) this.#applyList(no, list, heard);
      return list;
    } finally {
      this.#eventsDuringFetch.delete(no);
    }
  }

  /** Takes what the live connection says. */
  handle = (event: UnreadEvent): void => {
    for (const heard of this.#eventsDuringFetch.values()) heard.push(event);
    // Whether anything else is unread there, the server alone knows; should it not answer, the next connection does.
    if (event.kind === "unsent" && this.#latest.has(event.userId)) this.fetchList().catch(() => undefined);
    this.#applyEvent(event);
    this.#update();
  };

  /** At logout: nothing of one member is shown to the next. */
  clear(): void {
    this.#eventsDuringFetch.clear();
    this.#readIds.clear();
    this.#latest.clear();
    this.#update();
  }

  #applyList(no: number, { unread, dms }: LastDms, heard: readonly UnreadEvent[]): void {
    this.#lastApplied = no;
    this.#latest = new Map();
    for (const userId of unread) {
      const last = dms.find(({ sender, receiver }) => [sender.user_id, receiver.user_id].includes(userId));
      this.#add(userId, last?.sender.user_id === userId ? last.id : null);
    }
    for (const event of heard) this.#applyEvent(event);
    this.#update();
  }

  #applyEvent(event: UnreadEvent): void {
    if (event.kind === "match") this.#add(event.match.user_id, null);
    // One's own messages carry their clientId.
    if (event.kind === "dm" && event.dm.clientId === undefined)
      this.#add(event.dm.sender.user_id, event.dm.id);
    if (event.kind === "lost" || event.kind === "seen") this.#latest.delete(event.userId);
    if (event.kind === "read" && event.readerId !== event.userId) this.#readUntil(event.userId, event.dmId);
  }

  #add(userId: string, dmId: string | null): void {
    const isRead = dmId !== null && dmId <= (this.#readIds.get(userId) ?? "");
    if (!isRead && !this.#hasRead(userId, dmId)) this.#latest.set(userId, dmId);
  }

  #readUntil(userId: string, dmId: string): void {
    if (dmId > (this.#readIds.get(userId) ?? "")) this.#readIds.set(userId, dmId);
    if ((this.#latest.get(userId) ?? "") <= dmId) this.#latest.delete(userId);
  }

  #update(): void {
    const userIds = [...this.#latest.keys()];
    if (userIds.length === this.#state.size && userIds.every((id) => this.#state.has(id))) return;
    this.#state = new Set(userIds);
    for (const listener of this.#listeners) listener();
  }
}

export const unread = new Unread(api);

export function useUnread(): ReadonlySet<string> {
  return useSyncExternalStore(unread.subscribe, unread.getState, () => EMPTY);
}

const EMPTY: ReadonlySet<string> = new Set();
