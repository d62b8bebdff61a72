import {
  type Dm,
  getDms,
  type ReactionName,
  reactToDm,
  readDm,
  type TakenBack,
  unsendDm,
} from "@alcove/contract/messaging";
import type { api } from "../../../lib/api/api.ts";
import { ApiError } from "../../../lib/api/errors.ts";
import {
  hasHistory,
  isConversationGone,
  nextStatus,
  type ConversationStatus,
} from "./conversation-status.ts";
import { HistorySync } from "./history-sync.ts";
import { MessageHistory, type ChatItem } from "./message-history.ts";
import { Outbox, type OutboxDeps, type OutboxEvent, type OutgoingMessage } from "./outbox.ts";
import { ReadReceipts } from "./read-receipts.ts";
import { Typing } from "./typing.ts";

export interface ConversationState {
  readonly status: ConversationStatus;
  /** Stored messages by id, then outgoing messages in the order of writing. */
  readonly items: readonly ChatItem[];
  readonly older: "none" | "available" | "loading";
  readonly friendReadId: string | null;
  readonly isFriendTyping: boolean;
  /** Once lost, the friend's messages without their content: they can still be reported. */
  readonly lostMessages: readonly Pick<ChatItem, "id" | "at">[];
}

export interface ConversationDeps extends OutboxDeps {
  api: typeof api;
  /** Notifies the friend that the member is typing. */
  showTyping(friendId: string): Promise<unknown>;
  /** Returns a function that cancels the timer. */
  setTimer(act: () => void, ms: number): () => void;
  /** Whether the events of other messages arrive. */
  isConnectionOpen(): boolean;
  /** Replaces a connection that may be dead. `catchUp` follows once it is open. */
  reconnect(): void;
  showError(error: unknown): void;
}

/**
 * One conversation on this device. Data flows one way: conversation, outbox, transport. The response or the event of a
 * sent message, whichever is first, replaces the message.
 */
