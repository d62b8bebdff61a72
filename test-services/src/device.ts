import { randomUUID } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { ResponseOf } from "@alcove/contract";
import { getWsTicket } from "@alcove/contract/accounts";
import { getDms, sendDm, type Dm } from "@alcove/contract/messaging";
import { createClient, CallError, type Client } from "./client.ts";

export interface Owner {
  readonly userId: string;
  readonly access: string;
}

interface DeviceOptions {
  readonly owner: Owner;
  readonly friendId: string;
  /** The device chooses a server at random for each request. */
  readonly servers: readonly string[];
  readonly random: RandomGenerator;
}

interface PendingMessage {
  readonly clientId: string;
  readonly text: string;
  readonly writtenAt: number;
}

/** As in the web app. */
const RETRY_MS = { first: 250, longest: 4_000 };
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Behaves like the web app with one open conversation. After each connection it fetches missed messages. It sends one
 * message at a time and repeats unacknowledged ones.
 */
export class Device {
  readonly owner: Owner;
  readonly #options: DeviceOptions;
  readonly #displayed = new Map<string, Dm>();
  readonly #outgoing: PendingMessage[] = [];
  /** Acknowledged messages in the order of writing. */
  readonly acknowledged: Dm[] = [];
  /** From writing to delivery over the socket. */
  readonly deliveriesMs: number[] = [];
  readonly errors: string[] = [];
  opened = 0;
  duplicatePushes = 0;
  resends = 0;
  #socket: WebSocket | null = null;
  #isSending = false;
  #isClosed = false;
  /** Of the newest fetched page: only a fetch proves that no earlier message is missing. */
  #lastId = FIRST_ID;

  constructor(options: DeviceOptions) {
    this.#options = options;
    this.owner = options.owner;
  }

  /** Keeps a connection open until `close`. */
  async open(): Promise<void> {
    let pauseMs = RETRY_MS.first;
    while (!this.#isClosed) {
      if (await this.#connect()) pauseMs = RETRY_MS.first;
      if (this.#isClosed) return;
      await this.#pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, RETRY_MS.longest);
    }
  }

  /** Whether the socket is open and all earlier messages are fetched. */
  isLive = false;

  displayed(): Dm[] {
    return [...this.#displayed.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  isIdle(): boolean {
    return this.#outgoing.length === 0;
  }

  write(text: string): void {
    this.#outgoing.push({ clientId: randomUUID(), text, writtenAt: performance.now() });
    void this.#sendAll();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  /** Resolves when the connection ends. Returns false if it was never open. */
  async #connect(): Promise<boolean> {
    const client = this.#anyServer();
    try {
      const { ticket } = await client.call(getWsTicket, {});
      const socket = new WebSocket(`${client.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
      socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
      const ended = new Promise<void>((done) => socket.addEventListener("close", () => done()));
      const isOpen = await Promise.race([
        new Promise<boolean>((done) => socket.addEventListener("open", () => done(true))),
        ended.then(() => false),
      ]);
      if (!isOpen) return false;
      this.#socket = socket;
      this.opened++;
      const isCaughtUp = await this.#catchUp(client).then(
        () => true,
        () => false,
      );
      if (!isCaughtUp || this.#isClosed) socket.close();
      this.isLive = isCaughtUp;
      await ended;
      this.isLive = false;
      return true;
    } catch {
      return false;
    }
  }

  async #catchUp(client: Client): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page: ResponseOf<typeof getDms> = await client.call(getDms, {
        friendId: this.#options.friendId,
        afterId: this.#lastId,
      });
      for (const dm of page.dms) this.#displayed.set(dm.id, dm);
      this.#lastId = page.dms.at(-1)?.id ?? this.#lastId;
      hasMore = page.has_more;
    }
  }

  #receive(data: string): void {
    const { dm } = JSON.parse(data) as { dm?: Dm };
    const parties = [dm?.sender.user_id, dm?.receiver.user_id];
    if (!dm || !parties.includes(this.#options.friendId)) return;
    if (this.#displayed.has(dm.id)) this.duplicatePushes++;
    else this.#deliver(dm);
  }

  #deliver(dm: Dm): void {
    this.deliveriesMs.push(performance.now() - Number(dm.description?.split(" ").at(-1)));
    this.#displayed.set(dm.id, dm);
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let message = this.#outgoing[0]; message && !this.#isClosed; message = this.#outgoing[0]) {
      if (await this.#send(message)) this.#outgoing.shift();
      else {
        this.resends++;
        await this.#pause(RETRY_MS.first);
      }
    }
    this.#isSending = false;
  }

  async #send({ clientId, text, writtenAt }: PendingMessage): Promise<boolean> {
    const message = { receiverId: this.#options.friendId, description: `${text} ${writtenAt}`, clientId };
    try {
      const { dm } = await this.#anyServer().call(sendDm, message);
      this.acknowledged.push(dm);
      this.#displayed.set(dm.id, dm);
      return true;
    } catch (error) {
      // A killed server causes no response or a 5xx; a 4xx is a bug.
      if (error instanceof CallError && error.status < 500) this.errors.push(error.message);
      return false;
    }
  }

  #anyServer(): Client {
    const { random, servers, owner } = this.#options;
    return createClient(servers[uniformInt(random, 0, servers.length - 1)]!, owner.access);
  }

  /** Jitters by half, so that devices do not reconnect together. */
  async #pause(ms: number): Promise<void> {
    const jittered = ms * (0.5 + uniformFloat64(this.#options.random));
    await new Promise((done) => setTimeout(done, jittered));
  }
}
