import type { AppContext } from "../platform/context.ts";
import { loadPeople, type Person } from "../profiles/index.ts";
import type { MessageSent } from "./events.ts";
import { tryDecryptMessage, type Message } from "./message.ts";
import { inMessageOrder } from "./message-path.ts";
import { messagesByIds } from "./messages.sql.ts";
import { otherMemberOf, pairOf } from "./pair.ts";
import { presentDm } from "./present.ts";
import { loadQuotes, type Quotes } from "./quotes.ts";

const BATCH_SIZE_MAX = 200;

/** After an unsent message or an ended match, the pair's messages are read again for this time. */
const READ_AGAIN_MS = 5_000;

interface Content {
  readonly message: Message;
  readonly people: Map<number, Person>;
  readonly quotes: Quotes;
}

/** Messages that this process stored, by their events. */
const storedHere = new WeakMap<MessageSent, Content>();

export function publishMessage({ eventBus }: AppContext, content: Content, previousId: string | null): void {
  const { id, pair } = content.message;
  const event = { low: pair.low, high: pair.high, id, previousId };
  storedHere.set(event, content);
  eventBus.publish("message_sent", event);
}

/** Events that arrive during a read form the next batch. A message of this process needs no read. */
export function deliverMessages(ctx: AppContext): void {
  const queue: MessageSent[] = [];
  const changedPairs = new Set<string>();
  let isReading = false;

  const deliverQueue = async () => {
    if (isReading) return;
    isReading = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH_SIZE_MAX);
      await readAndSend(ctx, batch).catch((error: unknown) => {
        ctx.log.error({ err: error, size: batch.length }, "messages for sockets could not be read");
        for (const memberId of membersOf(batch)) ctx.sockets.closeForResync(memberId);
      });
    }
    isReading = false;
  };
  const deliver = inMessageOrder((event) => {
    if (!ctx.sockets.has(event.low) && !ctx.sockets.has(event.high)) return;
    const content = storedHere.get(event);
    const isChanged = changedPairs.has(pairOf(event.low, event.high).key);
    if (content && !content.message.isUnsent && !isReading && !isChanged) {
      sendToBoth(ctx, content);
      return;
    }
    queue.push(event);
    void ctx.runningTasks.add(deliverQueue());
  });
  ctx.eventBus.subscribe("message_sent", (event) => {
    deliver(event);
    // The message of a waiting event may be deleted in the meantime.
    storedHere.delete(event);
  });

  const readAgain = (one: number, other: number) => {
    const { key } = pairOf(one, other);
    changedPairs.add(key);
    setTimeout(() => changedPairs.delete(key), READ_AGAIN_MS).unref();
  };
  ctx.eventBus.subscribe("message_unsent", ({ memberId, otherMemberId }) =>
    readAgain(memberId, otherMemberId),
  );
  ctx.eventBus.subscribe("match_ended", ({ memberId, otherMemberId }) => readAgain(memberId, otherMemberId));
}

async function readAndSend(ctx: AppContext, events: readonly MessageSent[]): Promise<void> {
  const pairs = events.map(({ low, high }) => pairOf(low, high));
  const [messages, people] = await Promise.all([
    messagesByIds(
      ctx.db,
      [...new Set(pairs.map(({ key }) => key))],
      events.map(({ id }) => id),
    ),
    loadPeople(ctx, membersOf(events)),
  ]);
  const byId = new Map(messages.map((row) => [`${row.pair} ${row.message_id}`, row]));
  const decrypted = await Promise.all(
    events.map(async ({ id }, index) => {
      const pair = pairs[index]!;
      const row = byId.get(`${pair.key} ${id}`);
      return row && row.unsent_no === null ? tryDecryptMessage(ctx, pair, row) : null;
    }),
  );
  const readable = decrypted.filter((message) => message !== null);
  const quotes = await loadQuotes(ctx, readable);
  for (const message of readable) sendToBoth(ctx, { message, people, quotes });
}

function sendToBoth(ctx: AppContext, { message, people, quotes }: Content): void {
  const { pair } = message;
  for (const viewer of [pair.low, pair.high]) {
    const frameFor = (session: string) => {
      const dm = presentDm(ctx, { memberId: viewer, session }, message, people, quotes);
      return dm && { dm };
    };
    ctx.sockets.send(viewer, frameFor, { otherMemberId: otherMemberOf(pair, viewer) });
  }
}

function membersOf(events: readonly MessageSent[]): number[] {
  return [...new Set(events.flatMap(({ low, high }) => [low, high]))];
}
