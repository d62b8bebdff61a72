import type { ResponseOf } from "@alcove/contract/call";
import type { Dm, getDms, Quote, ReactionName, TakenBack } from "@alcove/contract/messaging";
import type { OutgoingMessage } from "./outbox.ts";
import { Reactions, UNKNOWN } from "./reactions.ts";
import type { VoiceFacts } from "./transport.ts";

export type MessagePage = ResponseOf<typeof getDms>;

export interface ChatItem {
  /** Stays the same when the server stores the message, so that React keeps the element. */
  readonly key: string;
  readonly id: string | null;
  readonly isOwn: boolean;
  readonly text: string | null;
  readonly imageUrl: string | null;
  readonly voice: (VoiceFacts & { readonly url: string }) | null;
  /** The quoted message, unless it is unsent. */
  readonly reply: Quote | null;
  readonly friendReaction: ReactionName | null;
  readonly ownReaction: ReactionName | null;
  readonly at: Date;
  readonly delivery: OutgoingMessage["delivery"] | "sent";
  /** Of a file being sent. */
  readonly progress: number | null;
  /** The friend took it back: it has no content, and can be reported for a day. */
  readonly isTakenBack?: true;
}

/** The state of the history when a page is requested. */
export interface PageRequest {
  readonly idsBefore: ReadonlySet<string>;
  readonly reactionsAt: number;
}

/**
 * The stored messages of a conversation.
 *
 * Invariant: no message of `#range` is missing, because only the server's pages extend it. Messages after it came by
 * events and responses, which may have gaps. Ids are UUIDv7 and sort by time.
 */
export class MessageHistory {
  readonly #friendId: string;
  readonly #messages = new Map<string, Dm>();
  #range: { firstId: string; lastId: string } | null = null;
  /** An older page must not bring these back. */
  readonly #unsentIds = new Set<string>();
  /** The server's count of unsent messages and reactions that this history reflects; null before the first page. */
  #changeCount: number | null = null;
  readonly reactions = new Reactions();
  #takenBack: readonly ChatItem[] = [];
  #hasOlder = false;
  readonly #keys = new Map<string, string>();
  readonly #items = new WeakMap<Dm, ChatItem>();

  constructor(friendId: string) {
    this.#friendId = friendId;
  }

  get firstId(): string | null {
    return this.#range?.firstId ?? null;
  }

  get lastId(): string | null {
    return this.#range?.lastId ?? null;
  }

  cursor(): { afterId?: string; unsentAfter?: number | null } {
    return this.#range ? { afterId: this.#range.lastId, unsentAfter: this.#changeCount } : {};
  }

