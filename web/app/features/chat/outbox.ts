import type { Dm } from "@alcove/contract/messaging";
import { OfflineError } from "../../lib/errors.ts";
import type { MessageContent, Transport } from "./transport.ts";

interface Preview {
  readonly url: string;
  revoke(): void;
}

export interface OutgoingMessage extends MessageContent {
  readonly preview: Preview | null;
  readonly at: Date;
  /** Queued or being sent; waiting for a connection; or rejected, until the member retries or discards it. */
  readonly delivery: "sending" | "waiting" | "failed";
}

export interface OutboxDeps {
  readonly transport: Transport;
  now(): Date;
  newId(): string;
  createPreview(file: File): Preview;
}

export type OutboxEvent =
  | { kind: "changed" }
  /** `hasReconnected`: the connection broke while the message was being sent. */
  | { kind: "stored"; dm: Dm; clientId: string; hasReconnected: boolean }
  | { kind: "offline" }
  | { kind: "rejected"; error: unknown };

type Mutable = Omit<OutgoingMessage, "delivery"> & { delivery: OutgoingMessage["delivery"] };
type SendState = { name: "idle" } | { name: "sending"; hasReconnected: boolean };

/** Messages that are not stored yet, in the order of writing. It sends one at a time. */
export class Outbox {
  readonly #receiverId: string;
  readonly #deps: OutboxDeps;
  readonly #report: (event: OutboxEvent) => void;
  readonly #messages: Mutable[] = [];
  #state: SendState = { name: "idle" };

  constructor(receiverId: string, deps: OutboxDeps, report: (event: OutboxEvent) => void) {
    this.#receiverId = receiverId;
    this.#deps = deps;
    this.#report = report;
  }

  get messages(): readonly OutgoingMessage[] {
    return this.#messages;
  }

  async send(text: string | null, file: File | null): Promise<void> {
    const { now, newId, createPreview } = this.#deps;
    const preview = file && createPreview(file);
    this.#messages.push({ clientId: newId(), text, file, preview, at: now(), delivery: "sending" });
    await this.sendWaiting();
  }

  async sendWaiting(): Promise<void> {
    for (const message of this.#messages) if (message.delivery === "waiting") message.delivery = "sending";
    this.#report({ kind: "changed" });
    await this.#sendAll();
  }

  async retry(clientId: string): Promise<void> {
    const message = this.#findFailed(clientId);
    if (!message) return;
    message.delivery = "sending";
    await this.sendWaiting();
  }

  discard(clientId: string): void {
    if (!this.#findFailed(clientId)) return;
    this.remove(clientId);
    this.#report({ kind: "changed" });
  }

  remove(clientId: string): boolean {
    const index = this.#messages.findIndex((message) => message.clientId === clientId);
    if (index < 0) return false;
    for (const { preview } of this.#messages.splice(index, 1)) preview?.revoke();
    return true;
  }

  /** Notes that the connection broke: a message being sent may be unsent elsewhere without an event. */
  noteReconnect(): void {
    if (this.#state.name === "sending") this.#state.hasReconnected = true;
  }

  clear(): void {
    for (const { preview } of this.#messages) preview?.revoke();
    this.#messages.length = 0;
  }

  #findFailed(clientId: string): Mutable | undefined {
    return this.#messages.find((each) => each.clientId === clientId && each.delivery === "failed");
  }

  #next(): Mutable | undefined {
    return this.#messages.find(({ delivery }) => delivery === "sending");
  }

  async #sendAll(): Promise<void> {
    if (this.#state.name === "sending") return;
    for (let next = this.#next(); next; next = this.#next()) {
      const sending: SendState = { name: "sending", hasReconnected: false };
      this.#state = sending;
      await this.#sendOne(next, sending);
    }
    this.#state = { name: "idle" };
  }

  async #sendOne(message: Mutable, sending: { readonly hasReconnected: boolean }): Promise<void> {
    const { clientId } = message;
    let dm: Dm;
    try {
      dm = await this.#deps.transport.send(this.#receiverId, message);
    } catch (error) {
      this.#handleError(message, error);
      return;
    }
    this.remove(clientId);
    this.#report({ kind: "stored", dm, clientId, hasReconnected: sending.hasReconnected });
  }

  #handleError(message: Mutable, error: unknown): void {
    const isOffline = error instanceof OfflineError;
    message.delivery = isOffline ? "waiting" : "failed";
    // Without a connection the other messages would fail too.
    if (isOffline)
      for (const other of this.#messages) if (other.delivery === "sending") other.delivery = "waiting";
    this.#report({ kind: "changed" });
    this.#report(isOffline ? { kind: "offline" } : { kind: "rejected", error });
  }
}
