import type { WebSocket } from "ws";
import type { AppContext } from "../platform/context.ts";
import { loadPeople, type Person } from "../profiles/index.ts";
import { type DmHint, HERE, HintOrder } from "./group-commit/event-reorder.ts";
import { messagesByIds } from "./messages.sql.ts";
import { otherOf, pairOf } from "./pair.ts";
import { type Message, openMessage, presentDm } from "./present.ts";

const BATCH = 200;

/** So long after something of a pair was ended or taken back its messages are read again before they are sent. */
const CAREFUL_MS = 5_000;

/**
 * Brings stored messages to the sockets of this process: hints of both parties' pairs are put in order, then read
 * together, while the next ones gather. A message that this process has just stored, and whose turn it is, goes out as it
 * is.
 */
export function deliverMessages(ctx: AppContext): void {
  const queue: DmHint[] = [];
  const careful = new Set<string>();
  let isReading = false;

  const readAll = async () => {
    if (isReading) return;
    isReading = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      await deliver(ctx, batch).catch((error: unknown) => {
        ctx.log.error({ err: error }, "messages could not be read for their sockets");
        // Their clients come back and ask for what they missed.
        for (const memberId of partiesOf(batch)) ctx.sockets.askBack(memberId);
      });
    }
    isReading = false;
  };
  const order = new HintOrder((event) => {
    if (!ctx.sockets.has(event.low) && !ctx.sockets.has(event.high)) return;
    const here = event[HERE];
    if (here && !here.message.isUnsent && !isReading && !careful.has(pairOf(event.low, event.high).key)) {
      sendToBoth(ctx, here.message, here.people, here.over);
      return;
    }
    queue.push(event);
    void readAll();
  });
  ctx.eventBus.subscribe("dm", (event) => {
    order.hear(event);
    // By the time that one which had to wait goes on, what it is about may be gone.
    delete event[HERE];
  });

  const takeCare = (one: number, other: number) => {
    const { key } = pairOf(one, other);
    careful.add(key);
    setTimeout(() => careful.delete(key), CAREFUL_MS).unref();
  };
  ctx.eventBus.subscribe("unsent", ({ memberId, friendMemberId }) => takeCare(memberId, friendMemberId));
  ctx.eventBus.subscribe("friend_lost", ({ memberId, friendMemberId }) => takeCare(memberId, friendMemberId));
}

/** Sends each message to its two parties. One that is gone or taken back by now is sent to nobody. */
async function deliver(ctx: AppContext, events: readonly DmHint[]): Promise<void> {
  const pairs = events.map(({ low, high }) => pairOf(low, high));
  const [messages, people] = await Promise.all([
    messagesByIds(
      ctx.db,
      [...new Set(pairs.map(({ key }) => key))],
      events.map(({ id }) => id),
    ),
    loadPeople(ctx, partiesOf(events)),
  ]);
  const byId = new Map(messages.map((row) => [`${row.pair} ${row.message_id}`, row]));

  for (const [index, { id }] of events.entries()) {
    const pair = pairs[index]!;
    const row = byId.get(`${pair.key} ${id}`);
    if (row && row.unsent_no === null) sendToBoth(ctx, openMessage(ctx, pair, row), people);
  }
}

/** Sends a message to its two parties, as each may see it, but not to the socket over which it came: that one is answered. */
function sendToBoth(
  ctx: AppContext,
  message: Message,
  people: Map<number, Person>,
  over: WebSocket | null = null,
): void {
  const { pair } = message;
  for (const viewer of [pair.low, pair.high]) {
    const frameFor = (session: string) => {
      const dm = presentDm(ctx, { memberId: viewer, session }, message, people);
      return dm && { dm };
    };
    ctx.sockets.send(viewer, frameFor, { otherMemberId: otherOf(pair, viewer), except: over });
  }
}

function partiesOf(events: readonly DmHint[]): number[] {
  return [...new Set(events.flatMap(({ low, high }) => [low, high]))];
}
