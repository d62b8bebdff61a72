import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getDms, type Dm } from "@alcove/contract/messaging";
import type { api } from "../../lib/api.ts";
import { Conversation } from "./conversation.ts";

const me = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
const friend = { user_id: "taro", username: "Taro", icon: "/media/t" };
const PAGE = 3;

/** A server with one conversation, whose answers the test can hold back or refuse. */
class Chat {
  readonly dms: Dm[] = [];
  readonly failures: unknown[] = [];
  readonly announced: string[] = [];
  reconnects = 0;
  readonly forgotten: string[] = [];
  /** Thrown in place of the next answers, first one first. */
  readonly errors: unknown[] = [];
  /** While set, answers wait for it. */
  gate: Promise<void> | null = null;
  #clientIds = 0;
  readonly conversation: Conversation;

  constructor() {
    this.conversation = new Conversation("taro", {
      ask: (async (call: Call, input: never) => this.#answer(call, input)) as unknown as typeof api,
      now: () => new Date("2026-11-21T10:00:00Z"),
      newId: () => `client-${++this.#clientIds}`,
      show: (file) => ({ address: `blob:${file.name}`, forget: () => this.forgotten.push(file.name) }),
      reconnect: () => this.reconnects++,
      announce: (id) => this.announced.push(id),
      fail: (error) => this.failures.push(error),
    });
  }

  /** A message as the server stores it. */
  store(text: string, from = friend, clientId?: string): Dm {
    const id = `0000-${String(this.dms.length).padStart(4, "0")}`;
    const dm: Dm = {
      id,
      sender: from,
      receiver: from === friend ? me : friend,
      description: text,
      file: null,
      created_at: "2026-11-21T10:00:00.000Z",
      ...(clientId ? { clientId } : {}),
    };
    this.dms.push(dm);
    return dm;
  }

  get shown(): string[] {
    return this.conversation.getState().items.map(({ text, delivery }) => `${text} ${delivery}`);
  }

  async #answer(call: Call, input: Record<string, string>): Promise<unknown> {
    await this.gate;
    if (this.errors.length > 0) throw this.errors.shift();
    if (call !== (getDms as unknown as Call)) {
      const known = this.dms.find((dm) => dm.clientId === input["clientId"]);
      return { dm: known ?? this.store(input["description"] ?? "", me, input["clientId"]) };
    }
    const { lastId, afterId } = input;
    if (afterId) {
      const newer = this.dms.filter(({ id }) => id > afterId);
      return { dms: newer.slice(0, PAGE), has_more: newer.length > PAGE };
    }
    const older = this.dms.filter(({ id }) => !lastId || id < lastId);
    return { dms: older.slice(-PAGE), has_more: older.length > PAGE };
  }
}

const offline = () => Object.assign(new Error("offline"), { name: "Offline" });
const refused = (code: string) => Object.assign(new Error(code), { name: "Refused", code });

function held(): { gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: promise, open: resolve };
}

test("history loads page by page, oldest first, without doubles", async () => {
  const chat = new Chat();
  for (let i = 0; i < 8; i++) chat.store(`m${i}`);

  await chat.conversation.load();
  expect(chat.shown).toEqual(["m5 sent", "m6 sent", "m7 sent"]);
  expect(chat.conversation.getState().hasMore).toBe(true);

  await Promise.all([chat.conversation.loadOlder(), chat.conversation.loadOlder()]);
  await chat.conversation.loadOlder();
  await chat.conversation.loadOlder();
  expect(chat.shown).toEqual(["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"].map((text) => `${text} sent`));
  expect(chat.conversation.getState().hasMore).toBe(false);
});

test("what is sent shows at once, and takes the server's place when it is stored", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  const { gate, open } = held();
  chat.gate = gate;

  const sending = chat.conversation.send("hello", null);
  expect(chat.shown).toEqual(["hello sending"]);
  const [{ key } = { key: "" }] = chat.conversation.getState().items;
  open();
  await sending;

  expect(chat.shown).toEqual(["hello sent"]);
  expect(chat.conversation.getState().items[0]!.key).toBe(key);
  expect(chat.announced).toEqual([chat.dms[0]!.id]);
});

