import { randomUUID } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { ResponseOf, InputOf } from "@alcove/contract";
import { getWsTicket } from "@alcove/contract/accounts";
import { getDms, sendDm, type SocketResponse, type SocketRequest, type Dm } from "@alcove/contract/messaging";
import { clientOf, Refused, type Client } from "./client.ts";

/** A member as its devices know it. */
export interface Owner {
  readonly userId: string;
  readonly access: string;
}

interface Parts {
  readonly owner: Owner;
  readonly friendId: string;
  /** Addresses of all servers: a device takes whichever, as a balancer would choose. */
  readonly servers: readonly string[];
  readonly random: RandomGenerator;
}

interface Draft {
  readonly clientId: string;
  readonly text: string;
  readonly writtenAt: number;
}

/** As the web app waits before it opens the live connection again. */
const AGAIN_MS = { first: 250, longest: 4_000 };
/** About as long as the web app waits for a word when it has asked something over the live connection. */
const ASK_MS = 5_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

type Answer = SocketResponse["answer"];

/**
 * One device with one conversation open, as the web app behaves: it opens a socket with a ticket, fetches after each
 * opening what came since, sends one message after the other under ids of its own, over the socket or, where no answer comes
 * through, by a request, and sends again what was not answered.
 */
export class Device {
  readonly owner: Owner;
  readonly #parts: Parts;
  readonly #shown = new Map<string, Dm>();
  readonly #drafts: Draft[] = [];
  /** What the server has answered, by id, in the order in which it was written. */
  readonly answered: Dm[] = [];
  /** How long each message took that came by the socket, by itself or as an answer, from its writing. */
  readonly arrivalsMs: number[] = [];
  readonly errors: string[] = [];
  opened = 0;
  pushedAgain = 0;
  sentAgain = 0;
  /** How many messages were answered over the socket. */
  sentLive = 0;
  #socket: WebSocket | null = null;
  #askNo = 0;
  #isSending = false;
  #isClosed = false;
  /** Up to here nothing is missing. Only what was fetched says so: a live event says nothing of what was before it. */
  #until = BEFORE_ALL;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.owner = parts.owner;
  }

  /** Opens the live connection, and keeps it open until `close`. */
  async open(): Promise<void> {
    let pauseMs = AGAIN_MS.first;
    while (!this.#isClosed) {
      if (await this.#connect()) pauseMs = AGAIN_MS.first;
      if (this.#isClosed) return;
      await this.#pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, AGAIN_MS.longest);
    }
  }

  /** Whether the socket is open, and everything before it was fetched. */
  allowOverSocket = false;

  /** Messages of the conversation as this device shows them. */
  shown(): Dm[] {
    return [...this.#shown.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Whether everything that was written here was answered. */
  isIdle(): boolean {
    return this.#drafts.length === 0;
  }

  write(text: string): void {
    this.#drafts.push({ clientId: randomUUID(), text, writtenAt: performance.now() });
    void this.#sendAll();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  /** Opens a connection and waits for its end; answers whether there was one. */
  async #connect(): Promise<boolean> {
    const client = this.#anyServer();
    try {
      const { ticket } = await client.ask(getWsTicket, {});
      const socket = new WebSocket(`${client.url.replace("http", "ws")}/ws/events?ticket=${ticket}`);
      socket.addEventListener("message", ({ data }) => this.#hear(String(data)));
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
      this.allowOverSocket = isCaughtUp;
      await ended;
      this.allowOverSocket = false;
      return true;
    } catch {
      return false;
    }
  }

  async #catchUp(client: Client): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page: ResponseOf<typeof getDms> = await client.ask(getDms, {
        friendId: this.#parts.friendId,
        afterId: this.#until,
      });
      for (const dm of page.dms) this.#shown.set(dm.id, dm);
      this.#until = page.dms.at(-1)?.id ?? this.#until;
      hasMore = page.has_more;
    }
  }

  #hear(data: string): void {
    const { dm } = JSON.parse(data) as { dm?: Dm };
    const parties = [dm?.sender.user_id, dm?.receiver.user_id];
    if (!dm || !parties.includes(this.#parts.friendId)) return;
    if (this.#shown.has(dm.id)) this.pushedAgain++;
    else this.#arrive(dm);
  }

  #arrive(dm: Dm): void {
    this.arrivalsMs.push(performance.now() - Number(dm.description?.split(" ").at(-1)));
    this.#shown.set(dm.id, dm);
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let draft = this.#drafts[0]; draft && !this.#isClosed; draft = this.#drafts[0]) {
      if (await this.#send(draft)) this.#drafts.shift();
      else {
        this.sentAgain++;
        await this.#pause(AGAIN_MS.first);
      }
    }
    this.#isSending = false;
  }

  async #send({ clientId, text, writtenAt }: Draft): Promise<boolean> {
    const message = { receiverId: this.#parts.friendId, description: `${text} ${writtenAt}`, clientId };
    try {
      const { dm } = (await this.#sendLive(message)) ?? (await this.#anyServer().ask(sendDm, message));
      this.answered.push(dm);
      this.#shown.set(dm.id, dm);
      return true;
    } catch (error) {
      // A server that is being killed answers nothing, or a fault; a refusal would be a mistake of ours or of the server's.
      if (error instanceof Refused && error.status < 500) this.errors.push(error.message);
      return false;
    }
  }

  /** Sends over the socket; null when it is not open, no answer comes through, or one that a request is to be made for. */
  async #sendLive(message: InputOf<typeof sendDm>): Promise<ResponseOf<typeof sendDm> | null> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return null;
    const no = ++this.#askNo;
    const frame: SocketRequest = { ask: { no, call: sendDm.name, lang: "en", input: message } };
    const answering = answerOver(socket, no);
    socket.send(JSON.stringify(frame));
    const answer = await answering;
    if (!answer) socket.close();
    if (!answer || answer.status === 401 || answer.status >= 500) return null;
    if (answer.status >= 400) throw new Refused(sendDm, answer.status, answer.body as Refused["body"]);
    const sent = answer.body as ResponseOf<typeof sendDm>;
    // No push comes to the socket that has asked.
    if (!this.#shown.has(sent.dm.id)) this.#arrive(sent.dm);
    this.sentLive++;
    return sent;
  }

  #anyServer(): Client {
    const { random, servers, owner } = this.#parts;
    return clientOf(servers[uniformInt(random, 0, servers.length - 1)]!, owner.access);
  }

  /** With a jitter of half of it, so that not all come back in the same moment. */
  async #pause(ms: number): Promise<void> {
    const jittered = ms * (0.5 + uniformFloat64(this.#parts.random));
    await new Promise((done) => setTimeout(done, jittered));
  }
}

/** The answer to an ask over a socket; null when that ends, or says nothing at all for a while. */
async function answerOver(socket: WebSocket, no: number): Promise<Answer | null> {
  const waiting = new AbortController();
  const answer = await new Promise<Answer | null>((done) => {
    const { signal } = waiting;
    const silence = setTimeout(() => done(null), ASK_MS);
    signal.addEventListener("abort", () => clearTimeout(silence));
    socket.addEventListener("close", () => done(null), { signal });
    const hear = ({ data }: MessageEvent) => {
      silence.refresh();
      const { answer: said } = JSON.parse(String(data)) as Partial<SocketResponse>;
      if (said?.no === no) done(said);
    };
    socket.addEventListener("message", hear, { signal });
  });
  waiting.abort();
  return answer;
}
