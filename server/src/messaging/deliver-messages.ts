import type { AppContext } from "../platform/context.ts";
import { loadPeople, type Person } from "../profiles/index.ts";
import type { MessageSent } from "./events.ts";
import { tryDecryptMessage, type Message } from "./message.ts";
import { lowestIdAt, timeOfId } from "./message-id.ts";
import { messagesAfter, messagesByIds, type MessageRow } from "./messages.sql.ts";
import { otherMemberOf, pairOf, pairOfKey } from "./pair.ts";
import { presentDm } from "./present.ts";
import { loadQuotes, type Quotes } from "./quotes.ts";

const BATCH_SIZE_MAX = 200;

/** The pair's messages are read again for this time after an unsent message or an ended match. */
const READ_AGAIN_MS = 5_000;

/** A first event of a pair finds missing messages of this time. */
const GAP_MS = 10_000;
const PAIRS_MAX = 100_000;

interface Content {
  readonly message: Message;
  readonly people: Map<number, Person>;
  readonly quotes: Quotes;
}

const storedHere = new WeakMap<MessageSent, Content>();

export function publishMessage({ eventBus }: AppContext, content: Content, previousId: string | null): void {
  const { id, pair } = content.message;
  const event = { low: pair.low, high: pair.high, id, previousId };
  storedHere.set(event, content);
  eventBus.publish("message_sent", event);
}

/**
 * Sends messages to the sockets of both members, in the order of their ids. A message of this process needs no read.
 *
 * An event that overtakes an earlier one finds a gap, and the messages of the gap are read: they are stored. Events that
 * arrive during a read form the next batch.
 */
export function deliverMessages(ctx: AppContext): void {
  /** By pair. Messages up to this one are delivered. */
  const lastIds = new LastIds();
  const queue: MessageSent[] = [];
  const changedPairs = new Set<string>();
  const readPairs = new Set<string>();
  let isReading = false;

  const deliverQueue = async () => {
    if (isReading) return;
    isReading = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH_SIZE_MAX);
      await readAndSend(ctx, lastIds, batch).catch((error: unknown) => {
        ctx.log.error({ err: error, size: batch.length }, "messages for sockets could not be read");
        for (const memberId of membersOf(batch)) ctx.sockets.closeForResync(memberId);
      });
      readPairs.clear();
      for (const { low, high } of queue) readPairs.add(pairOf(low, high).key);
    }
    isReading = false;
  };
  ctx.eventBus.subscribe("message_sent", (event) => {
    const content = storedHere.get(event);
    // It may be deleted before a read ends.
    storedHere.delete(event);
    const { key } = pairOf(event.low, event.high);
    if (lastIds.has(key, event.id)) return;
    if (!ctx.sockets.has(event.low) && !ctx.sockets.has(event.high)) {
      lastIds.set(key, event.id);
      return;
    }
    const isReady = content && !content.message.isUnsent && !readPairs.has(key) && !changedPairs.has(key);
    if (isReady && lastIds.isNext(key, event)) {
      lastIds.set(key, event.id);
      sendToBoth(ctx, content);
      return;
    }
    queue.push(event);
    readPairs.add(key);
    void ctx.runningTasks.add(deliverQueue());
  });

  const readAgain = (one: number, other: number) => {
    const { key } = pairOf(one, other);
    changedPairs.add(key);
    setTimeout(() => changedPairs.delete(key), READ_AGAIN_MS).unref();
  };
  ctx.eventBus.subscribe("message_unsent", ({ memberId, otherMemberId }) =>
    readAgain(memberId, otherMemberId),
  );
  ctx.eventBus.subscribe("match_ended", ({ memberId, otherMemberId }) => {
    readAgain(memberId, otherMemberId);
    // Ids of the next conversation may be lower, after a step of the clock.
    lastIds.forget(pairOf(memberId, otherMemberId).key);
  });
}

class LastIds {
  /** The pair of the newest event is the last one. */
  readonly #ids = new Map<string, string>();

