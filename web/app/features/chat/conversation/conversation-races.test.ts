import fc from "fast-check";
import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { REACTIONS, type Dm, type ReactionName } from "@alcove/contract/messaging";
import type { api } from "../../../lib/api/api.ts";
import { ApiError, OfflineError } from "../../../lib/api/errors.ts";
import { Conversation } from "./conversation.ts";
import { createTransport } from "./transport.ts";

const hanako = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
const taro = { user_id: "taro", username: "Taro", icon: "/media/t" };
const PAGE = 3;

type Input = Record<string, string | number | null | undefined>;
type Frame = { dm: Dm } | { unsentId: string } | { reactedId: string; isOwn: boolean };

/** A pending call: not yet at the server, or with a response on its way back. */
interface PendingCall {
  readonly call: Call;
  readonly input: Input;
  readonly result: PromiseWithResolvers<unknown>;
  outcome: { response: unknown } | { error: Error } | null;
}

/** Hanako's device and a server. Calls, responses and events move only when a step moves them. */
class Network {
  readonly dms: Dm[] = [];
  readonly #changes: { id: string; isUnsent: boolean }[] = [];
  readonly calls: PendingCall[] = [];
  frames: Frame[] = [];
  isConnected = false;
  isOnScreen = false;
  #written = 0;
  #stored = 0;
  readonly #call = ((call: Call, input: Input) => {
    const result = Promise.withResolvers<unknown>();
    this.calls.push({ call, input, result, outcome: null });
    return result.promise;
  }) as unknown as typeof api;
  readonly conversation = new Conversation("taro", {
    api: this.#call,
    transport: createTransport({
      call: this.#call,
      announce: () => undefined,
      isLocked: () => false,
    }),
    loadOutbox: () => [],
    storeOutbox: () => undefined,
    returnText: () => undefined,
    now: () => new Date("2026-11-21T10:00:00Z"),
    newId: () => `client-${this.#written}`,
    createPreview: () => ({ url: "blob:", revoke: () => undefined }),
    showTyping: async () => undefined,
    setTimer: () => () => undefined,
    reconnect: () => this.disconnect(),
    isConnectionOpen: () => true,
    showError: () => undefined,
  });

  write(): void {
    void this.conversation.send(`own ${++this.#written}`, null);
  }

  store(from: typeof taro, description = `friend's ${++this.#written}`, clientId?: string): Dm {
    const id = `id-${String(++this.#stored).padStart(5, "0")}`;
    const dm: Dm = {
      id,
      sender: from,
      receiver: from === taro ? hanako : taro,
      description,
      file: null,
      voice: null,
      voice_seconds: null,
      created_at: "2026-11-21T10:00:00.000Z",
      reactions: [],
      ...(clientId ? { clientId } : {}),
    };
    this.dms.push(dm);
    this.#publish({ dm });
    return dm;
  }

  unsendElsewhere(n: number): void {
    const dm = this.dms.at(-1 - n);
    if (!dm) return;
    this.dms.splice(this.dms.indexOf(dm), 1);
    this.#changes.push({ id: dm.id, isUnsent: true });
    this.#publish({ unsentId: dm.id });
  }

  reactElsewhere(n: number): void {
    const dm = this.dms.at(-1 - (n % 4));
    if (dm) this.#react(dm.id, n % 2 === 0, n > 6 ? null : REACTIONS[n % REACTIONS.length]!);
  }

  /** To a message that the device shows. */
  react(n: number): void {
    const id = this.ids.at(-1 - (n % 4));
    if (id) void this.conversation.react(id, n > 6 ? null : REACTIONS[n % REACTIONS.length]!);
  }

  #react(id: string, mine: boolean, reaction: ReactionName | null): void {
    const at = this.dms.findIndex((dm) => dm.id === id);
    if (at < 0) return;
    const others = this.dms[at]!.reactions.filter((each) => each.mine !== mine);
    this.dms[at] = { ...this.dms[at]!, reactions: [...others, ...(reaction ? [{ reaction, mine }] : [])] };
    this.#changes.push({ id, isUnsent: false });
    this.#publish({ reactedId: id, isOwn: mine });
  }

  /** The server reads the reaction when it sends the frame. */
  #receiveReaction(dmId: string, isOwn: boolean): void {
    const dm = this.dms.find(({ id }) => id === dmId);
    const reaction = dm?.reactions.find(({ mine }) => mine === isOwn)?.reaction ?? null;
    if (dm) this.conversation.handleReaction(dmId, isOwn ? "hanako" : "taro", reaction);
  }

  /** Of each message: the friend's reaction, then the member's. */
  get reactions(): unknown[] {
    return this.dms.map(({ reactions }) => {
      const of = (isOwn: boolean) => reactions.find(({ mine }) => mine === isOwn)?.reaction ?? null;
      return [of(false), of(true)];
    });
  }

  get shownReactions(): unknown[] {
    return this.conversation.getState().items.map((item) => [item.friendReaction, item.ownReaction]);
  }

  connect(): void {
    this.isConnected = true;
    void this.conversation.sendWaiting();
    if (this.isOnScreen) void this.conversation.catchUp();
  }

  disconnect(): void {
    this.isConnected = false;
    this.frames = [];
  }

  open(): void {
    this.isOnScreen = true;
    void this.conversation.catchUp();
  }

  receiveEvent(): void {
    const frame = this.frames.shift();
    if (frame && "dm" in frame) this.conversation.handleMessage(frame.dm);
    if (frame && "unsentId" in frame) this.conversation.handleUnsent(frame.unsentId);
    if (frame && "reactedId" in frame) this.#receiveReaction(frame.reactedId, frame.isOwn);
  }

  arrive(call: PendingCall | undefined): void {
    if (!call || call.outcome) return;
    call.outcome = { response: this.#serve(call.call, call.input) };
  }

  respond(call: PendingCall | undefined): void {
    if (!call?.outcome) return;
    this.calls.splice(this.calls.indexOf(call), 1);
    if ("response" in call.outcome) call.result.resolve(call.outcome.response);
    else call.result.reject(call.outcome.error);
  }

  fail(call: PendingCall | undefined, error: Error): void {
    if (!call) return;
    call.outcome = { error };
    this.respond(call);
  }

  retryFailed(): void {
    for (const { key, delivery } of this.conversation.getState().items)
      if (delivery === "failed") void this.conversation.retry(key);
  }

  /** Delivers everything until nothing is pending. Responses may still overtake each other. */
  async settle(isReversed: boolean): Promise<void> {
    do {
      for (const call of this.calls) this.arrive(call);
      for (const call of isReversed ? this.calls.toReversed() : [...this.calls]) {
        this.respond(call);
        await turn();
      }
      while (this.frames.length > 0) this.receiveEvent();
      await turn();
    } while (this.calls.length > 0);
  }

  get shown(): (string | null)[] {
    return this.conversation.getState().items.map(({ text }) => text);
  }

  get ids(): string[] {
    return this.conversation.getState().items.flatMap(({ id }) => id ?? []);
  }

  #publish(frame: Frame): void {
    if (this.isConnected) this.frames.push(frame);
  }

  #serve(call: Call, input: Input): unknown {
    if (call.name === "readDm" || call.name === "unsendDm") return undefined;
    if (call.name === "getDms") return this.#page(input);
    if (call.name === "reactToDm")
      return this.#react(String(input["dmId"]), true, input["reaction"] as ReactionName | null);
    expect(call.name).toBe("sendDm");
    const clientId = String(input["clientId"]);
    const known = this.dms.find((dm) => dm.clientId === clientId);
    if (known || !this.#clientIds.has(clientId)) {
      this.#clientIds.add(clientId);
      return { dm: known ?? this.store(hanako, String(input["description"]), clientId) };
    }
    const gone = { ...this.store(hanako, "gone", clientId), unsent: true as const };
    this.dms.pop();
    this.frames = this.frames.filter((frame) => !("dm" in frame) || frame.dm.id !== gone.id);
    return { dm: gone };
  }
  readonly #clientIds = new Set<string>();

  #page({ lastId, afterId, unsentAfter }: Input): unknown {
    const since = unsentAfter == null ? this.#changes.length : Number(unsentAfter);
    const changes = this.#changes.slice(since, since + PAGE);
    const reactedIds = new Set(changes.filter(({ isUnsent }) => !isUnsent).map(({ id }) => id));
    const state = {
      read_id: null,
      unsent: changes.filter(({ isUnsent }) => isUnsent).map(({ id }) => id),
      reacted: this.dms
        .filter(({ id }) => reactedIds.has(id))
        .map(({ id, reactions }) => ({ id, reactions })),
      unsent_no: since + changes.length,
      taken_back: [],
    };
    const hasMoreUnsent = this.#changes.length > state.unsent_no;
    if (afterId != null) {
      const newer = this.dms.filter(({ id }) => id > String(afterId));
      return { ...state, dms: newer.slice(0, PAGE), has_more: newer.length > PAGE || hasMoreUnsent };
    }
    const older = this.dms.filter(({ id }) => lastId == null || id < String(lastId));
    return { ...state, dms: older.slice(-PAGE), has_more: older.length > PAGE || hasMoreUnsent };
  }
}

