import { isResync, type RealtimeEvent } from "../../../realtime/events.ts";
import { Conversation, type ConversationDeps } from "./conversation.ts";

/** The conversations opened since the login. They outlive their screens, so that waiting and failed messages stay. */
export class Conversations {
  readonly #byFriendId = new Map<string, Conversation>();

  open(friendId: string, deps: ConversationDeps): Conversation {
    const known = this.#byFriendId.get(friendId);
    if (known && known.getState().status !== "lost") return known;
    const conversation = new Conversation(friendId, deps);
    this.#byFriendId.set(friendId, conversation);
    return conversation;
  }

  handle = (event: RealtimeEvent): void => {
    if (event.kind === "lost") this.#byFriendId.get(event.userId)?.close();
    if (event.kind === "read") this.#byFriendId.get(event.userId)?.handleRead(event.readerId, event.dmId);
    if (event.kind === "unsent") this.#byFriendId.get(event.userId)?.handleUnsent(event.dmId);
    if (event.kind === "typing") this.#byFriendId.get(event.userId)?.handleTyping();
    for (const [friendId, conversation] of this.#byFriendId) {
      if (event.kind === "reading" && (event.userId === null || event.userId === friendId))
        void conversation.refreshFriendRead();
      if (event.kind === "dm") conversation.handleMessage(event.dm);
      if (event.kind === "reaction") conversation.handleReaction(event.dmId, event.userId, event.reaction);
      // The conversation on screen also fetches missed messages; the others do when they are opened.
      if (isResync(event)) void conversation.sendWaiting();
    }
  };

  hasRead = (friendId: string, dmId: string | null): boolean =>
    this.#byFriendId.get(friendId)?.hasRead(dmId) ?? false;

  clear(): void {
    for (const conversation of this.#byFriendId.values()) conversation.dispose();
    this.#byFriendId.clear();
  }
}

export const conversations = new Conversations();
