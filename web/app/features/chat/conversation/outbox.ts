import type { Dm, Quote } from "@alcove/contract/messaging";
import { ApiError, OfflineError } from "../../../lib/api/errors.ts";
import type { MessageContent, SendOptions, Transport, VoiceFacts } from "./transport.ts";

interface Preview {
  readonly url: string;
  revoke(): void;
}

export interface OutgoingMessage extends MessageContent {
  readonly preview: Preview | null;
  readonly at: Date;
  /** Queued or being sent; waiting for a connection; or rejected, until the member retries or discards it. */
  readonly delivery: "sending" | "waiting" | "failed";
  /** The sent part of its file in steps of 5 percent; null before. */
  readonly progress: number | null;
}

/** For a reload: without image, and without a text of others. */
export type StoredMessage = Pick<OutgoingMessage, "clientId" | "text" | "reply"> & {
  at: string;
  /** True if an image is lost, so that the text alone would not be the message. */
  hadImage?: boolean;
};

export interface OutboxDeps {
  readonly transport: Transport;
  now(): Date;
  newId(): string;
  createPreview(file: File): Preview;
  /** The messages of before a reload. */
  loadOutbox(receiverId: string): readonly StoredMessage[];
  storeOutbox(receiverId: string, messages: readonly StoredMessage[]): void;
  /** Gives back the text of a message that cannot be sent as it is, to be changed. */
  returnText(receiverId: string, text: string): void;
}

export type OutboxEvent =
  | { kind: "changed" }
  /** `hasReconnected`: the connection broke while the message was being sent. */
  | { kind: "stored"; dm: Dm; clientId: string; hasReconnected: boolean }
  | { kind: "offline" }
  | { kind: "rejected"; error: unknown };

type Mutable = { -readonly [Key in keyof OutgoingMessage]: OutgoingMessage[Key] };
type SendState =
  | { name: "idle" }
  | { name: "sending"; message: Mutable; hasReconnected: boolean; abort: AbortController };

const PROGRESS_STEPS = 20;

/** The same file would be rejected again: it is none, too large or unreadable. */
const HOPELESS_STATUSES = new Set([400, 413, 415, 422]);

const NO_FILE = { file: null, voice: null, preview: null, progress: null };

/** Messages that are not stored yet, in the order of writing. It sends one at a time. */
export class Outbox {
  readonly #receiverId: string;
  readonly #deps: OutboxDeps;
  readonly #report: (event: OutboxEvent) => void;
  readonly #messages: Mutable[] = [];
  /** Of before a reload, which lost their images. */
  #incomplete: readonly Pick<OutgoingMessage, "text">[] = [];
  #state: SendState = { name: "idle" };

  constructor(receiverId: string, deps: OutboxDeps, report: (event: OutboxEvent) => void) {
    this.#receiverId = receiverId;
    this.#deps = deps;
    this.#report = report;
    for (const { at, hadImage, ...message } of deps.loadOutbox(receiverId))
      if (hadImage) this.#incomplete = [...this.#incomplete, message];
      else this.#messages.push({ ...message, ...NO_FILE, at: new Date(at), delivery: "waiting" });
  }

  get messages(): readonly OutgoingMessage[] {
    return this.#messages;
  }

  async send(
    text: string | null,
    file: File | null,
    reply: Quote | null = null,
    voice: VoiceFacts | null = null,
  ): Promise<void> {
    const { now, newId, createPreview } = this.#deps;
    const preview = file && createPreview(file);
    const content = { clientId: newId(), text, file, voice, reply, preview };
    this.#messages.push({ ...content, at: now(), delivery: "sending", progress: null });
    this.#store();
    await this.sendWaiting();
  }

  async sendWaiting(): Promise<void> {
    const incomplete = this.#incomplete;
    this.#incomplete = [];
    for (const message of incomplete) this.#returnText(message);
    if (incomplete.length > 0) this.#store();
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

  /** Aborts the request of a file that is being sent. */
  cancel(clientId: string): void {
    const state = this.#state;
    const isSending = state.name === "sending" && state.message.clientId === clientId;
    if (!this.remove(clientId)) return;
    if (isSending) state.abort.abort();
    this.#report({ kind: "changed" });
  }

  remove(clientId: string): boolean {
    const index = this.#messages.findIndex((message) => message.clientId === clientId);
    if (index < 0) return false;
    for (const { preview } of this.#messages.splice(index, 1)) preview?.revoke();
    this.#store();
    return true;
  }

  /** Notes that the connection broke: a message being sent may be unsent elsewhere without an event. */
  noteReconnect(): void {
    if (this.#state.name === "sending") this.#state.hasReconnected = true;
  }

  clear(): void {
    for (const { preview } of this.#messages) preview?.revoke();
    this.#messages.length = 0;
    this.#store();
  }

  #store(): void {
    const withText = this.#messages.filter(({ text }) => text !== null);
    this.#deps.storeOutbox(
      this.#receiverId,
      withText.map(({ clientId, text, file, reply, at }) => ({
        clientId,
        hadImage: file !== null,
        text,
        reply: reply && { ...reply, description: null, has_image: false },
        at: at.toISOString(),
      })),
    );
  }

  #returnText({ text }: Pick<OutgoingMessage, "text">): void {
    if (text !== null) this.#deps.returnText(this.#receiverId, text);
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
      const abort = new AbortController();
      const sending: SendState = { name: "sending", message: next, hasReconnected: false, abort };
      this.#state = sending;
      await this.#sendOne(next, sending);
    }
    this.#state = { name: "idle" };
  }

  async #sendOne(message: Mutable, sending: SendState & { name: "sending" }): Promise<void> {
    const { clientId } = message;
    const options: SendOptions = {
      signal: sending.abort.signal,
      onProgress: (part) => {
        const progress = Math.floor(part * PROGRESS_STEPS) / PROGRESS_STEPS;
        if (progress === message.progress) return;
        message.progress = progress;
        this.#report({ kind: "changed" });
      },
    };
    let dm: Dm;
    try {
      dm = await this.#deps.transport.send(this.#receiverId, message, options);
    } catch (error) {
      message.progress = null;
      if (!sending.abort.signal.aborted) this.#handleError(message, error);
      return;
    }
    this.remove(clientId);
    this.#report({ kind: "stored", dm, clientId, hasReconnected: sending.hasReconnected });
  }

  #handleError(message: Mutable, error: unknown): void {
    // Without its database the server accepts no new connection either: the message is sent when one opens.
    const isOffline =
      error instanceof OfflineError || (error instanceof ApiError && error.code === "service_unavailable");
    const isHopeless = error instanceof ApiError && HOPELESS_STATUSES.has(error.status);
    if (isHopeless && message.file !== null && message.text !== null) {
      this.#returnText(message);
      this.remove(message.clientId);
    }
    message.delivery = isOffline ? "waiting" : "failed";
    // Without a connection the other messages would fail too.
    if (isOffline)
      for (const other of this.#messages) if (other.delivery === "sending") other.delivery = "waiting";
    this.#report({ kind: "changed" });
    this.#report(isOffline ? { kind: "offline" } : { kind: "rejected", error });
  }
}
