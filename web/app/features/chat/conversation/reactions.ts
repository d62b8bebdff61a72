import type { Reaction, ReactionName } from "@alcove/contract/messaging";

/** Null: none, or taken back. */
type Choice = ReactionName | null;

/** Of a message that came alone: any page or event is as new. */
export const UNKNOWN = -1;

interface Known {
  readonly choice: Choice;
  /** The count of events when it came, or when its page was requested. */
  readonly at: number;
}

/**
 * The reactions of a conversation. A page shows those of its request, so it never replaces one of a later event. The member's own
 * choice shows until the server has stored it.
 */
export class Reactions {
  readonly #friends = new Map<string, Known>();
  readonly #own = new Map<string, Known>();
  readonly #wanted = new Map<string, Choice>();
  #eventCount = 0;

  /** For `addListed` of a page that is requested now. */
  get now(): number {
    return this.#eventCount;
  }

  of(dmId: string): { friend: Choice; own: Choice } {
    const wanted = this.#wanted.get(dmId);
    const own = wanted === undefined ? (this.#own.get(dmId)?.choice ?? null) : wanted;
    return { friend: this.#friends.get(dmId)?.choice ?? null, own };
  }

  /** Whether an event was later than a request. */
  isLater(dmId: string, requestedAt: number): boolean {
    return [this.#friends, this.#own].some((all) => (all.get(dmId)?.at ?? UNKNOWN) > requestedAt);
  }

  /** Returns false if an event was later than the request. */
  addListed(dmId: string, list: readonly Reaction[], requestedAt: number): boolean {
    const isAdded = [true, false].map((isOwn) => {
      const choice = list.find(({ mine }) => mine === isOwn)?.reaction ?? null;
      return this.#set(isOwn, dmId, { choice, at: requestedAt });
    });
    return !isAdded.includes(false);
  }

  addEvent(dmId: string, isOwn: boolean, choice: Choice): void {
    this.#set(isOwn, dmId, { choice, at: ++this.#eventCount });
  }

  /** Sends one choice of a message at a time, then the newest one. After an error the last stored one shows again. */
  async choose(dmId: string, choice: Choice, send: (choice: Choice) => Promise<unknown>): Promise<void> {
    const isSending = this.#wanted.has(dmId);
    this.#wanted.set(dmId, choice);
    if (isSending) return;
    try {
      for (let sent: Choice | undefined; sent !== this.#wanted.get(dmId);) {
        sent = this.#wanted.get(dmId)!;
        const before = this.#own.get(dmId);
        await send(sent);
        // An event or a page that came meanwhile may be newer; else one of this choice follows.
        if (this.#own.get(dmId) === before) this.addEvent(dmId, true, sent);
      }
    } finally {
      this.#wanted.delete(dmId);
    }
  }

  delete(dmId: string): void {
    this.#friends.delete(dmId);
    this.#own.delete(dmId);
  }

  clear(): void {
    this.#friends.clear();
    this.#own.clear();
  }

  #set(isOwn: boolean, dmId: string, known: Known): boolean {
    const all = isOwn ? this.#own : this.#friends;
    if ((all.get(dmId)?.at ?? UNKNOWN) > known.at) return false;
    all.set(dmId, known);
    return true;
  }
}
