import { SECOND_MS } from "../../platform/clock.ts";
import type { MessageSent } from "../events.ts";
import { timeOfId } from "../message-id.ts";

interface Conversation {
  lastId: string | null;
  readonly deliveredIds: Set<string>;
  lastEventAt: number;
  waiting: MessageSent[];
  timer: NodeJS.Timeout | null;
}

const TIMEOUT_MS = 250;
/** A message this much younger than the previous one does not wait. */
const INDEPENDENT_AFTER_MS = 10 * SECOND_MS;
const FORGET_AFTER_MS = 15 * SECOND_MS;
const DELIVERED_IDS_MAX = 100;

/**
 * Passes each event on once, in the order of the pair's messages.
 *
 * Events of two processes can overtake each other. An early one waits for the event of the previous message, but only
 * shortly: that process may have died.
 */
export class EventReorder {
  readonly #deliver: (event: MessageSent) => void;
  /** By pair, longest idle first. */
  readonly #conversations = new Map<string, Conversation>();

  constructor(deliver: (event: MessageSent) => void) {
    this.#deliver = deliver;
  }

  add(event: MessageSent): void {
    const conversation = this.#touch(`${event.low}:${event.high}`);
    if (conversation.deliveredIds.has(event.id)) return;
    if (mustWait(event, conversation)) conversation.waiting.push(event);
    else this.#deliverFrom(event, conversation);
    if (conversation.waiting.length > 0) conversation.timer ??= this.#startTimer(conversation);
  }

  #deliverFrom(event: MessageSent, conversation: Conversation): void {
    const { deliveredIds } = conversation;
    for (let next: MessageSent | undefined = event; next; next = takeNext(conversation)) {
      if (conversation.lastId === null || next.id > conversation.lastId) conversation.lastId = next.id;
      if (deliveredIds.has(next.id)) continue;
      deliveredIds.add(next.id);
      if (deliveredIds.size > DELIVERED_IDS_MAX) deliveredIds.delete(deliveredIds.values().next().value!);
      this.#deliver(next);
    }
    if (conversation.waiting.length > 0 || !conversation.timer) return;
    clearTimeout(conversation.timer);
    conversation.timer = null;
  }

  #startTimer(conversation: Conversation): NodeJS.Timeout {
    return setTimeout(() => this.#stopWaiting(conversation), TIMEOUT_MS).unref();
  }

  #stopWaiting(conversation: Conversation): void {
    const { waiting, lastId } = conversation;
    conversation.timer = null;
    const earliest = waiting.toSorted((a, b) => (a.id < b.id ? -1 : 1)).shift();
    if (!earliest) return;
    waiting.splice(waiting.indexOf(earliest), 1);
    const { low, high, previousId } = earliest;
    // The previous message is stored, so it is delivered without its event.
    if (lastId !== null && previousId !== null)
      this.#deliverFrom({ low, high, id: previousId, previousId: null }, conversation);
    this.#deliverFrom(earliest, conversation);
    if (waiting.length > 0) conversation.timer = this.#startTimer(conversation);
  }

  #touch(pair: string): Conversation {
    const conversation = this.#conversations.get(pair) ?? {
      lastId: null,
      deliveredIds: new Set(),
      lastEventAt: 0,
      waiting: [],
      timer: null,
    };
    const now = performance.now();
    conversation.lastEventAt = now;
    this.#conversations.delete(pair);
    this.#conversations.set(pair, conversation);
    for (const [idle, { lastEventAt }] of this.#conversations) {
      if (now - lastEventAt < FORGET_AFTER_MS) break;
      this.#conversations.delete(idle);
    }
    return conversation;
  }
}

function takeNext(conversation: Conversation): MessageSent | undefined {
  const index = conversation.waiting.findIndex((event) => !mustWait(event, conversation));
  return index === -1 ? undefined : conversation.waiting.splice(index, 1)[0];
}

function mustWait({ id, previousId }: MessageSent, { lastId }: Conversation): boolean {
  if (previousId === null || previousId === lastId) return false;
  if (lastId !== null && id < lastId) return false;
  return timeOfId(id) - timeOfId(previousId) < INDEPENDENT_AFTER_MS;
}
