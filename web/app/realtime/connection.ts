import { getWsTicket } from "@alcove/contract/accounts";
import {
  closeCodes,
  type SocketResponse,
  type SocketRequest,
  type Dm,
  type EventFrame,
} from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { api } from "../lib/api.ts";
import { OfflineError } from "../lib/errors.ts";
import { currentLanguage } from "../lib/language.ts";
import { lock } from "../lib/session/lock.ts";
import { settings } from "../lib/settings.ts";
import { callOverSocket } from "./socket-calls.ts";

/**
 * What happens to a member while the app is open. Before `connected`, the first time too, something may have been
 * missed: ask again.
 */
export type RealtimeEvent =
  | { kind: "match"; match: Party }
  | { kind: "dm"; dm: Dm }
  | { kind: "lost"; userId: string }
  | { kind: "read"; userId: string; readerId: string; dmId: string }
  | { kind: "reading"; userId: string | null }
  | { kind: "seen"; userId: string }
  | { kind: "unsent"; userId: string; dmId: string }
  | { kind: "connected" };

/** What the connection needs of the world, so that tests can stand in for it. */
export interface ConnectionDeps {
  /** Opens a socket that may be used now; a fresh ticket is asked for each time. */
  openSocket(): Promise<WebSocket>;
  setTimer(act: () => void, ms: number): () => void;
  random(): number;
}

const OPEN = 1;
const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** After so long without a word the server is asked for one: a dead connection may look like a living one. */
const SILENCE_MS = 25_000;
const ANSWER_MS = 10_000;
/** The same while something that was asked is not answered: somebody waits. */
const ASK_SILENCE_MS = 2_000;
const ASK_ANSWER_MS = 3_000;
/** How long an answer may take on a connection that lives. */
const ASK_MS = 15_000;
/** So many asks may wait for their answers: the server refuses more than a few. */
const ASKS_MAX = 8;
/** So long a connection may take to open. */
const OPENING_MS = 20_000;

type Answer = SocketResponse["answer"];

interface Asking {
  resolve(answer: Answer | null): void;
  reject(why: OfflineError): void;
  /** Ends the waiting. */
  cancel(): void;
}

/**
 * The app's one live connection: everything of the member, on any screen.
 *
 * When it breaks it is opened again, with pauses that grow and never fall together with other clients' (jitter).
 */
export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #listeners = new Set<(event: RealtimeEvent) => void>();
  #socket: WebSocket | null = null;
  #cancelRetry: (() => void) | null = null;
  /** What is done unless something is heard in time. */
  #cancelPatience: (() => void) | null = null;
  /** Who waits for the answers to what was asked over the socket, by its number. */
  readonly #asks = new Map<number, Asking>();
  #askNo = 0;
  #attempts = 0;
  #failures = 0;
  #isRunning = false;

  constructor(world: ConnectionDeps) {
    this.#deps = world;
  }

  subscribe = (listener: (event: RealtimeEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#open();
  }

  stop(): void {
    this.#isRunning = false;
    this.#attempts++;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#socket?.close();
    this.#letGo(new OfflineError("the live connection was stopped"));
    this.#failures = 0;
  }

  /**
   * Tries at once instead of waiting: the device is online again, or somebody looks at the page. A connection that is
   * open is asked whether it lives.
   */
  wake = (): void => {
    if (this.#socket?.readyState === OPEN) this.#askForAWord();
    if (!this.#isRunning || !this.#cancelRetry) return;
    this.#cancelRetry();
    this.#cancelRetry = null;
    void this.#open();
  };

  /** Gives up a connection that may be dead without knowing it, and opens another after the usual pause. */
  renew = (): void => {
    const socket = this.#socket;
    if (!this.#isRunning || !socket) return;
    this.#retry(socket);
    socket.close();
  };

  /** Says something to the server, if the connection is open; what is said is never needed for anything to be right. */
  send(what: unknown): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(what));
  }

  /**
   * Asks the server over the connection, and waits for the answer with the number of the ask. Null when none comes through:
   * the connection is not open, has enough to do, ends or seems dead, or the server takes too long.
   *
   * @throws Offline when it is stopped meanwhile: the app is locked, or nobody is logged in any more.
   */
  async request(ask: Omit<SocketRequest["ask"], "no">): Promise<Answer | null> {
    if (this.#socket?.readyState !== OPEN || this.#asks.size >= ASKS_MAX) return null;
    const no = ++this.#askNo;
    const cancel = this.#deps.setTimer(() => this.#settle(no, null), ASK_MS);
    const answered = new Promise<Answer | null>((resolve, reject) =>
      this.#asks.set(no, { resolve, reject, cancel }),
    );
    if (this.#asks.size === 1) this.#waitForAWord();
    this.send({ ask: { no, ...ask } });
    return answered;
  }

  /** Tells those who listen, also of what was learned in another way than from the server's events. */
  publish(event: RealtimeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  async #open(): Promise<void> {
    const attempt = ++this.#attempts;
    this.#bePatient(() => this.#giveUp(), OPENING_MS);
    try {
      const socket = await this.#deps.openSocket();
      if (attempt !== this.#attempts) {
        socket.close();
        return;
      }
      this.#socket = socket;
      socket.addEventListener("message", (event) => {
        if (socket === this.#socket) this.#hear(String(event.data));
      });
      socket.addEventListener("close", ({ code }) => {
        if (code === closeCodes.tooMany) this.#rest(socket);
        else this.#retry(socket);
      });
      if (socket.readyState !== OPEN)
        await new Promise((done) => socket.addEventListener("open", done, { once: true }));
      if (attempt !== this.#attempts) return;
      this.#failures = 0;
      this.#waitForAWord();
      this.publish({ kind: "connected" });
    } catch {
      if (attempt === this.#attempts) this.#retry(null);
    }
  }

  /** What has taken too long to open is left alone, and the next one tried. */
  #giveUp(): void {
    const socket = this.#socket;
    this.#attempts++;
    this.#retry(socket);
    socket?.close();
  }

  #waitForAWord(): void {
    this.#bePatient(() => this.#askForAWord(), this.#asks.size > 0 ? ASK_SILENCE_MS : SILENCE_MS);
  }

  #askForAWord(): void {
    this.send({ ping: true });
    this.#bePatient(this.renew, this.#asks.size > 0 ? ASK_ANSWER_MS : ANSWER_MS);
  }

  #bePatient(act: (() => void) | null, ms = 0): void {
    this.#cancelPatience?.();
    this.#cancelPatience = act && this.#deps.setTimer(act, ms);
  }

  #retry(socket: WebSocket | null): void {
    if (!this.#isRunning || this.#cancelRetry || (socket && socket !== this.#socket)) return;
    this.#letGo();
    const pause = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** this.#failures++);
    const cancel = this.#deps.setTimer(
      () => {
        this.#cancelRetry = null;
        void this.#open();
      },
      pause * (0.5 + this.#deps.random() / 2),
    );
    this.#cancelRetry = cancel;
  }

  /** Other pages of the member have taken this one's place: it comes back when somebody looks at it, or when asked. */
  #rest(socket: WebSocket): void {
    if (!this.#isRunning || socket !== this.#socket) return;
    this.#letGo();
    this.#cancelRetry = () => undefined;
  }

  /** Of what was asked over the socket nothing is answered any more. */
  #letGo(why: OfflineError | null = null): void {
    this.#socket = null;
    this.#bePatient(null);
    for (const [no, { reject }] of this.#asks) {
      if (why) reject(why);
      this.#settle(no, null);
    }
  }

  #hear(text: string): void {
    const frame = JSON.parse(text) as EventFrame;
    if ("answer" in frame) this.#settle(frame.answer.no, frame.answer);
    this.#waitForAWord();
    const event = eventOf(frame);
    if (event) this.publish(event);
  }

  #settle(no: number, answer: Answer | null): void {
    const asking = this.#asks.get(no);
    this.#asks.delete(no);
    asking?.cancel();
    asking?.resolve(answer);
  }
}