const turn = () => new Promise((done) => setImmediate(done));

const steps: Record<string, (network: Network, n: number) => void> = {
  write: (network) => network.write(),
  writeMany: (network, n) => Array.from({ length: 3 * n }, () => network.write()),
  friendWrites: (network, n) => Array.from({ length: n }, () => network.store(taro)),
  writeElsewhere: (network) => network.store(hanako),
  unsendElsewhere: (network, n) => network.unsendElsewhere(n),
  reactElsewhere: (network, n) => network.reactElsewhere(n),
  react: (network, n) => network.react(n),
  arrive: (network, n) => network.arrive(network.calls[n]),
  respond: (network, n) => network.respond(network.calls[n]),
  arriveAll: (network) => network.calls.forEach((call) => network.arrive(call)),
  respondAll: (network) => [...network.calls].forEach((call) => network.respond(call)),
  loseCall: (network, n) => network.fail(network.calls[n], new OfflineError()),
  rejectCall: (network, n) => network.fail(network.calls[n], new ApiError(500, {})),
  retryFailed: (network) => network.retryFailed(),
  receiveEvent: (network) => network.receiveEvent(),
  receiveEvents: (network) => network.frames.slice().forEach(() => network.receiveEvent()),
  loseEvent: (network) => network.frames.shift(),
  delayEvent: ({ frames }) => frames.push(...frames.splice(0, 1)),
  disconnect: (network) => network.disconnect(),
  connect: (network) => network.connect(),
  open: (network) => network.open(),
  leave: (network) => (network.isOnScreen = false),
  loadOlder: (network) => void network.conversation.loadOlder(),
};

