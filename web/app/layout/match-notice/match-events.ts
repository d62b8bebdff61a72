import { useSyncExternalStore } from "react";
import type { ResponseOf } from "@alcove/contract/call";
import type { getLastDms } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { unread } from "../../lib/unread.ts";

type AskForList = () => Promise<Pick<ResponseOf<typeof getLastDms>, "matches" | "dms">>;

/** The matches to be told of, one after the other. */
export class Matched {
  readonly #askForList: AskForList;
  /** Of one member; whose it was before is nobody's any more. */
  #told = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** Who was a match when it was last asked; null before that. */
  #known: Set<string> | null = null;
  #waiting: readonly Party[] = [];

  constructor(askForList: AskForList) {
    this.#askForList = askForList;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The match to be told of now. */
  getFirst = (): Party | null => this.#waiting[0] ?? null;

  /** Tells of a match once, whether the like's answer or the live event is first. */
  tell(party: Party): void {
    if (this.#told.has(party.user_id)) return;
    this.#told.add(party.user_id);
    this.#known?.add(party.user_id);
    this.#change([...this.#waiting, party]);
  }

  dismiss = (): void => this.#change(this.#waiting.slice(1));

  /**
   * Tells of the matches that were made while there was no connection. Those of before the first time are old: the list
   * of messages has them.
   */
  async catchUp(): Promise<void> {
    const told = this.#told;
    const { matches, dms } = await this.#askForList();
    if (told !== this.#told) return; // forgotten meanwhile: it is another member's
    // Who has written already is a new match all the same; one's own messages carry their clientId.
    const writers = dms.filter(({ clientId }) => clientId === undefined).map(({ sender }) => sender);
    const friends = [...matches, ...writers];
    const isNew = ({ user_id }: Party) => this.#known !== null && !this.#known.has(user_id);
    for (const friend of friends.filter(isNew)) this.tell(friend);
    this.#known ??= new Set();
    for (const { sender, receiver } of dms) this.#known.add(sender.user_id).add(receiver.user_id);
    for (const { user_id } of matches) this.#known.add(user_id);
  }

  /** At logout: nothing of one member is shown to the next. */
  forget(): void {
    this.#told = new Set();
    this.#known = null;
    this.#change([]);
  }

  #change(to: readonly Party[]): void {
    this.#waiting = to;
    for (const listener of this.#listeners) listener();
  }
}

export const matched = new Matched(() => unread.askForList());

export function useMatched(): Party | null {
  return useSyncExternalStore(matched.subscribe, matched.getFirst, () => null);
}
