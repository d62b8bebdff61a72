import type { ResponseOf } from "@alcove/contract/call";
import { getDms, readDm, sendDm, unsendDm, type Dm } from "@alcove/contract/messaging";
import type { api } from "../../lib/api.ts";
import { Outbox, type Outgoing, type OutboxDeps } from "./outbox.ts";

/**
 * How far a message of ours is: on its way, waiting for a connection, refused, or stored. A message of the other side
 * is always stored.
 */
type Delivery = Outgoing["delivery"] | "sent";

export interface ChatItem {
  /** Stays the same from the moment of sending, so that React keeps the element. */
  readonly key: string;
  /** The server's id; null until it is stored. */
  readonly id: string | null;
  readonly isOwn: boolean;
  readonly text: string | null;
  /** Address of the image. */
  readonly image: string | null;
  readonly at: Date;
  readonly delivery: Delivery;
}

export interface ConversationState {
  /** `closed`: there is no such conversation any more (ended, blocked, never matched). */
  readonly phase: "loading" | "ready" | "failed" | "closed";
  /** Stored messages by id, then ours that are not stored yet, in the order of sending. */
  readonly items: readonly ChatItem[];
  readonly hasMore: boolean;
  readonly isLoadingOlder: boolean;
  /** The last message that the friend has read; null when none. */
  readonly friendReadId: string | null;
}

/** What the conversation needs of the world, so that tests can stand in for it. */
export interface ConversationDeps extends Pick<OutboxDeps, "now" | "newId" | "show"> {
  api: typeof api;
  /** Tells the server over the live connection that a message was sent. */
  announce(dmId: string): void;
  /** Something did not get through: the live connection is to be opened anew, after which `catchUp` is called. */
  reconnect(): void;
  /** Loading or sending has failed. */
  showError(error: unknown): void;
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;
const idsOf = (dms: readonly Dm[]): Set<string> => new Set(dms.map(({ id }) => id));
/** After so many messages that only live events told of, the server is asked: the next break has less to make up for. */
const CONFIRM_EVERY = 100;

/**
 * One conversation as this device knows it.
 *
 * A message shows at once under an id of ours (`clientId`), and takes the server's id and place when it comes back,
 * by answer or by live event, whichever is first.
 *
 * What is stored from `#from` to `#until` is known without a gap, since only the server's pages move these two. What is
 * later came by live events and as answers to sending, which may have gaps: each catching up asks for everything after
 * `#until`, and what was there when it asked and is not in the answer is gone (`docs/decisions/0124`).
 */
export class Conversation {
  readonly #friendId: string;
  readonly #world: ConversationDeps;
  readonly #listeners = new Set<() => void>();
  /** Stored messages by id; none before `#from`. */
  readonly #stored = new Map<string, Dm>();
  /** Between these two ids nothing is missing; null until a page had something. */
  #from: string | null = null;
  #until: string | null = null;
  /** The key under which a message of this device was first shown, by the server's id. */
  readonly #keys = new Map<string, string>();
  readonly #outbox: Outbox;
  /** What was taken back: a page that was read before that must not bring it back. */
  readonly #unsent = new Set<string>();
  /** Up to which number of the server's we know what was taken back; null before the first page. */
  #unsentNo: number | null = null;
  #isLookedAt = false;
  /** The last message that the server knows, or is being told, to be read; empty for a match looked at, null for neither. */
  #readId: string | null = null;
  readonly #shown = new WeakMap<Dm, ChatItem>();
  /** Breaks, as far as they showed in that catching up was asked for. */
  #breaks = 0;
  /** The latest run of catching up; those before it ask no further. */
  #run = 0;
  /** Pages that were asked for, and the latest one that was taken: what was asked before it is older. */
  #askedNo = 0;
  #takenNo = 0;
  /** Pages that were asked for until then say nothing of how far the friend has read. */
  #readingNo = 0;
  /** How many live events have told of since the last page. */
  #unconfirmed = 0;
  #state: ConversationState = {
    phase: "loading",
    items: [],
    hasMore: false,
    isLoadingOlder: false,
    friendReadId: null,
  };

