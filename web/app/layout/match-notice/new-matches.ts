import { useSyncExternalStore } from "react";
import type { ResponseOf } from "@alcove/contract/call";
import type { getLastDms } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { unread } from "../../lib/unread.ts";

type FetchList = () => Promise<Pick<ResponseOf<typeof getLastDms>, "matches" | "dms">>;

/** The matches to be told of, one after the other. */
export class NewMatches {
  readonly #fetchList: FetchList;
  /** Of one member; whose it was before is nobody's any more. */
  #notified = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** Who was a match when it was last asked; null before that. */
  #knownIds: Set<string> | null = null;
  #waiting: readonly Party[] = [];

  constructor(askForList: FetchList) {
    this.#fetchList = askForList;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The match to be told of now. */
  getFirst = (): Party | null => this.#waiting[0] ?? null;

  /** Tells of a match once, whether the like's answer or the live event is first. */
  notify(party: Party): void {
    if (this.#notified.has(party.user_id)) return;
    this.#notified.add(party.user_id);
    this.#knownIds?.add(party.user_id);
    this.#setWaiting([...this.#waiting, party]);
  }

  dismiss = (): void => this.#setWaiting(this.#waiting.slice(1));

  /**
   * Tells of the matches that were made while there was no connection. Those of before the first time are old: the list
   * of messages has them.
   */
  async catchUp(): Promise<void> {
    const told = this.#notified;
    const { matches, dms } = await this.#fetchList();
    if (told !== this.#notified) return; // forgotten meanwhile: it is another member's
    // Who has written already is a new match all the same; one's own messages carry their clientId.
    const writers = dms.filter(({ clientId }) => clientId === undefined).map(({ sender }) => sender);
    const friends = [...matches, ...writers];
    const isNew = ({ user_id }: Party) => this.#knownIds !== null && !this.#knownIds.has(user_id);
    for (const friend of friends.filter(isNew)) this.notify(friend);
    this.#knownIds ??= new Set();
    for (const { sender, receiver } of dms) this.#knownIds.add(sender.user_id).add(receiver.user_id);
    for (const { user_id } of matches) this.#knownIds.add(user_id);
  }

  /** At logout: nothing of one member is shown to the next. */
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
