import type { Dm } from "@alcove/contract/messaging";
import { Conversation, type ConversationWorld } from "./conversation.ts";

/** What the live connection says that concerns conversations. */
type Heard =
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
  readonly #open = new Map<string, Conversation>();

  /** The conversation with a friend, as it was left or new. */
  with(friendId: string, world: ConversationWorld): Conversation {
    const known = this.#open.get(friendId);
    if (known && known.getState().phase !== "closed") return known;
    const opened = new Conversation(friendId, world);
    this.#open.set(friendId, opened);
    return opened;
  }

  /** Takes what the live connection says, for all of them. */
  hear = (event: Heard): void => {
    if (event.kind === "lost") this.#open.get(event.userId)?.close();
    if (event.kind === "read") this.#open.get(event.userId)?.hearRead(event.readerId, event.dmId);
    if (event.kind === "unsent") this.#open.get(event.userId)?.hearUnsent(event.dmId);
    if (event.kind === "reading")
      for (const [friendId, conversation] of this.#open)
        if (event.userId === null || event.userId === friendId) void conversation.askFriendRead();
    for (const conversation of this.#open.values()) {
      if (event.kind === "dm") conversation.receive(event.dm);
      // Only a conversation on screen fetches what it missed at once; the others do when they are opened.
      if (event.kind === "connected") void conversation.sendWaiting();
    }
  };

  /** Whether what a friend has written, up to a message, is read as far as this device knows. */
  hasRead = (friendId: string, dmId: string | null): boolean =>
    this.#open.get(friendId)?.hasRead(dmId) ?? false;

  /** At logout: nothing of one member is left for the next. */
  forget(): void {
    for (const conversation of this.#open.values()) conversation.dispose();
    this.#open.clear();
  }
}

export const conversations = new Conversations();
