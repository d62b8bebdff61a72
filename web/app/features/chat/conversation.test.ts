import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getDms, readDm, sendDm, unsendDm, type Dm } from "@alcove/contract/messaging";
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
  /** What the server was told to be read, and how far the friend has. */
  readonly read: string[] = [];
  friendReadId: string | null = null;
  /** The ids of what was taken back, in that order. */
  readonly unsent: string[] = [];
  /** Thrown in place of the next answers, first one first. */
  readonly errors: unknown[] = [];
  /** Answers that are on their way for long, first one first. */
  readonly late: Promise<unknown>[] = [];
  /** While set, answers wait for it. */
  gate: Promise<void> | null = null;
  #clientIds = 0;
  readonly conversation: Conversation;

  constructor() {
    this.conversation = new Conversation("taro", {
      api: (async (call: Call, input: never) => this.#answer(call, input)) as unknown as typeof api,
      now: () => new Date("2026-11-21T10:00:00Z"),
      newId: () => `client-${++this.#clientIds}`,
      show: (file) => ({ address: `blob:${file.name}`, forget: () => this.forgotten.push(file.name) }),
      reconnect: () => this.reconnects++,
      announce: (id) => this.announced.push(id),
      showError: (error) => this.failures.push(error),
    });
  }

  /** A message as the server stores it. */
  store(text: string, from = friend, clientId?: string): Dm {
    const id = `0000-${String(this.dms.length + this.unsent.length).padStart(4, "0")}`;
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

  /** The server takes a message back. */
  unsend(id: string): void {
    this.dms.splice(
      this.dms.findIndex((dm) => dm.id === id),
      1,
    );
    this.unsent.push(id);
  }

  get shown(): string[] {
    return this.conversation.getState().items.map(({ text, delivery }) => `${text} ${delivery}`);
  }

  async #answer(call: Call, input: Record<string, string>): Promise<unknown> {
    const late = this.late.shift();
    if (late) return late;
    await this.gate;
    if (this.errors.length > 0) throw this.errors.shift();
    if (call === (readDm as unknown as Call)) return this.read.push(input["dmId"]!);
    if (call === (unsendDm as unknown as Call)) return this.unsend(input["dmId"]!);
    if (call === (sendDm as unknown as Call)) {
      const known = this.dms.find((dm) => dm.clientId === input["clientId"]);
      return { dm: known ?? this.store(input["description"] ?? "", me, input["clientId"]) };
    }
    expect(call).toBe(getDms);
    return this.#page(input);
  }

  #page({ lastId, afterId, unsentAfter }: Record<string, string | number>): unknown {
    const since = unsentAfter == null ? this.unsent.length : Number(unsentAfter);
    const unsent = this.unsent.slice(since, since + PAGE);
    const state = { read_id: this.friendReadId, unsent, unsent_no: since + unsent.length };
    if (afterId) {
      const newer = this.dms.filter(({ id }) => id > String(afterId));
      const hasMore = newer.length > PAGE || this.unsent.length > state.unsent_no;
      return { ...state, dms: newer.slice(0, PAGE), has_more: hasMore };
    }
    const older = this.dms.filter(({ id }) => !lastId || id < String(lastId));
    return { ...state, dms: older.slice(-PAGE), has_more: older.length > PAGE };
  }
}

const offline = () => Object.assign(new Error("offline"), { name: "OfflineError" });
const refused = (code: string) => Object.assign(new Error(code), { name: "ApiError", code });

function held(): { gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: promise, open: resolve };
}

test("history loads page by page, oldest first, without doubles", async () => {
  const chat = new Chat();
  for (let i = 0; i < 8; i++) chat.store(`m${i}`);

  await chat.conversation.catchUp();
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
  await chat.conversation.catchUp();
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
  await chat.conversation.catchUp();
  const { gate, open } = held();
  chat.gate = gate;
  const sending = chat.conversation.send("hello", null);

  chat.conversation.handleMessage(chat.store("hello", me, "client-1"));
  expect(chat.shown).toEqual(["hello sent"]);
  open();
  await sending;

  expect(chat.shown).toEqual(["hello sent"]);
});

test("messages go out one after the other, in the order in which they were written", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();

  await Promise.all(["a", "b", "c"].map((text) => chat.conversation.send(text, null)));

  expect(chat.dms.map(({ description }) => description)).toEqual(["a", "b", "c"]);
});

test("a message from the other side finds its place by id, before what is not stored yet", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
  const first = chat.store("first");
  const second = chat.store("second");
  const { gate, open } = held();
  chat.gate = gate;
  const sending = chat.conversation.send("mine", null);

  chat.conversation.handleMessage(second);
  chat.conversation.handleMessage(first);

  expect(chat.shown).toEqual(["first sent", "second sent", "mine sending"]);
  open();
  await sending;
});

