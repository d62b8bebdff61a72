import type { ChatItem } from "./message-history.ts";

export class ReadReceipts {
  readonly #send: (dmId: string) => Promise<unknown>;
  #isLookedAt = false;
  /** The member's last read message, sent or being sent to the server; "" for a new match without messages. */
  #ownReadId: string | null = null;
  #friendReadId: string | null = null;

  constructor(send: (dmId: string) => Promise<unknown>) {
    this.#send = send;
  }

  get friendReadId(): string | null {
    return this.#friendReadId;
  }

  advanceFriend(dmId: string | null): void {
    if (dmId !== null && dmId > (this.#friendReadId ?? "")) this.#friendReadId = dmId;
  }

  hideFriend(): void {
    this.#friendReadId = null;
  }

  advanceOwn(dmId: string): void {
    if (dmId > (this.#ownReadId ?? "")) this.#ownReadId = dmId;
  }

  setLookedAt(isLookedAt: boolean): void {
    this.#isLookedAt = isLookedAt;
  }

  hasRead(dmId: string | null): boolean {
    if (this.#ownReadId === null) return false;
    return dmId === null ? this.#isLookedAt : dmId <= this.#ownReadId;
  }

  /** Only while the member looks at the friend's newest message. A lost receipt is sent again later. */
  sendFor(items: readonly ChatItem[]): void {
    if (!this.#isLookedAt) return;
    const dmId = items.findLast(({ isOwn }) => !isOwn)?.id ?? (items.length === 0 ? "" : null);
    const before = this.#ownReadId;
    if (dmId === null || (before !== null && dmId <= before)) return;
    this.#ownReadId = dmId;
    this.#send(dmId).catch(() => {
      if (this.#ownReadId === dmId) this.#ownReadId = before;
    });
  }
}