const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat({ max: 9 }));

test("shows all stored messages once and in order when the network loses, delays and reorders calls", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60, size: "max" }),
      fc.boolean(),
      async (sequence, isReversed) => {
        const network = new Network();
        for (const [name, n] of sequence) {
          steps[name]!(network, n);
          await turn();
          expect(network.ids).toEqual([...new Set(network.ids)].toSorted());
          expect(new Set(network.shown).size).toBe(network.shown.length);
        }

        network.disconnect();
        network.open();
        network.connect();
        await network.settle(isReversed);
        network.retryFailed();
        await network.settle(isReversed);
        const stored = network.dms.map(({ id }) => id);
        expect(network.ids).toEqual(network.ids.length === 0 ? [] : stored.slice(-network.ids.length));
        while (network.conversation.getState().older !== "none") {
          void network.conversation.loadOlder();
          await network.settle(isReversed);
        }

        expect(network.ids).toEqual(stored);
        expect(network.conversation.getState().status).toBe("live");
        expect(network.shown).toEqual(network.dms.map(({ description }) => description));
        expect(network.shownReactions).toEqual(network.reactions);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test("ignores a page that arrives after a page that was requested later", async () => {
  const network = new Network();
  network.store(taro);
  network.open();
  const [early] = network.calls;
  network.arrive(early);
  network.unsendElsewhere(0);
  network.connect();
  const late = network.calls.at(-1);
  network.arrive(late);

  network.respond(late);
  await turn();
  network.respond(early);
  await turn();

  expect(network.shown).toEqual([]);
});

test("shows the stored reaction when the first page was requested before an event and a later event was lost", async () => {
  const network = new Network();
  network.store(taro);
  network.connect();
  network.open();
  network.reactElsewhere(4);
  network.receiveEvent();
  network.reactElsewhere(0);
  network.frames = [];

  await network.settle(false);

  expect(network.shownReactions).toEqual([[null, "heart"]]);
});