test("a message of another conversation is not shown", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
  const stranger = { ...friend, user_id: "jiro" };

  chat.conversation.handleMessage({ ...chat.store("not here"), sender: stranger, receiver: me });

  expect(chat.shown).toEqual([]);
});

test("without a connection messages wait, and go out in order once it is back", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
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
  await chat.conversation.catchUp();
  for (let i = 0; i < 10; i++) chat.store(`missed${i}`);

  chat.conversation.handleMessage(chat.dms.at(-1)!);
  await chat.conversation.catchUp();

  expect(chat.shown).toHaveLength(11);
  expect(new Set(chat.shown).size).toBe(11);
});

test("an answer that was lost leaves one message: the retry carries the same clientId", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
  chat.errors.push(offline());
  await chat.conversation.send("hello", null);
  chat.store("hello", me, "client-1"); // it had been stored all the same

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["hello sent"]);
  expect(chat.dms).toHaveLength(1);
});

test("a refused message fails visibly, keeps its text, and can be sent again or let go", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
  chat.errors.push(refused("unexpected"), refused("unexpected"));
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
  await chat.conversation.catchUp();
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
  await atStart.conversation.catchUp();
  expect(atStart.conversation.getState().phase).toBe("closed");
  expect(atStart.failures).toEqual([]);

  const whileSending = new Chat();
  await whileSending.conversation.catchUp();
  whileSending.errors.push(refused("conversation_not_found"));
  await whileSending.conversation.send("too late", null);
  expect(whileSending.conversation.getState().phase).toBe("closed");
  expect(whileSending.shown).toEqual(["too late failed"]);
});

test("a failed load says so and can be tried again", async () => {
  const chat = new Chat();
  chat.store("hello");
  chat.errors.push(offline());
  await chat.conversation.catchUp();
  expect(chat.conversation.getState().phase).toBe("failed");
  expect(chat.failures).toHaveLength(1);

  await chat.conversation.catchUp();

  expect(chat.conversation.getState().phase).toBe("ready");
  expect(chat.shown).toEqual(["hello sent"]);
});

test("only a conversation that is looked at says what was read, and says it once", async () => {
  const chat = new Chat();
  chat.store("mine", me);
  const first = chat.store("first");
  await chat.conversation.catchUp();
  expect(chat.read).toEqual([]);

  chat.conversation.setLookedAt(true);
  chat.conversation.setLookedAt(false);
  const second = chat.store("second");
  chat.conversation.handleMessage(second);
  await expect.poll(() => chat.read).toEqual([first.id]);

  chat.conversation.setLookedAt(true);
  chat.conversation.handleMessage(chat.store("mine again", me));
  chat.conversation.setLookedAt(true);
  await expect.poll(() => chat.read).toEqual([first.id, second.id]);
});

test("what another device of the member has read is not said again", async () => {
  const chat = new Chat();
  const { id } = chat.store("hello");
  chat.conversation.handleRead("hanako", id);

  await chat.conversation.catchUp();
  chat.conversation.setLookedAt(true);

  expect(chat.read).toEqual([]);
  expect(chat.conversation.getState().friendReadId).toBeNull();
});

test("what was read without a connection is said after it is back", async () => {
  const chat = new Chat();
  const { id } = chat.store("hello");
  await chat.conversation.catchUp();
  chat.errors.push(offline());
  chat.conversation.setLookedAt(true);
  await expect.poll(() => chat.errors).toEqual([]);

  await chat.conversation.catchUp();

  await expect.poll(() => chat.read).toEqual([id]);
  expect(chat.failures).toEqual([]);
});

test("how far the friend has read is known from the history, from live events and after a break, and never goes back", async () => {
  const chat = new Chat();
  const ids = ["a", "b", "c"].map((text) => chat.store(text, me).id);
  const read = () => chat.conversation.getState().friendReadId;
  chat.friendReadId = ids[0]!;
  await chat.conversation.catchUp();
  expect(read()).toBe(ids[0]);

  chat.conversation.handleRead("taro", ids[1]!);
  chat.conversation.handleRead("taro", ids[0]!);
  expect(read()).toBe(ids[1]);

  chat.friendReadId = ids[2]!;
  await chat.conversation.catchUp();
  expect(read()).toBe(ids[2]);
});

test("a message that is taken back leaves the screen, and nothing that was under way brings it back", async () => {
  const chat = new Chat();
  const dm = chat.store("too much", me);
  const { gate, open } = held();
  await chat.conversation.catchUp();

  await chat.conversation.unsend(dm.id);
  expect(chat.shown).toEqual([]);
  expect(chat.unsent).toEqual([dm.id]);

  chat.gate = gate;
  const late = chat.conversation.catchUp();
  chat.dms.push(dm); // read before it was taken back
  open();
  await late;
  chat.conversation.handleMessage(dm);
  expect(chat.shown).toEqual([]);
});

