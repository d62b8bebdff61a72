import fc from "fast-check";
import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getDms, readDm, sendDm, unsendDm, type Dm } from "@alcove/contract/messaging";
import type { api } from "../../lib/api.ts";
import { Conversation } from "./conversation.ts";

const hanako = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
const taro = { user_id: "taro", username: "Taro", icon: "/media/t" };
const PAGE = 3;

type Input = Record<string, string | number | null | undefined>;
type Frame = { dm: Dm } | { unsentId: string };

/** A call on its way: not yet at the server, or answered and on its way back. */
interface Asked {
  readonly call: Call;
  readonly input: Input;
  readonly back: PromiseWithResolvers<unknown>;
  outcome: { answer: unknown } | { error: Error } | null;
}

/** Hanako's device and a server with one conversation; nothing crosses the line between them before the test says so. */
class Story {
  readonly dms: Dm[] = [];
  readonly unsent: string[] = [];
  readonly asked: Asked[] = [];
  frames: Frame[] = [];
  isConnected = false;
  isOnScreen = false;
  #said = 0;
  #stored = 0;
  readonly conversation = new Conversation("taro", {
    api: ((call: Call, input: Input) => {
      const back = Promise.withResolvers<unknown>();
      this.asked.push({ call, input, back, outcome: null });
      return back.promise;
    }) as unknown as typeof api,
    now: () => new Date("2026-11-21T10:00:00Z"),
    newId: () => `client-${this.#said}`,
    show: () => ({ address: "blob:", forget: () => undefined }),
    announce: () => undefined,
    reconnect: () => this.disconnect(),
    showError: () => undefined,
  });

  /** Hanako writes on this device. */
  write(): void {
    void this.conversation.send(`said ${++this.#said}`, null);
  }

  /** Somebody's message reaches the server. */
  store(from: typeof taro, description = `heard ${++this.#said}`, clientId?: string): Dm {
    const id = `id-${String(++this.#stored).padStart(5, "0")}`;
    const dm: Dm = {
      id,
      sender: from,
      receiver: from === taro ? hanako : taro,
      description,
      file: null,
      created_at: "2026-11-21T10:00:00.000Z",
      ...(clientId ? { clientId } : {}),
    };
    this.dms.push(dm);
    this.#tell({ dm });
    return dm;
  }

  /** The `n`th of the newest messages is taken back somewhere. */
  takeBack(n: number): void {
    const dm = this.dms.at(-1 - n);
    if (!dm) return;
    this.dms.splice(this.dms.indexOf(dm), 1);
    this.unsent.push(dm.id);
    this.#tell({ unsentId: dm.id });
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

  hear(): void {
    const frame = this.frames.shift();
    if (frame && "dm" in frame) this.conversation.handleMessage(frame.dm);
    if (frame && "unsentId" in frame) this.conversation.handleUnsent(frame.unsentId);
  }

  /** A call reaches the server. */
  arrive(asked: Asked | undefined): void {
    if (!asked || asked.outcome) return;
    asked.outcome = { answer: this.#answer(asked.call, asked.input) };
  }

  /** What the server has answered reaches the device. */
  comeBack(asked: Asked | undefined): void {
    if (!asked?.outcome) return;
    this.asked.splice(this.asked.indexOf(asked), 1);
    if ("answer" in asked.outcome) asked.back.resolve(asked.outcome.answer);
    else asked.back.reject(asked.outcome.error);
  }

  /** A call or its answer is lost. */
  lose(asked: Asked | undefined, name: "OfflineError" | "ApiError"): void {
    if (!asked) return;
    asked.outcome = { error: Object.assign(new Error(name), { name, code: "unexpected" }) };
    this.comeBack(asked);
  }

  sendAgain(): void {
    for (const { key, delivery } of this.conversation.getState().items)
      if (delivery === "failed") void this.conversation.retry(key);
  }

  /** From here on nothing is lost, until nothing is left to do; answers may overtake each other still. */
  async settle(isReversed: boolean): Promise<void> {
    do {
      for (const asked of this.asked) this.arrive(asked);
      for (const asked of isReversed ? this.asked.toReversed() : [...this.asked]) {
        this.comeBack(asked);
        await turn();
      }
      while (this.frames.length > 0) this.hear();
      await turn();
    } while (this.asked.length > 0);
  }

  get shown(): (string | null)[] {
    return this.conversation.getState().items.map(({ text }) => text);
  }

  get ids(): string[] {
    return this.conversation.getState().items.flatMap(({ id }) => id ?? []);
  }

  #tell(frame: Frame): void {
    if (this.isConnected) this.frames.push(frame);
  }

  #answer(call: Call, input: Input): unknown {
    if (call === (readDm as unknown as Call) || call === (unsendDm as unknown as Call)) return undefined;
    if (call === (getDms as unknown as Call)) return this.#page(input);
    expect(call).toBe(sendDm);
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
    const since = unsentAfter == null ? this.unsent.length : Number(unsentAfter);
    const unsent = this.unsent.slice(since, since + PAGE);
    const state = { read_id: null, unsent, unsent_no: since + unsent.length };
    const hasMoreUnsent = this.unsent.length > state.unsent_no;
    if (afterId != null) {
      const newer = this.dms.filter(({ id }) => id > String(afterId));
      return { ...state, dms: newer.slice(0, PAGE), has_more: newer.length > PAGE || hasMoreUnsent };
    }
    const older = this.dms.filter(({ id }) => lastId == null || id < String(lastId));
    return { ...state, dms: older.slice(-PAGE), has_more: older.length > PAGE || hasMoreUnsent };
  }
}