  has(pair: string, id: string): boolean {
    return id <= (this.#ids.get(pair) ?? "");
  }

  set(pair: string, id: string): void {
    if (this.has(pair, id)) return;
    this.#ids.delete(pair);
    this.#ids.set(pair, id);
    if (this.#ids.size > PAIRS_MAX) this.#ids.delete(this.#ids.keys().next().value!);
  }

  forget(pair: string): void {
    this.#ids.delete(pair);
  }

  isNext(pair: string, { id, previousId }: MessageSent): boolean {
    const last = this.#ids.get(pair);
    if (last === undefined) return previousId === null || previousId < lowestIdAt(timeOfId(id) - GAP_MS);
    return previousId !== null && previousId <= last;
  }

  /** The id after which messages may be missing. */
  gapBefore(pair: string, { id }: MessageSent): string {
    return this.#ids.get(pair) ?? lowestIdAt(timeOfId(id) - GAP_MS);
  }
}

async function readAndSend(ctx: AppContext, lastIds: LastIds, events: readonly MessageSent[]): Promise<void> {
  const known: MessageSent[] = [];
  const gaps: MessageSent[] = [];
  for (const event of events.toSorted((one, two) => (one.id < two.id ? -1 : 1))) {
    const { key } = pairOf(event.low, event.high);
    if (lastIds.has(key, event.id)) continue;
    // A gap's read includes the later messages of its pair.
    if (gaps.some(({ low, high }) => low === event.low && high === event.high)) continue;
    if (!lastIds.isNext(key, event)) gaps.push(event);
    else {
      known.push(event);
      lastIds.set(key, event.id);
    }
  }
  const [people, ...pages] = await Promise.all([
    loadPeople(ctx, membersOf(events)),
    messagesByIds(
      ctx.db,
      [...new Set(known.map(({ low, high }) => pairOf(low, high).key))],
      known.map(({ id }) => id),
    ),
    ...gaps.map(async (event) => readGap(ctx, lastIds, event)),
  ]);
  const inOrder = pages.flat().toSorted((one, two) => (one.message_id < two.message_id ? -1 : 1));
  const decrypted = await Promise.all(
    inOrder.map(async (row) =>
      row.unsent_no === null ? tryDecryptMessage(ctx, pairOfKey(row.pair), row) : null,
    ),
  );
  const readable = decrypted.filter((message) => message !== null);
  const quotes = await loadQuotes(ctx, readable);
  for (const message of readable) sendToBoth(ctx, { message, people, quotes });
}

async function readGap(ctx: AppContext, lastIds: LastIds, event: MessageSent): Promise<MessageRow[]> {
  const { key } = pairOf(event.low, event.high);
  const found = await messagesAfter(ctx.db, key, lastIds.gapBefore(key, event), BATCH_SIZE_MAX);
  for (const id of [event.id, ...found.map(({ message_id }) => message_id)]) lastIds.set(key, id);
  if (found.length < BATCH_SIZE_MAX) return found;
  for (const memberId of membersOf([event])) ctx.sockets.closeForResync(memberId);
  return [];
}

function sendToBoth(ctx: AppContext, { message, people, quotes }: Content): void {
  const { pair, senderMemberId } = message;
  // A client counts no message of a limited member.
  const quiet = people.get(senderMemberId)?.isLimited === true ? { quiet: true } : {};
  for (const viewer of [pair.low, pair.high]) {
    const frameFor = (session: string) => {
      const dm = presentDm(ctx, { memberId: viewer, session }, message, people, quotes);
      return dm && { dm, ...(viewer !== senderMemberId && quiet) };
    };
    ctx.sockets.send(viewer, frameFor, { otherMemberId: otherMemberOf(pair, viewer) });
  }
}

function membersOf(events: readonly MessageSent[]): number[] {
  return [...new Set(events.flatMap(({ low, high }) => [low, high]))];
}