test("a message that cannot be taken back stays, and the caller hears why", async () => {
  const chat = new Chat();
  const dm = chat.store("stays", me);
  await chat.conversation.catchUp();
  chat.errors.push(offline());

  await expect(chat.conversation.unsend(dm.id)).rejects.toThrow("offline");

  expect(chat.shown).toEqual(["stays sent"]);
});

test("one that is gone already, taken back on another device, goes here too", async () => {
  const chat = new Chat();
  const dm = chat.store("gone", me);
  await chat.conversation.catchUp();
  chat.errors.push(refused("message_not_found"));

  await chat.conversation.unsend(dm.id);

  expect(chat.shown).toEqual([]);
});

test("what was taken back during a break goes afterwards, however old and however much it is", async () => {
  const chat = new Chat();
  for (let i = 0; i < 9; i++) chat.store(`m${i}`);
  await chat.conversation.catchUp();
  for (let i = 0; i < 2; i++) await chat.conversation.loadOlder();
  expect(chat.shown).toHaveLength(9);
  for (const { id } of chat.dms.slice(0, 8)) chat.unsend(id);

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["m8 sent"]);
});

test("when everything that is shown was taken back, what is before it can still be read", async () => {
  const chat = new Chat();
  for (let i = 0; i < 5; i++) chat.store(`m${i}`);
  await chat.conversation.catchUp();
  for (const { id } of chat.dms.slice(2)) chat.unsend(id);
  await chat.conversation.catchUp();
  expect(chat.shown).toEqual([]);

  await chat.conversation.loadOlder();

  expect(chat.shown).toEqual(["m0 sent", "m1 sent"]);
});

test("what was asked before a break and is answered never keeps nobody from what was missed", async () => {
  const chat = new Chat();
  chat.store("before");
  chat.gate = new Promise(() => undefined);
  void chat.conversation.catchUp();
  chat.gate = null;
  chat.store("missed");

  await chat.conversation.catchUp();

  expect(chat.shown).toEqual(["before sent", "missed sent"]);
});

test("after a hundred messages that live events alone told of the server is asked, so that none is missing for long", async () => {
  const chat = new Chat();
  chat.store("first");
  await chat.conversation.catchUp();
  chat.store("never told");

  for (let i = 0; i < 100; i++) chat.conversation.handleMessage(chat.store(`m${i}`));

  await expect.poll(() => chat.shown).toContain("never told sent");
});

test("a message sent again after another device took it back is not on its way any more", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
  const { gate, open } = held();
  chat.gate = gate;
  const sending = chat.conversation.send("too much", null);
  chat.dms.push({ ...chat.store("", me, "client-1"), description: null, unsent: true });
  chat.dms.shift();
  open();
  await sending;

  expect(chat.shown).toEqual([]);
});

test("too many messages in a minute: the refused one says so, keeps its words, and goes out when it is sent again", async () => {
  const chat = new Chat();
  await chat.conversation.catchUp();
  chat.errors.push(refused("too_many_requests"));

  await chat.conversation.send("one too many", null);
  expect(chat.shown).toEqual(["one too many failed"]);
  expect(chat.failures).toHaveLength(1);

  await chat.conversation.retry("client-1");
  expect(chat.shown).toEqual(["one too many sent"]);
});

test("what is on screen keeps its place in memory while nothing of it changes", async () => {
  const chat = new Chat();
  chat.store("hello");
  await chat.conversation.catchUp();
  const [before] = chat.conversation.getState().items;

  chat.conversation.handleMessage({ ...chat.dms[0]! });
  chat.conversation.handleMessage(chat.store("more"));

  expect(chat.conversation.getState().items[0]).toBe(before);
});

test("marks that are shown no more are gone at once, whatever a page says that was asked for before", async () => {
  const chat = new Chat();
  const { id } = chat.store("mine", me, "client-0");
  chat.friendReadId = id;
  await chat.conversation.catchUp();
  const read = () => chat.conversation.getState().friendReadId;
  expect(read()).toBe(id);

  const { promise, resolve } = Promise.withResolvers<unknown>();
  chat.late.push(promise);
  const before = chat.conversation.catchUp();
  chat.friendReadId = null;
  const { gate, open } = held();
  chat.gate = gate;
  const asking = chat.conversation.refreshFriendRead();
  expect(read()).toBeNull();
  resolve({ dms: [], has_more: false, read_id: id, unsent: [], unsent_no: 0 });
  await before;
  expect(read()).toBeNull();
  open();
  await asking;
  expect(read()).toBeNull();

  chat.friendReadId = id;
  await chat.conversation.refreshFriendRead();
  expect(read()).toBe(id);
});