const turn = () => new Promise((done) => setImmediate(done));

const steps: Record<string, (story: Story, n: number) => void> = {
  write: (story) => story.write(),
  writeMany: (story, n) => Array.from({ length: 3 * n }, () => story.write()),
  hearFromTaro: (story, n) => Array.from({ length: n }, () => story.store(taro)),
  writeElsewhere: (story) => story.store(hanako),
  takeBack: (story, n) => story.takeBack(n),
  arrive: (story, n) => story.arrive(story.asked[n]),
  comeBack: (story, n) => story.comeBack(story.asked[n]),
  arriveAll: (story) => story.asked.forEach((asked) => story.arrive(asked)),
  comeBackAll: (story) => [...story.asked].forEach((asked) => story.comeBack(asked)),
  loseTheWay: (story, n) => story.lose(story.asked[n], "OfflineError"),
  failTheWay: (story, n) => story.lose(story.asked[n], "ApiError"),
  sendAgain: (story) => story.sendAgain(),
  hear: (story) => story.hear(),
  hearAll: (story) => story.frames.slice().forEach(() => story.hear()),
  neverTold: (story) => story.frames.shift(),
  overtake: ({ frames }) => frames.push(...frames.splice(0, 1)),
  disconnect: (story) => story.disconnect(),
  connect: (story) => story.connect(),
  open: (story) => story.open(),
  leave: (story) => (story.isOnScreen = false),
  loadOlder: (story) => void story.conversation.loadOlder(),
};

const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat({ max: 9 }));

test("whatever a line loses, delays or overtakes, in the end everything that is stored is shown, in its order and once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60, size: "max" }),
      fc.boolean(),
      async (plot, isReversed) => {
        const story = new Story();
        for (const [name, n] of plot) {
          steps[name]!(story, n);
          await turn();
          expect(story.ids).toEqual([...new Set(story.ids)].toSorted());
          expect(new Set(story.shown).size).toBe(story.shown.length);
        }

        story.disconnect();
        story.open();
        story.connect();
        await story.settle(isReversed);
        story.sendAgain();
        await story.settle(isReversed);
        const stored = story.dms.map(({ id }) => id);
        expect(story.ids).toEqual(story.ids.length === 0 ? [] : stored.slice(-story.ids.length));
        while (story.conversation.getState().hasMore) {
          void story.conversation.loadOlder();
          await story.settle(isReversed);
        }

        expect(story.ids).toEqual(stored);
        expect(story.conversation.getState()).toMatchObject({ phase: "ready", isLoadingOlder: false });
        expect(story.shown).toEqual(story.dms.map(({ description }) => description));
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test("a page that was read before another, and comes after it, brings nothing back", async () => {
  const story = new Story();
  story.store(taro);
  story.open();
  const [early] = story.asked;
  story.arrive(early);
  story.takeBack(0);
  story.connect();
  const late = story.asked.at(-1);
  story.arrive(late);

  story.comeBack(late);
  await turn();
  story.comeBack(early);
  await turn();

  expect(story.shown).toEqual([]);
});