export class Conversation {
  readonly #friendId: string;
  readonly #deps: ConversationDeps;
  readonly #listeners = new Set<() => void>();
  readonly #history: MessageHistory;
  readonly #sync: HistorySync;
  readonly #receipts: ReadReceipts;
  readonly #typing: Typing;
  readonly #outbox: Outbox;
  #stopExpiry: () => void = () => {};
  #state: ConversationState = {
    status: "loading",
    items: [],
    older: "none",
    friendReadId: null,
    isFriendTyping: false,
    lostMessages: [],
  };

  constructor(friendId: string, deps: ConversationDeps) {
    this.#friendId = friendId;
    this.#deps = deps;
    this.#history = new MessageHistory(friendId);
    this.#sync = new HistorySync(this.#history, {
      fetchPage: (cursor) => deps.api(getDms, { friendId, ...cursor }),
      onPage: ({ dms, read_id, taken_back }, firstPage) => {
        this.#removeStored(dms);
        this.#setTakenBack(taken_back);
        this.#receipts.advanceFriend(read_id);
        if (!firstPage) this.#publish();
        else this.#publish({ status: this.#next("load"), older: firstPage.hasOlder ? "available" : "none" });
      },
    });
    this.#receipts = new ReadReceipts((dmId) => deps.api(readDm, { friendId, ...(dmId && { dmId }) }));
    this.#typing = new Typing({ ...deps, send: () => deps.showTyping(friendId) }, () => this.#publish());
    this.#outbox = new Outbox(friendId, deps, (event) => this.#handleOutbox(event));
  }

  getState = (): ConversationState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs after each reconnect, and may run at any time. A quiet one shows no error. */
  async catchUp({ isQuiet = false } = {}): Promise<void> {
    if (this.#state.status === "lost") return;
    this.#outbox.noteReconnect();
    await this.#fetchMissed(isQuiet);
    await this.sendWaiting();
  }

  loadOlder = async (): Promise<void> => {
    const lastId = this.#history.firstId;
    if (!lastId || this.#state.older !== "available") return;
    this.#publish({ older: "loading" });
    let hasMore = true;
    const request = this.#history.request();
    try {
      const page = await this.#deps.api(getDms, { friendId: this.#friendId, lastId });
      if (this.#state.status === "lost") return;
      hasMore = page.has_more;
      this.#history.applyOlder(page, request);
      this.#setTakenBack(page.taken_back);
      this.#removeStored(page.dms);
    } catch (error) {
      if (isConversationGone(error)) return this.#lose();
      this.#deps.showError(error);
    }
    this.#publish({ older: hasMore ? "available" : "none" });
  };

  /** Loads older pages until the message is there. Returns false if it is not. */
  loadUntil = async (dmId: string): Promise<boolean> => {
    for (;;) {
      const { items, older } = this.#state;
      if (items.some(({ id }) => id === dmId)) return true;
      if (older !== "available" || dmId >= this.#history.firstId!) return false;
      await this.loadOlder();
      if (this.#state.items.length === items.length) return false;
    }
  };

  /** Without fetching: the conversation may not be on screen. */
  async sendWaiting(): Promise<void> {
    await this.#outbox.sendWaiting();
  }

  async send(...content: Parameters<Outbox["send"]>): Promise<void> {
    this.#typing.endNotice();
    await this.#outbox.send(...content);
  }

  async retry(key: string): Promise<void> {
    await this.#outbox.retry(key);
  }

  discard(key: string): void {
    this.#outbox.discard(key);
  }

  cancel(key: string): void {
    this.#outbox.cancel(key);
  }

  async unsend(dmId: string): Promise<void> {
    try {
      await this.#deps.api(unsendDm, { friendId: this.#friendId, dmId });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "message_not_found")) throw error;
    }
    this.handleUnsent(dmId);
  }

  /** Null takes the reaction back. It shows at once, and as before after an error. */
  react = async (dmId: string, reaction: ReactionName | null): Promise<void> => {
    try {
      const chosen = this.#history.reactions.choose(dmId, reaction, (choice) =>
        this.#deps.api(reactToDm, { dmId, reaction: choice }),
      );
      this.#publish();
      await chosen;
    } catch (error) {
      this.#deps.showError(error);
    }
    this.#publish();
  };

  handleReaction(dmId: string, userId: string, reaction: ReactionName | null): void {
    if (this.#state.status === "lost") return;
    this.#history.reactions.addEvent(dmId, userId !== this.#friendId, reaction);
    this.#publish();
  }

  #setTakenBack(list: readonly TakenBack[]): void {
    this.#history.setTakenBack(list);
    this.#stopExpiry();
    const [soonest] = list.map(({ seconds_left }) => seconds_left).sort((a, b) => a - b);
    if (soonest !== undefined)
      this.#stopExpiry = this.#deps.setTimer(() => void this.#fetchMissed(), soonest * 1_000);
  }

  handleMessage(dm: Dm): void {
    if (dm.sender.user_id !== this.#friendId && dm.receiver.user_id !== this.#friendId) return;
    if (dm.sender.user_id === this.#friendId) this.#typing.hideFriend();
    const isFetchDue = this.#add(dm);
    this.#publish();
    this.#sendReceipt();
    if (isFetchDue) void this.#fetchMissed();
  }

  handleRead(readerId: string, dmId: string): void {
    if (readerId !== this.#friendId) return this.#receipts.advanceOwn(dmId);
    this.#receipts.advanceFriend(dmId);
    this.#publish();
  }

  handleTyping(): void {
    if (this.#state.status === "lost") return;
    this.#typing.showFriend();
    this.#publish();
  }

  /** Notifies the friend, at most every few seconds. */
  notifyTyping = (): void => {
    if (hasHistory(this.#state.status)) this.#typing.notify();
  };

  handleUnsent(dmId: string): void {
    const isFriends = this.#state.items.some(({ id, isOwn }) => id === dmId && !isOwn);
    this.#history.remove(dmId);
    this.#publish();
    if (isFriends) void this.#fetchMissed(); // it can be reported for a while
  }

  async refreshFriendRead(): Promise<void> {
    if (!hasHistory(this.#state.status)) return;
    this.#sync.ignorePendingReads();
    this.#receipts.hideFriend();
    this.#publish();
    await this.#fetchMissed();
  }

  /** Messages are read only while the member looks at the newest one. */
  setLookedAt = (isLookedAt: boolean): void => {
    this.#receipts.setLookedAt(isLookedAt);
    this.#sendReceipt();
  };

  hasRead(dmId: string | null): boolean {
    return this.#receipts.hasRead(dmId);
  }

  close(): void {
    this.#outbox.clear();
    this.#lose();
  }

  dispose(): void {
    this.#stopExpiry();
    this.#typing.hideFriend();
    this.#outbox.clear();
  }

  #handleOutbox(event: OutboxEvent): void {
    if (event.kind === "changed") this.#publish();
    if (event.kind === "offline") this.#deps.reconnect();
    if (event.kind === "rejected") {
      if (isConversationGone(event.error)) this.#lose();
      this.#deps.showError(event.error);
    }
    if (event.kind === "stored") {
      this.#history.setKey(event.dm.id, event.clientId);
      this.#add(event.dm);
      this.#publish();
      // It may be unsent already, or follow others whose events were missed.
      if (event.hasReconnected || !this.#deps.isConnectionOpen()) void this.#fetchMissed();
    }
  }

  async #fetchMissed(isQuiet = false): Promise<void> {
    if (this.#state.status === "lost") return;
    this.#publish({ status: this.#next("fetch") });
    try {
      const hasFinished = await this.#sync.run();
      if (hasFinished) this.#publish({ status: this.#next("finish") });
    } catch (error) {
      if (isConversationGone(error)) return this.#lose();
      this.#publish({ status: this.#next("fail") });
      if (!isQuiet) this.#deps.showError(error);
    }
    this.#sendReceipt();
  }

  #add(dm: Dm): boolean {
    if (this.#state.status === "lost") return false;
    const isFetchDue = this.#history.add(dm) && this.#sync.countEvent();
    this.#removeStored([dm]);
    return isFetchDue;
  }

  #removeStored(dms: readonly Dm[]): void {
    for (const { id, clientId } of dms)
      if (clientId && this.#outbox.remove(clientId)) this.#history.setKey(id, clientId);
  }

  #sendReceipt(): void {
    if (hasHistory(this.#state.status)) this.#receipts.sendFor(this.#state.items);
  }

  #lose(): void {
    if (this.#state.status === "lost") return;
    const fromFriend = this.#state.items.filter(({ isOwn, id }) => !isOwn && id !== null);
    const lostMessages = fromFriend.map(({ id, at }) => ({ id, at }));
    this.#sync.stop();
    this.#stopExpiry();
    this.#typing.hideFriend();
    this.#history.clear();
    this.#publish({ status: this.#next("lose"), older: "none", lostMessages });
  }

  #next(transition: Parameters<typeof nextStatus>[1]): ConversationStatus {
    return nextStatus(this.#state.status, transition);
  }

  #publish(changes: Partial<Pick<ConversationState, "status" | "older" | "lostMessages">> = {}): void {
    const outgoing = this.#outbox.messages.map((message) => this.#outgoingItem(message));
    const items = [...this.#history.items(), ...outgoing];
    const { friendReadId } = this.#receipts;
    const { isFriendTyping } = this.#typing;
    this.#state = { ...this.#state, ...changes, items, friendReadId, isFriendTyping };
    for (const listener of this.#listeners) listener();
  }

  #outgoingItem({
    clientId,
    text,
    voice,
    preview,
    reply,
    at,
    delivery,
    progress,
  }: OutgoingMessage): ChatItem {
    const url = preview?.url ?? null;
    return {
      key: clientId,
      id: null,
      isOwn: true,
      text,
      at,
      delivery,
      progress,
      imageUrl: voice ? null : url,
      voice: voice && url !== null ? { ...voice, url } : null,
      friendReaction: null,
      ownReaction: null,
      reply: reply && this.#history.isUnsent(reply.id) ? null : reply,
    };
  }
}