  constructor(friendId: string, world: ConversationDeps) {
    this.#friendId = friendId;
    this.#world = world;
    this.#outbox = new Outbox({
      ...world,
      post: (message) => this.#post(message),
      changed: () => this.#change({}),
      cutOff: () => world.reconnect(),
      fail: (error) => this.#failToSend(error),
    });
  }

  getState = (): ConversationState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the page before the oldest message. */
  loadOlder = async (): Promise<void> => {
    const lastId = this.#from;
    if (!lastId || !this.#state.hasMore || this.#state.isLoadingOlder) return;
    this.#change({ isLoadingOlder: true });
    await this.#try(async () => {
      const { dms, has_more } = await this.#world.api(getDms, { friendId: this.#friendId, lastId });
      this.#keepListed(dms);
      this.#from = dms[0]?.id ?? lastId;
      this.#change({ hasMore: has_more });
    });
    this.#change({ isLoadingOlder: false });
  };

  /**
   * Loads the newest page or, where there is one, what was missed since, what was taken back too; then sends what
   * waited. To be called after each break, and may be at any time: asked again it begins anew, since the answer to what
   * was asked before a break may take for ever.
   */
  async catchUp(): Promise<void> {
    if (this.#state.phase === "closed") return;
    this.#breaks++;
    await this.#fetchAll();
    await this.sendWaiting();
  }

  async #fetchAll(): Promise<void> {
    const run = ++this.#run;
    await this.#try(
      async () => {
        for (let hasMore = true; hasMore && run === this.#run;) hasMore = await this.#fetchNext();
      },
      () => run === this.#run,
    );
    this.#markRead();
  }

  /** Fetches one page of what is not known; answers whether there is more. */
  async #fetchNext(): Promise<boolean> {
    const no = ++this.#askedNo;
    const [afterId, unsentAfter] = [this.#until, this.#unsentNo];
    const before = new Set(this.#stored.keys());
    this.#unconfirmed = 0;
    const page = await this.#world.api(getDms, {
      friendId: this.#friendId,
      ...(afterId === null ? {} : { afterId, unsentAfter }),
    });
    if (no < this.#takenNo || this.#state.phase === "closed") return false;
    this.#takenNo = no;
    if (no <= this.#readingNo) page.read_id = null;
    if (afterId !== null) return this.#takeNewer(page, before, afterId);
    // A newest page that was asked for before came meanwhile: what is newer than that one is asked for.
    if (this.#until !== null) return true;
    this.#takeNewest(page, before);
    return false;
  }

  #takeNewest({ dms, has_more, read_id, unsent_no }: ResponseOf<typeof getDms>, before: Set<string>): void {
    this.#from = dms[0]?.id ?? null;
    this.#until = dms.at(-1)?.id ?? null;
    this.#unsentNo = unsent_no;
    this.#forget((id) => before.has(id) || (this.#until !== null && id <= this.#until));
    this.#keepListed(dms);
    this.#change({ phase: "ready", hasMore: has_more, friendReadId: this.#laterRead(read_id) });
  }

  #takeNewer(page: ResponseOf<typeof getDms>, before: Set<string>, afterId: string): boolean {
    const end = page.dms.at(-1)?.id ?? afterId;
    const listed = idsOf(page.dms);
    this.#forget((id) => before.has(id) && id > afterId && (!page.has_more || id <= end) && !listed.has(id));
    this.#keepListed(page.dms);
    for (const id of page.unsent) this.#drop(id);
    if (end > this.#until!) this.#until = end;
    this.#unsentNo = Math.max(this.#unsentNo ?? 0, page.unsent_no);
    this.#change({ friendReadId: this.#laterRead(page.read_id) });
    return page.has_more && (end > afterId || page.unsent.length > 0);
  }

  /** Sends what found no connection. Unlike `catchUp` it asks for nothing: nobody may be looking. */
  async sendWaiting(): Promise<void> {
    await this.#outbox.sendWaiting();
  }

  /** Takes a message from the live connection; one of another conversation is ignored. */
  handleMessage(dm: Dm): void {
    if (dm.sender.user_id !== this.#friendId && dm.receiver.user_id !== this.#friendId) return;
    this.#keepHeard(dm);
    this.#change({});
    this.#markRead();
    if (this.#unconfirmed >= CONFIRM_EVERY) void this.#fetchAll();
  }

  /** Takes from the live connection that the friend, or the member on some device, has read up to a message. */
  handleRead(readerId: string, dmId: string): void {
    if (readerId === this.#friendId) this.#change({ friendReadId: this.#laterRead(dmId) });
    else if (dmId > (this.#readId ?? "")) this.#readId = dmId;
  }

  /** Whether it is shown how far the friend has read has changed: what is known of it holds no more, and is asked anew. */
  async refreshFriendRead(): Promise<void> {
    if (this.#state.phase !== "ready") return;
    this.#readingNo = this.#askedNo;
    this.#change({ friendReadId: null });
    await this.#fetchAll();
  }

  /** Takes from the live connection that a message was taken back. */
  handleUnsent(dmId: string): void {
    this.#drop(dmId);
    this.#change({});
  }

  /** Whether somebody looks at the end of the conversation now: only what is looked at is said to be read. */
  setLookedAt = (isLookedAt: boolean): void => {
    this.#isLookedAt = isLookedAt;
    this.#markRead();
  };

  /** Whether a message, or what is new here at all (null), is read as far as this device knows. */
  hasRead(dmId: string | null): boolean {
    if (this.#readId === null) return false;
    return dmId === null ? this.#isLookedAt : dmId <= this.#readId;
  }

  /** Takes a message of ours back, for both sides. What prevents that is thrown. */
  async unsend(dmId: string): Promise<void> {
    try {
      await this.#world.api(unsendDm, { friendId: this.#friendId, dmId });
    } catch (error) {
      if (codeOf(error) !== "message_not_found") throw error;
    }
    this.handleUnsent(dmId);
  }

  /** Shows a message at once and sends it after those that were sent before. */
  async send(text: string | null, file: File | null): Promise<void> {
    await this.#outbox.send(text, file);
  }

  /** Sends a message again that has failed. */
  async retry(key: string): Promise<void> {
    await this.#outbox.retry(key);
  }

  /** Lets go of a message that has failed. */
  discard(key: string): void {
    this.#outbox.discard(key);
  }

  /** The friend is gone: nothing that was written is kept or shown, and nothing that waits is sent. */
  close(): void {
    this.#outbox.clear();
    this.#stored.clear();
    this.#change({ phase: "closed", hasMore: false });
  }

  /** Lets go of everything: what waits is sent no more, since whoever comes next may be somebody else. */
  dispose(): void {
    this.#outbox.clear();
  }

  async #post({ clientId, text, file }: Outgoing): Promise<void> {
    const breaks = this.#breaks;
    const { dm } = await this.#world.api(sendDm, {
      receiverId: this.#friendId,
      clientId,
      ...(text === null ? {} : { description: text }),
      ...(file === null ? {} : { file }),
    });
    this.#keepHeard(dm);
    this.#change({});
    this.#world.announce(dm.id);
    // On its way for longer than a break it may have been taken back meanwhile, without our hearing of it.
    if (breaks !== this.#breaks) void this.#fetchAll();
  }

  #failToSend(error: unknown): void {
    if (codeOf(error) === "conversation_not_found") this.#change({ phase: "closed" });
    this.#world.showError(error);
  }

  /** Keeps what a page lists. */
  #keepListed(dms: readonly Dm[]): void {
    if (this.#state.phase === "closed") return;
    for (const dm of dms) {
      if (!this.#unsent.has(dm.id) && !this.#isSame(dm)) this.#stored.set(dm.id, dm);
      this.#settle(dm);
    }
  }

  /** Keeps what was heard by itself. One that stands before `#until` and is not known there was taken back. */
  #keepHeard(dm: Dm): void {
    if (this.#state.phase === "closed") return;
    if (dm.unsent) this.#unsent.add(dm.id);
    const isGone = this.#until !== null && dm.id <= this.#until && !this.#stored.has(dm.id);
    if (!isGone && !this.#unsent.has(dm.id) && !this.#isSame(dm)) {
      if (!this.#stored.has(dm.id)) this.#unconfirmed++;
      this.#stored.set(dm.id, dm);
    }
    this.#settle(dm);
  }

  /** Nothing but the address of its picture changes in a message. */
  #isSame(dm: Dm): boolean {
    const known = this.#stored.get(dm.id);
    return known !== undefined && known.file === dm.file;
  }

  /** A message of ours that is stored waits no more. */
  #settle({ id, clientId }: Dm): void {
    if (clientId && this.#outbox.settle(clientId)) this.#keys.set(id, clientId);
  }

  #forget(isGone: (id: string) => boolean): void {
    for (const id of this.#stored.keys()) if (isGone(id)) this.#stored.delete(id);
  }

  #drop(dmId: string): void {
    this.#unsent.add(dmId);
    this.#stored.delete(dmId);
  }

  #laterRead(dmId: string | null): string | null {
    const { friendReadId } = this.#state;
    return dmId !== null && (friendReadId === null || dmId > friendReadId) ? dmId : friendReadId;
  }

  /** Says that the friend's newest message was read, or the new match looked at. What does not get through is said again after the next break. */
  #markRead(): void {
    if (!this.#isLookedAt || this.#state.phase !== "ready") return;
    const { items } = this.#state;
    const dmId = items.findLast(({ isOwn }) => !isOwn)?.id ?? (items.length === 0 ? "" : null);
    const before = this.#readId;
    if (dmId === null || (before !== null && dmId <= before)) return;
    this.#readId = dmId;
    this.#world.api(readDm, { friendId: this.#friendId, ...(dmId && { dmId }) }).catch(() => {
      if (this.#readId === dmId) this.#readId = before;
    });
  }

  /** Does a part of the work; a failure is told, if it still matters. */
  async #try(work: () => Promise<void>, matters = () => true): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isOver = codeOf(error) === "conversation_not_found";
      if (!isOver && !matters()) return;
      this.#change({ phase: isOver ? "closed" : this.#state.phase === "ready" ? "ready" : "failed" });
      if (!isOver) this.#world.showError(error);
    }
  }

  /** Ids of UUIDv7 sort by time as text does. */
  #ids(): string[] {
    return [...this.#stored.keys()].toSorted();
  }

  #change(to: Partial<ConversationState>): void {
    const stored = this.#ids().map((id) => this.#itemOf(this.#stored.get(id)!));
    const outgoing = this.#outbox.messages.map((each) => ({
      key: each.clientId,
      id: null,
      isOwn: true,
      text: each.text,
      image: each.preview?.address ?? null,
      at: each.at,
      delivery: each.delivery,
    }));
    // Closed is the end: what was asked before and comes in after it opens nothing again.
    const phase = this.#state.phase === "closed" ? "closed" : (to.phase ?? this.#state.phase);
    this.#state = { ...this.#state, ...to, phase, items: [...stored, ...outgoing] };
    for (const listener of this.#listeners) listener();
  }

  /** The same as long as the message is, so that nothing is drawn again without need. */
  #itemOf(dm: Dm): ChatItem {
    const known = this.#shown.get(dm);
    if (known) return known;
    const item: ChatItem = {
      key: this.#keys.get(dm.id) ?? dm.id,
      id: dm.id,
      isOwn: dm.sender.user_id !== this.#friendId,
      text: dm.description,
      image: dm.file,
      at: new Date(dm.created_at),
      delivery: "sent",
    };
    this.#shown.set(dm, item);
    return item;
  }
}
