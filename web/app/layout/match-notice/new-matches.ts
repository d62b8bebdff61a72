import { useSyncExternalStore } from "react";
import type { Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { unread } from "../../realtime/unread.ts";

type FetchList = () => Promise<{
  matches: readonly Party[];
  dms: readonly Dm[];
  unread: readonly string[];
}>;

export class NewMatches {
  readonly #fetchList: FetchList;
  /** Replaced at logout: a pending list of the previous member is ignored. */
  #notified = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #knownIds: Set<string> | null = null;
  #waiting: readonly Party[] = [];

  constructor(fetchList: FetchList) {
    this.#fetchList = fetchList;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getFirst = (): Party | null => this.#waiting[0] ?? null;

  notify(party: Party): void {
    if (this.#notified.has(party.user_id)) return;
    this.#notified.add(party.user_id);
    this.#knownIds?.add(party.user_id);
    this.#setWaiting([...this.#waiting, party]);
  }

  dismiss = (): void => this.#setWaiting(this.#waiting.slice(1));

  /** Shows the matches missed while offline. Those of the first list are not new. */
  async catchUp(): Promise<void> {
    const notified = this.#notified;
    const { matches, dms, unread: unseen } = await this.#fetchList();
    if (notified !== this.#notified) return; // logged out meanwhile
    // A match that has already written is new too. Only own messages carry a clientId.
    const writers = dms.filter(({ clientId }) => clientId === undefined).map(({ sender }) => sender);
    const friends = [...matches, ...writers];
    // The server lists no member as unread whom nothing announces.
    const isNew = ({ user_id }: Party) =>
      this.#knownIds !== null && !this.#knownIds.has(user_id) && unseen.includes(user_id);
    for (const friend of friends.filter(isNew)) this.notify(friend);
    this.#knownIds ??= new Set();
    for (const { sender, receiver } of dms) this.#knownIds.add(sender.user_id).add(receiver.user_id);
    for (const { user_id } of matches) this.#knownIds.add(user_id);
  }

  clear(): void {
    this.#notified = new Set();
    this.#knownIds = null;
    this.#setWaiting([]);
  }

  #setWaiting(to: readonly Party[]): void {
    this.#waiting = to;
    for (const listener of this.#listeners) listener();
  }
}

export const newMatches = new NewMatches(() => unread.fetchList());

export function useNewMatch(): Party | null {
  return useSyncExternalStore(newMatches.subscribe, newMatches.getFirst, () => null);
}