test("when the live event is faster than the answer, the message is still there once", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  const { gate, open } = held();
  chat.gate = gate;
  const sending = chat.conversation.send("hello", null);

  chat.conversation.receive(chat.store("hello", me, "client-1"));
  expect(chat.shown).toEqual(["hello sent"]);
  open();
  await sending;

  expect(chat.shown).toEqual(["hello sent"]);
});

test("messages go out one after the other, in the order in which they were written", async () => {
  const chat = new Chat();
  await chat.conversation.load();

  await Promise.all(["a", "b", "c"].map((text) => chat.conversation.send(text, null)));

  expect(chat.dms.map(({ description }) => description)).toEqual(["a", "b", "c"]);
});

test("a message from the other side finds its place by id, before what is not stored yet", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  const first = chat.store("first");
  const second = chat.store("second");
  const { gate, open } = held();
  chat.gate = gate;
  const sending = chat.conversation.send("mine", null);

  chat.conversation.receive(second);
  chat.conversation.receive(first);

  expect(chat.shown).toEqual(["first sent", "second sent", "mine sending"]);
  open();
  await sending;
});

test("a message of another conversation is not shown", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  const stranger = { ...friend, user_id: "jiro" };

  chat.conversation.receive({ ...chat.store("not here"), sender: stranger, receiver: me });

  expect(chat.shown).toEqual([]);
});

test("without a connection messages wait, and go out in order once it is back", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  chat.errors.push(offline());
  await Promise.all([chat.conversation.send("a", null), chat.conversation.send("b", null)]);
  expect(chat.shown).toEqual(["a waiting", "b waiting"]);
  expect(chat.failures).toEqual([]);
  expect(chat.reconnects).toBe(1);

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["a sent", "b sent"]);
});

test("after a break everything that was missed is fetched, however much, and nothing is there twice", async () => {
  const chat = new Chat();
  chat.store("before");
  await chat.conversation.load();
  for (let i = 0; i < 10; i++) chat.store(`missed${i}`);

  chat.conversation.receive(chat.dms.at(-1)!);
  await chat.conversation.catchUp();

  expect(chat.shown).toHaveLength(11);
  expect(new Set(chat.shown).size).toBe(11);
});

test("an answer that was lost leaves one message: the retry carries the same clientId", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  chat.errors.push(offline());
  await chat.conversation.send("hello", null);
  chat.store("hello", me, "client-1"); // it had been stored all the same

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["hello sent"]);
  expect(chat.dms).toHaveLength(1);
});

test("a refused message fails visibly, keeps its text, and can be sent again or let go", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  chat.errors.push(refused("fault"), refused("fault"));
  await chat.conversation.send("one", null);
  await chat.conversation.send("two", null);
  expect(chat.shown).toEqual(["one failed", "two failed"]);
  expect(chat.failures).toHaveLength(2);

  await chat.conversation.retry("client-1");
  chat.conversation.discard("client-2");

  expect(chat.shown).toEqual(["one sent"]);
});

test("a picture shows from the device until the server has it, and is then let go", async () => {
  const chat = new Chat();
  await chat.conversation.load();
  const { gate, open } = held();
  chat.gate = gate;
  const sending = chat.conversation.send(null, new File(["x"], "cat.png"));
  expect(chat.conversation.getState().items[0]!.image).toBe("blob:cat.png");

  open();
  await sending;

  expect(chat.forgotten).toEqual(["cat.png"]);
});

test("a conversation that has ended is closed, whenever that shows", async () => {
  const atStart = new Chat();
  atStart.errors.push(refused("conversation_not_found"));
  await atStart.conversation.load();
  expect(atStart.conversation.getState().phase).toBe("closed");
  expect(atStart.failures).toEqual([]);

  const whileSending = new Chat();
  await whileSending.conversation.load();
  whileSending.errors.push(refused("conversation_not_found"));
  await whileSending.conversation.send("too late", null);
  expect(whileSending.conversation.getState().phase).toBe("closed");
  expect(whileSending.shown).toEqual(["too late failed"]);
});

test("a failed load says so and can be tried again", async () => {
  const chat = new Chat();
  chat.store("hello");
  chat.errors.push(offline());
  await chat.conversation.load();
  expect(chat.conversation.getState().phase).toBe("failed");
  expect(chat.failures).toHaveLength(1);

  await chat.conversation.load();

  expect(chat.conversation.getState().phase).toBe("ready");
  expect(chat.shown).toEqual(["hello sent"]);
});
