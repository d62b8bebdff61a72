import type { Dm } from "@alcove/contract/messaging";
import { Conversation, type ConversationDeps } from "./conversation.ts";

/** What the live connection says that concerns conversations. */
type ConversationEvent =
  | { kind: "dm"; dm: Dm }
  | { kind: "connected" }
  | { kind: "match" }
  | { kind: "lost"; userId: string }
  | { kind: "read"; userId: string; readerId: string; dmId: string }
  | { kind: "reading"; userId: string | null }
  | { kind: "seen"; userId: string }
  | { kind: "unsent"; userId: string; dmId: string };

/**
 * The conversations that were opened since the login. They live on when their screen is left, so that a message that
 * waits for a connection, or has failed, is neither lost nor forgotten.
 */
export class Conversations {
  readonly #byFriendId = new Map<string, Conversation>();

  /** The conversation with a friend, as it was left or new. */
  open(friendId: string, world: ConversationDeps): Conversation {
    const known = this.#byFriendId.get(friendId);
    if (known && known.getState().phase !== "closed") return known;
    const opened = new Conversation(friendId, world);
    this.#byFriendId.set(friendId, opened);
    return opened;
  }

  /** Takes what the live connection says, for all of them. */
  handle = (event: ConversationEvent): void => {
    if (event.kind === "lost") this.#byFriendId.get(event.userId)?.close();
    if (event.kind === "read") this.#byFriendId.get(event.userId)?.handleRead(event.readerId, event.dmId);
    if (event.kind === "unsent") this.#byFriendId.get(event.userId)?.handleUnsent(event.dmId);
    if (event.kind === "reading")
      for (const [friendId, conversation] of this.#byFriendId)
        if (event.userId === null || event.userId === friendId) void conversation.refreshFriendRead();
    for (const conversation of this.#byFriendId.values()) {
      if (event.kind === "dm") conversation.handleMessage(event.dm);
      // Only a conversation on screen fetches what it missed at once; the others do when they are opened.
      if (event.kind === "connected") void conversation.sendWaiting();
    }
  };

  /** Whether what a friend has written, up to a message, is read as far as this device knows. */
  hasRead = (friendId: string, dmId: string | null): boolean =>
    this.#byFriendId.get(friendId)?.hasRead(dmId) ?? false;

  /** At logout: nothing of one member is left for the next. */
  clear(): void {
    for (const conversation of this.#byFriendId.values()) conversation.dispose();
    this.#byFriendId.clear();
  }
}

export const conversations = new Conversations();
