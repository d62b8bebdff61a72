import type { WebSocket } from "ws";
import type { Deps } from "../platform/context.ts";
import { loadPeople, type Person } from "../profiles/index.ts";
import { type DmHint, HERE, HintOrder } from "./group-commit/event-reorder.ts";
import { messagesByIds } from "./messages.sql.ts";
import { otherOf, pairOf } from "./pair.ts";
import { type Message, openMessage, presentDm } from "./present.ts";

declare module "../platform/realtime/event-bus.ts" {
  interface Hints {
    dm: DmHint;
  }
}

const BATCH = 200;

/** So long after something of a pair was ended or taken back its messages are read again before they are sent. */
const CAREFUL_MS = 5_000;

/**
 * Brings stored messages to the sockets of this process: hints of both parties' pairs are put in order, then read
 * together, while the next ones gather. A message that this process has just stored, and whose turn it is, goes out as it
 * is.
 */
export function deliverMessages(deps: Deps): void {
  const queue: DmHint[] = [];
  const careful = new Set<string>();
  let isReading = false;

  const readAll = async () => {
    if (isReading) return;
    isReading = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      await deliver(deps, batch).catch((error: unknown) => {
        deps.log.error({ err: error }, "messages could not be read for their sockets");
        // Their clients come back and ask for what they missed.
        for (const no of partiesOf(batch)) deps.sockets.askBack(no);
      });
    }
    isReading = false;
  };
  const order = new HintOrder((hint) => {
    if (!deps.sockets.has(hint.low) && !deps.sockets.has(hint.high)) return;
    const here = hint[HERE];
    if (here && !here.message.isUnsent && !isReading && !careful.has(pairOf(hint.low, hint.high).key)) {
      sendToBoth(deps, here.message, here.people, here.over);
      return;
    }
    queue.push(hint);
    void readAll();
  });
  deps.live.on("dm", (hint) => {
    order.hear(hint);
    // By the time that one which had to wait goes on, what it is about may be gone.
    delete hint[HERE];
  });

  const takeCare = (one: number, other: number) => {
    const { key } = pairOf(one, other);
    careful.add(key);
    setTimeout(() => careful.delete(key), CAREFUL_MS).unref();
  };
  deps.live.on("unsent", ({ no, friendNo }) => takeCare(no, friendNo));
  deps.live.on("friend_lost", ({ no, friendNo }) => takeCare(no, friendNo));
}

/** Sends each message to its two parties. One that is gone or taken back by now is sent to nobody. */
async function deliver(deps: Deps, hints: readonly DmHint[]): Promise<void> {
  const pairs = hints.map(({ low, high }) => pairOf(low, high));
  const [messages, people] = await Promise.all([
    messagesByIds(
      deps.db,
      [...new Set(pairs.map(({ key }) => key))],
      hints.map(({ id }) => id),
    ),
    loadPeople(deps, partiesOf(hints)),
  ]);
  const byId = new Map(messages.map((row) => [`${row.pair} ${row.message_id}`, row]));

  for (const [index, { id }] of hints.entries()) {
    const pair = pairs[index]!;
    const row = byId.get(`${pair.key} ${id}`);
    if (row && row.unsent_no === null) sendToBoth(deps, openMessage(deps, pair, row), people);
  }
}

/** Sends a message to its two parties, as each may see it, but not to the socket over which it came: that one is answered. */
function sendToBoth(
  deps: Deps,
  message: Message,
  people: Map<number, Person>,
  over: WebSocket | null = null,
): void {
  const { pair } = message;
  for (const viewer of [pair.low, pair.high]) {
    const frameFor = (session: string) => {
      const dm = presentDm(deps, { no: viewer, session }, message, people);
      return dm && { dm };
    };
    deps.sockets.send(viewer, frameFor, { otherNo: otherOf(pair, viewer), except: over });
  }
}

function partiesOf(hints: readonly DmHint[]): number[] {
  return [...new Set(hints.flatMap(({ low, high }) => [low, high]))];
}