  request(): PageRequest {
    return { idsBefore: new Set(this.#messages.keys()), reactionsAt: this.reactions.now };
  }

  /**
   * Replaces the messages by the newest page, except those that arrived after its request. Returns false for a page to
   * request again: its count of changes may include a reaction later than a shown one, whose event was lost.
   */
  applyNewest(page: MessagePage, { idsBefore, reactionsAt }: PageRequest): boolean {
    if (page.dms.some(({ id }) => this.reactions.isLater(id, reactionsAt))) return false;
    const [first, last] = [page.dms[0], page.dms.at(-1)];
    this.#range = first && last ? { firstId: first.id, lastId: last.id } : null;
    this.#changeCount = page.unsent_no;
    this.#hasOlder = page.has_more;
    const lastId = last?.id ?? "";
    this.#deleteWhere((id) => idsBefore.has(id) || id <= lastId);
    this.#addListed(page.dms, reactionsAt);
    return true;
  }

  /** Messages of before the request that the page does not list are unsent. Returns whether more pages follow. */
  applyNewer(page: MessagePage, { idsBefore, reactionsAt }: PageRequest, afterId: string): boolean {
    const endId = page.dms.at(-1)?.id ?? afterId;
    const listed = new Set(page.dms.map(({ id }) => id));
    const isCovered = (id: string) => id > afterId && (!page.has_more || id <= endId);
    this.#deleteWhere((id) => idsBefore.has(id) && isCovered(id) && !listed.has(id));
    this.#addListed(page.dms, reactionsAt);
    for (const id of page.unsent) this.remove(id);
    const areCurrent = page.reacted.map(({ id, reactions }) =>
      this.reactions.addListed(id, reactions, reactionsAt),
    );
    if (this.#range && endId > this.#range.lastId) this.#range = { ...this.#range, lastId: endId };
    // Else an event may have been lost: the next page lists these reactions again.
    if (!areCurrent.includes(false)) this.#changeCount = Math.max(this.#changeCount ?? 0, page.unsent_no);
    return page.has_more && (endId > afterId || page.unsent.length + page.reacted.length > 0);
  }

  applyOlder({ dms, has_more }: MessagePage, { reactionsAt }: PageRequest): void {
    this.#hasOlder = has_more;
    this.#addListed(dms, reactionsAt);
    if (this.#range && dms[0]) this.#range = { ...this.#range, firstId: dms[0].id };
  }

  /** An unknown message inside the range is unsent. Returns whether the message is new. */
  add(dm: Dm): boolean {
    if (dm.unsent) this.#unsentIds.add(dm.id);
    const isKnown = this.#messages.has(dm.id);
    const isGone = this.#range !== null && dm.id <= this.#range.lastId && !isKnown;
    if (isGone || this.#unsentIds.has(dm.id)) return false;
    this.#set(dm);
    this.reactions.addListed(dm.id, dm.reactions, UNKNOWN);
    return !isKnown;
  }

  remove(id: string): void {
    this.#unsentIds.add(id);
    this.#messages.delete(id);
    this.reactions.delete(id);
    for (const dm of this.#messages.values()) if (dm.reply?.id === id) this.#set(dm);
  }

  isUnsent(id: string): boolean {
    return this.#unsentIds.has(id);
  }

  setTakenBack(list: readonly TakenBack[]): void {
    const known = new Map(this.#takenBack.map((item) => [item.id, item]));
    this.#takenBack = list.map(({ id, created_at }) => known.get(id) ?? takenBackItem(id, created_at));
  }

  clear(): void {
    this.#messages.clear();
    this.reactions.clear();
    this.#takenBack = [];
  }

  setKey(id: string, key: string): void {
    this.#keys.set(id, key);
  }

  /** An unchanged message keeps its item, so that React does not render it again. */
  items(): ChatItem[] {
    const stored = [...this.#messages].map(([, dm]) => this.#itemOf(dm));
    const shown = this.#takenBack.filter(({ id }) => !this.#hasOlder || id! > (this.firstId ?? ""));
    return [...stored, ...shown].sort((a, b) => (a.id! < b.id! ? -1 : 1));
  }

  #addListed(dms: readonly Dm[], reactionsAt: number): void {
    for (const dm of dms) {
      if (this.#unsentIds.has(dm.id)) continue;
      this.#set(dm);
      this.reactions.addListed(dm.id, dm.reactions, reactionsAt);
    }
  }

  /** Without the quote of an unsent message, of which this response or event may not know. */
  #set(dm: Dm): void {
    const { reply, ...plain } = dm;
    const shown: Dm = reply && this.#unsentIds.has(reply.id) ? plain : dm;
    const known = this.#messages.get(dm.id);
    const isSame =
      known?.file === shown.file && known.voice === shown.voice && known.reply?.id === shown.reply?.id;
    if (!known || !isSame) this.#messages.set(dm.id, shown);
  }

  #deleteWhere(isGone: (id: string) => boolean): void {
    for (const id of this.#messages.keys()) if (isGone(id)) this.#messages.delete(id);
  }

  #itemOf(dm: Dm): ChatItem {
    const { friend: friendReaction, own: ownReaction } = this.reactions.of(dm.id);
    const known = this.#items.get(dm);
    if (known?.friendReaction === friendReaction && known.ownReaction === ownReaction) return known;
    const item: ChatItem = {
      key: this.#keys.get(dm.id) ?? dm.id,
      id: dm.id,
      isOwn: dm.sender.user_id !== this.#friendId,
      text: dm.description,
      imageUrl: dm.file,
      voice: voiceOf(dm),
      reply: dm.reply ?? null,
      friendReaction,
      ownReaction,
      at: new Date(dm.created_at),
      delivery: "sent",
      progress: null,
    };
    this.#items.set(dm, item);
    return item;
  }
}

function takenBackItem(id: string, createdAt: string): ChatItem {
  return {
    key: id,
    id,
    isOwn: false,
    text: null,
    imageUrl: null,
    voice: null,
    reply: null,
    friendReaction: null,
    ownReaction: null,
    at: new Date(createdAt),
    delivery: "sent",
    progress: null,
    isTakenBack: true,
  };
}

function voiceOf({ voice, voice_seconds, voice_peaks = [], voice_text = null }: Dm): ChatItem["voice"] {
  return voice === null
    ? null
    : { url: voice, seconds: voice_seconds ?? 0, peaks: voice_peaks, text: voice_text };
}

/** The text of a message, or that of its voice note. */
export function wordsOf({ text, voice }: Pick<ChatItem, "text" | "voice">): string | null {
  return text ?? voice?.text ?? null;
}
