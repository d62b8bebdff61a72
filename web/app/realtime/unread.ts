import { useSyncExternalStore } from "react";
import type { ResponseOf } from "@alcove/contract/call";
import { type Dm, getLastDms } from "@alcove/contract/messaging";
import { api } from "../lib/api/api.ts";

type LastDms = ResponseOf<typeof getLastDms>;

type UnreadEvent =
  | { kind: "match"; match: { user_id: string } }
  | { kind: "dm"; dm: Dm; isQuiet?: boolean }
  | { kind: "lost" | "seen" | "typing" | "pictures"; userId: string }
  | { kind: "read"; userId: string; readerId: string; dmId: string }
  | { kind: "unsent"; userId: string; dmId: string }
  | { kind: "reading" | "reaction" | "connected" | "missing" | "help" | "notice" | "changed" | "device" };

type HasRead = (friendId: string, dmId: string | null) => boolean;

interface ListRequest {
  readonly events: UnreadEvent[];
  isOutdated: boolean;
}

/** Matched members with unseen messages or a new match. Events change it, and each fetched list corrects it. */
export class Unread {
  readonly #api: typeof api;
  #hasRead: HasRead = () => false;
  readonly #listeners = new Set<() => void>();
  /** The latest unread message by user id; null for a new match and where the id is unknown. */
  #latest = new Map<string, string | null>();
  readonly #readIds = new Map<string, string>();
  readonly #requests = new Set<ListRequest>();
  #state: ReadonlySet<string> = new Set();

  constructor(call: typeof api) {
    this.#api = call;
  }

  /** With local reads, a message on screen is never unread. */
  setReadSource(hasRead: HasRead): void {
    this.#hasRead = hasRead;
  }

  getState = (): ReadonlySet<string> => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async fetchList(): Promise<LastDms> {
    const request: ListRequest = { events: [], isOutdated: false };
    this.#requests.add(request);
    try {
      const list = await this.#api(getLastDms, {});
      // A cleared request's list is another member's.
      if (this.#requests.has(request) && !request.isOutdated) this.#applyList(request, list);
      return list;
    } finally {
      this.#requests.delete(request);
    }
  }

  handle = (event: UnreadEvent): void => {
    for (const { events } of this.#requests) events.push(event);
    // Only the server knows whether another message is unread. If this fails, the next reconnect corrects it.
    if (event.kind === "unsent" && this.#latest.has(event.userId)) this.fetchList().catch(() => undefined);
    this.#applyEvent(event);
    this.#publish();
  };

  clear(): void {
    this.#requests.clear();
    this.#readIds.clear();
    this.#latest.clear();
    this.#publish();
  }

  #applyList(request: ListRequest, { unread: unreadIds, dms }: LastDms): void {
    for (const earlier of this.#requests) {
      if (earlier === request) break;
      earlier.isOutdated = true;
    }
    this.#latest = new Map();
    for (const userId of unreadIds) {
      const last = dms.find(({ sender, receiver }) => [sender.user_id, receiver.user_id].includes(userId));
      this.#add(userId, last?.sender.user_id === userId ? last.id : null);
    }
    for (const event of request.events) this.#applyEvent(event);
    this.#publish();
  }

  #applyEvent(event: UnreadEvent): void {
    if (event.kind === "match") this.#add(event.match.user_id, null);
    // Only own messages carry a clientId.
    if (event.kind === "dm" && event.dm.clientId === undefined && event.isQuiet !== true)
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

  #publish(): void {
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
