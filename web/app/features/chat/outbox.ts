/** A picture as the page shows it before it is stored, and how to let go of it. */
interface Preview {
  address: string;
  forget(): void;
}

/** A message of ours that is not stored yet. */
export interface Outgoing {
  /** Its id until it has one of the server's; sent again it stays the same, so that it is stored once. */
  readonly clientId: string;
  readonly text: string | null;
  readonly file: File | null;
  readonly preview: Preview | null;
  readonly at: Date;
  /** On its way or next, waiting for a connection, or refused and waiting for the member. */
  readonly delivery: "sending" | "waiting" | "failed";
}

/** Only the outbox says how far a message is. */
interface Held extends Omit<Outgoing, "delivery"> {
  delivery: Outgoing["delivery"];
}

/** What the outbox needs of those around it. */
export interface OutboxDeps {
  now(): Date;
  newId(): string;
  /** An address under which the page can show a file, and how to let go of it. */
  show(file: File): Preview;
  /** Sends a message; once it is stored, `settle` is called. Throws what prevented that. */
  post(message: Outgoing): Promise<void>;
  /** What is in the outbox, or how far it is, has changed. */
  changed(): void;
  /** Nothing gets through: everything waits for `sendWaiting`. */
  cutOff(): void;
  /** A message was refused. */
  fail(error: unknown): void;
}

const isOffline = (error: unknown): boolean => (error as Error).name === "OfflineError";

/** What a member has written in a conversation and the server has not stored yet, in the order of writing. */
export class Outbox {
  readonly #world: OutboxDeps;
  readonly #messages: Held[] = [];
  #isSending = false;

  constructor(world: OutboxDeps) {
    this.#world = world;
  }

  get messages(): readonly Outgoing[] {
    return this.#messages;
  }

  /** Takes a message in and sends it after those that were written before. */
  async send(text: string | null, file: File | null): Promise<void> {
    const { now, newId, show } = this.#world;
    const preview = file && show(file);
    this.#messages.push({ clientId: newId(), text, file, preview, at: now(), delivery: "sending" });
    await this.sendWaiting();
  }

  /** Sends what found no connection, and then what was written since. */
  async sendWaiting(): Promise<void> {
    for (const message of this.#messages) if (message.delivery === "waiting") message.delivery = "sending";
    this.#world.changed();
    await this.#sendAll();
  }

  /** Sends a message again that has failed. */
  async retry(clientId: string): Promise<void> {
    const message = this.#failed(clientId);
    if (!message) return;
    message.delivery = "sending";
    await this.sendWaiting();
  }

  /** Lets go of a message that has failed. */
  discard(clientId: string): void {
    if (!this.#failed(clientId)) return;
    this.settle(clientId);
    this.#world.changed();
  }

  /** A message is stored, however that was learned: it waits no more. Answers whether it did. */
  settle(clientId: string): boolean {
    const position = this.#messages.findIndex((message) => message.clientId === clientId);
    if (position < 0) return false;
    for (const { preview } of this.#messages.splice(position, 1)) preview?.forget();
    return true;
  }

  /** Lets go of every message: none is sent any more. */
  clear(): void {
    this.dispose();
    this.#messages.length = 0;
  }

  /** Lets go of everything that the page was made to keep. */
  dispose(): void {
    for (const { preview } of this.#messages) preview?.forget();
  }

  #failed(clientId: string): Held | undefined {
    return this.#messages.find((each) => each.clientId === clientId && each.delivery === "failed");
  }

  /** One at a time, so that messages keep the order in which they were written. */
  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#next(); next; next = this.#next()) await this.#sendOne(next);
    this.#isSending = false;
  }

  #next(): Held | undefined {
    return this.#messages.find(({ delivery }) => delivery === "sending");
  }

  async #sendOne(message: Held): Promise<void> {
    try {
      await this.#world.post(message);
    } catch (error) {
      message.delivery = isOffline(error) ? "waiting" : "failed";
      // Without a connection the others would fail too: they wait with it.
      if (isOffline(error))
        for (const other of this.#messages) if (other.delivery === "sending") other.delivery = "waiting";
      this.#world.changed();
      if (isOffline(error)) this.#world.cutOff();
      else this.#world.fail(error);
    }
  }
}
