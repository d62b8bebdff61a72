import { expect, test } from "vitest";
import { Outbox, type Outgoing } from "./outbox.ts";

const offline = () => Object.assign(new Error("offline"), { name: "OfflineError" });

/** An outbox and a server, which the test can hold back or let refuse. */
class Desk {
  /** What was asked of the server, in that order, whatever it answered. */
  readonly posted: string[] = [];
  readonly stored: string[] = [];
  /** Thrown in place of the next answers, first one first. */
  readonly errors: Error[] = [];
  readonly failures: unknown[] = [];
  readonly forgotten: string[] = [];
  /** While set, answers wait for it. */
  gate: Promise<void> | null = null;
  breaks = 0;
  #ids = 0;
  /** What was seen after each change. */
  readonly seen: string[][] = [];
  readonly outbox: Outbox = new Outbox({
    now: () => new Date("2026-11-21T10:00:00Z"),
    newId: () => `client-${++this.#ids}`,
    show: ({ name }) => ({ address: `blob:${name}`, forget: () => this.forgotten.push(name) }),
    post: (message) => this.#store(message),
    changed: () => this.seen.push(this.shown),
    cutOff: () => this.breaks++,
    fail: (error) => this.failures.push(error),
  });

  get shown(): string[] {
    return this.outbox.messages.map(({ text, delivery }) => `${text} ${delivery}`);
  }

  async #store({ clientId, text }: Outgoing): Promise<void> {
    this.posted.push(text ?? "");
    await this.gate;
    const error = this.errors.shift();
    if (error) throw error;
    this.stored.push(`${clientId} ${text}`);
    this.outbox.settle(clientId);
  }
}

function held(): { gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: promise, open: resolve };
}

test("a message is in the outbox at once, and the next one is sent when the one before it is stored", async () => {
  const desk = new Desk();
  const { gate, open } = held();
  desk.gate = gate;

  const sending = ["a", "b"].map((text) => desk.outbox.send(text, null));
  expect(desk.shown).toEqual(["a sending", "b sending"]);
  expect(desk.seen).toEqual([["a sending"], ["a sending", "b sending"]]);
  expect(desk.posted).toEqual(["a"]);
  open();
  await Promise.all(sending);

  expect(desk.stored).toEqual(["client-1 a", "client-2 b"]);
  expect(desk.shown).toEqual([]);
});

test("where there is no connection all wait, none of them asks for it again, and later they go out in order", async () => {
  const desk = new Desk();
  desk.errors.push(offline());
  await Promise.all(["a", "b"].map((text) => desk.outbox.send(text, null)));
  expect(desk.shown).toEqual(["a waiting", "b waiting"]);
  expect(desk.seen.at(-1)).toEqual(["a waiting", "b waiting"]);
  expect([desk.posted, desk.breaks, desk.failures]).toEqual([["a"], 1, []]);

  await desk.outbox.sendWaiting();

  expect(desk.stored).toEqual(["client-1 a", "client-2 b"]);
});

test("what is written while others wait for a connection goes out after them", async () => {
  const desk = new Desk();
  desk.errors.push(offline(), new Error("too many"), offline());
  await desk.outbox.send("a", null);
  await Promise.all(["b", "c"].map((text) => desk.outbox.send(text, null)));
  expect(desk.shown).toEqual(["a failed", "b waiting", "c waiting"]);

  await desk.outbox.retry("client-1");

  expect(desk.stored).toEqual(["client-1 a", "client-2 b", "client-3 c"]);
});

test("one that is refused keeps nobody behind it, and waits until it is sent again under the same id or let go", async () => {
  const desk = new Desk();
  desk.errors.push(new Error("too many"), new Error("too many"));
  await Promise.all(["a", "b", "c"].map((text) => desk.outbox.send(text, null)));
  expect(desk.shown).toEqual(["a failed", "b failed"]);
  expect(desk.stored).toEqual(["client-3 c"]);
  expect(desk.failures).toHaveLength(2);

  await desk.outbox.sendWaiting();
  expect(desk.posted).toEqual(["a", "b", "c"]);
  await desk.outbox.retry("client-1");
  desk.outbox.discard("client-2");

  expect(desk.stored).toEqual(["client-3 c", "client-1 a"]);
  expect(desk.seen.at(-1)).toEqual([]);
});

test("one that is on its way can be neither sent twice nor let go", async () => {
  const desk = new Desk();
  const { gate, open } = held();
  desk.gate = gate;
  const sending = desk.outbox.send("a", null);

  const again = desk.outbox.retry("client-1");
  desk.outbox.discard("client-1");
  expect(desk.shown).toEqual(["a sending"]);
  open();
  await Promise.all([sending, again]);

  expect(desk.posted).toEqual(["a"]);
});

test("a picture is let go once it is stored, by whoever tells of it, and with everything at the end", async () => {
  const desk = new Desk();
  desk.errors.push(offline());
  const pictures = ["cat.png", "dog.png"].map((name) => new File(["x"], name));
  await Promise.all(pictures.map((picture) => desk.outbox.send(null, picture)));
  expect(desk.forgotten).toEqual([]);

  expect(desk.outbox.settle("client-1")).toBe(true);
  expect(desk.outbox.settle("client-1")).toBe(false);
  expect(desk.forgotten).toEqual(["cat.png"]);
  desk.outbox.clear();
  expect(desk.forgotten).toEqual(["cat.png", "dog.png"]);
});

test("what is let go while it waits is never sent", async () => {
  const desk = new Desk();
  desk.errors.push(offline());
  await Promise.all(["a", "b"].map((text) => desk.outbox.send(text, null)));

  desk.outbox.clear();
  await desk.outbox.sendWaiting();

  expect(desk.posted).toEqual(["a"]);
  expect(desk.stored).toEqual([]);
});