/** What a frame tells; null for an answer, a mere sign of life, and for what this version does not know. */
function eventOf(frame: EventFrame): RealtimeEvent | null {
  if ("match" in frame) return { kind: "match", match: frame.match };
  if ("dm" in frame) return { kind: "dm", dm: frame.dm };
  if ("lost" in frame) return { kind: "lost", userId: frame.lost.user_id };
  if ("reading" in frame) return { kind: "reading", userId: frame.reading.user_id };
  if ("seen" in frame) return { kind: "seen", userId: frame.seen.user_id };
  if ("unsent" in frame) return { kind: "unsent", userId: frame.unsent.user_id, dmId: frame.unsent.dm_id };
  if (!("read" in frame)) return null;
  const { user_id, reader_id, dm_id } = frame.read;
  return { kind: "read", userId: user_id, readerId: reader_id, dmId: dm_id };
}

const browserWorld: ConnectionDeps = {
  async openSocket() {
    const { ticket } = await api(getWsTicket, {});
    const origin = (settings.apiOrigin || location.origin).replace(/^http/, "ws");
    return new WebSocket(`${origin}/ws/events?ticket=${encodeURIComponent(ticket)}`);
  },
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

const connection = new Connection(browserWorld);

/** Asks for a new connection, since something else did not get through. */
export const reconnect = connection.renew;

/** Makes a call of the contract over the live connection, or else as `api` does. */
export const apiOverSocket = callOverSocket(connection, {
  api,
  isLocked: () => lock.getState().isLocked,
  language: currentLanguage,
});

/** Hears everything that happens to the member, on any screen. Answers how to stop listening. */
export const onRealtimeEvent = connection.subscribe;

/** Announces a message that was sent, by its id (specification, section 4). */
export function announceMessage(dmId: string): void {
  connection.send({ dm_id: dmId });
}

/** Keeps the live connection while somebody is logged in. Answers how to end it. */
export function startRealtime(): () => void {
  const handleVisible = () => document.visibilityState === "visible" && connection.wake();
  // The socket of before may be dead without knowing it.
  const handleOnline = () => {
    connection.renew();
    connection.wake();
  };
  // A page that the browser has put aside and taken out again has a socket that ended meanwhile.
  const handleShow = ({ persisted }: PageTransitionEvent) => persisted && handleOnline();
  connection.start();
  addEventListener("online", handleOnline);
  addEventListener("pageshow", handleShow);
  document.addEventListener("visibilitychange", handleVisible);
  return () => {
    removeEventListener("online", handleOnline);
    removeEventListener("pageshow", handleShow);
    document.removeEventListener("visibilitychange", handleVisible);
    connection.stop();
  };
}
