import { expect, test } from "vitest";
import type { Dm } from "@alcove/contract/messaging";
import { ApiError, OfflineError } from "../../../lib/api/errors.ts";
import { newGate } from "./fake-chat.ts";
import { Outbox, type OutboxEvent } from "./outbox.ts";
import type { MessageContent } from "./transport.ts";

const rejected = () => new ApiError(429, { code: "too_many_requests" });

/** An outbox whose transport the test can delay or let fail. */
class FakeOutbox {
  readonly sent: string[] = [];
  readonly stored: string[] = [];
  /** Thrown instead of the next responses. */
  readonly errors: Error[] = [];
  readonly revoked: string[] = [];
  readonly events: OutboxEvent[] = [];
  readonly shown: string[][] = [];
  /** While set, responses wait for it. */
  gate: Promise<void> | null = null;
  #ids = 0;
  readonly outbox: Outbox = new Outbox(
    "taro",
    {
      transport: { send: (_, message) => this.#store(message) },
      loadOutbox: () => [],
      storeOutbox: () => undefined,
      returnText: () => undefined,
      now: () => new Date("2026-11-21T10:00:00Z"),
      newId: () => `client-${++this.#ids}`,
      createPreview: ({ name }) => ({ url: `blob:${name}`, revoke: () => this.revoked.push(name) }),
    },
    (event) => {
      this.events.push(event);
      if (event.kind === "changed") this.shown.push(this.messages);
    },
  );

  get messages(): string[] {
    return this.outbox.messages.map(({ text, delivery }) => `${text} ${delivery}`);
  }

  count(kind: OutboxEvent["kind"]): number {
    return this.events.filter((event) => event.kind === kind).length;
  }

  async #store({ clientId, text }: MessageContent): Promise<Dm> {
    this.sent.push(text ?? "");
    await this.gate;
    const error = this.errors.shift();
    if (error) throw error;
    this.stored.push(`${clientId} ${text}`);
    return { id: String(this.stored.length), clientId } as Dm;
  }
}

test("holds a message at once and sends it when the previous one is stored", async () => {
  const fake = new FakeOutbox();
  const { gate, open } = newGate();
  fake.gate = gate;

  const sending = ["a", "b"].map((text) => fake.outbox.send(text, null));
  expect(fake.messages).toEqual(["a sending", "b sending"]);
  expect(fake.shown).toEqual([["a sending"], ["a sending", "b sending"]]);
  expect(fake.sent).toEqual(["a"]);
  open();
  await Promise.all(sending);

  expect(fake.stored).toEqual(["client-1 a", "client-2 b"]);
  expect(fake.messages).toEqual([]);
});

test.each([
  ["without a connection", new OfflineError()],
  ["without a database", new ApiError(503, { code: "service_unavailable" })],
])("reports offline once %s, lets all messages wait, and sends them in order later", async (_, error) => {
  const fake = new FakeOutbox();
  fake.errors.push(error);
  await Promise.all(["a", "b"].map((text) => fake.outbox.send(text, null)));
  expect(fake.messages).toEqual(["a waiting", "b waiting"]);
  expect(fake.shown.at(-1)).toEqual(["a waiting", "b waiting"]);
  expect([fake.sent, fake.count("offline"), fake.count("rejected")]).toEqual([["a"], 1, 0]);

  await fake.outbox.sendWaiting();

  expect(fake.stored).toEqual(["client-1 a", "client-2 b"]);
});

test("sends a new message after the messages that wait for a connection", async () => {
  const fake = new FakeOutbox();
  fake.errors.push(new OfflineError(), rejected(), new OfflineError());
  await fake.outbox.send("a", null);
  await Promise.all(["b", "c"].map((text) => fake.outbox.send(text, null)));
  expect(fake.messages).toEqual(["a failed", "b waiting", "c waiting"]);

  await fake.outbox.retry("client-1");

  expect(fake.stored).toEqual(["client-1 a", "client-2 b", "client-3 c"]);
});

test("sends the next message when one is rejected, and keeps that one until it is retried or discarded", async () => {
  const fake = new FakeOutbox();
  fake.errors.push(rejected(), rejected());
  await Promise.all(["a", "b", "c"].map((text) => fake.outbox.send(text, null)));
  expect(fake.messages).toEqual(["a failed", "b failed"]);
  expect(fake.stored).toEqual(["client-3 c"]);
  expect(fake.count("rejected")).toBe(2);

  await fake.outbox.sendWaiting();
  expect(fake.sent).toEqual(["a", "b", "c"]);
  await fake.outbox.retry("client-1");
  fake.outbox.discard("client-2");

  expect(fake.stored).toEqual(["client-3 c", "client-1 a"]);
  expect(fake.shown.at(-1)).toEqual([]);
});

test("neither retries nor discards a message that is being sent", async () => {
  const fake = new FakeOutbox();
  const { gate, open } = newGate();
  fake.gate = gate;
  const sending = fake.outbox.send("a", null);

  const retrying = fake.outbox.retry("client-1");
  fake.outbox.discard("client-1");
  expect(fake.messages).toEqual(["a sending"]);
  open();
  await Promise.all([sending, retrying]);

  expect(fake.sent).toEqual(["a"]);
});

test("revokes a picture's preview when the message is stored or the outbox is cleared", async () => {
  const fake = new FakeOutbox();
  fake.errors.push(new OfflineError());
  const pictures = ["cat.png", "dog.png"].map((name) => new File(["x"], name));
  await Promise.all(pictures.map((picture) => fake.outbox.send(null, picture)));
  expect(fake.revoked).toEqual([]);

  expect(fake.outbox.remove("client-1")).toBe(true);
  expect(fake.outbox.remove("client-1")).toBe(false);
  expect(fake.revoked).toEqual(["cat.png"]);
  fake.outbox.clear();
  expect(fake.revoked).toEqual(["cat.png", "dog.png"]);
});

test("never sends a message that was cleared while it waited", async () => {
  const fake = new FakeOutbox();
  fake.errors.push(new OfflineError());
  await Promise.all(["a", "b"].map((text) => fake.outbox.send(text, null)));

  fake.outbox.clear();
  await fake.outbox.sendWaiting();

  expect(fake.sent).toEqual(["a"]);
  expect(fake.stored).toEqual([]);
});

test("reports whether the connection broke while a message was being sent", async () => {
  const fake = new FakeOutbox();
  const { gate, open } = newGate();
  fake.gate = gate;

  const sending = ["a", "b"].map((text) => fake.outbox.send(text, null));
  fake.outbox.noteReconnect();
  open();
  await Promise.all(sending);

  const stored = fake.events.filter((event) => event.kind === "stored");
  expect(stored.map(({ clientId, hasReconnected }) => [clientId, hasReconnected])).toEqual([
    ["client-1", true],
    ["client-2", false],
  ]);
});
