import type { EventFrame } from "@alcove/contract/messaging";
import { closeCodes } from "@alcove/contract/close-codes";
import { eventOf, type RealtimeEvent } from "./events.ts";

export interface ConnectionDeps {
  openSocket(): Promise<WebSocket>;
  setTimer(act: () => void, ms: number): () => void;
  random(): number;
}

/**
 * - `waiting`: the connection broke; a timer opens the next one.
 * - `displaced`: the server closed it in favour of the member's other pages; it reopens on `wake`.
 */
type State =
  | { name: "stopped" | "displaced" }
  | { name: "opening"; socket: WebSocket | null }
  | { name: "open"; socket: WebSocket }
  | { name: "waiting"; cancelTimer: () => void };

const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 30_000;
const OPENING_TIMEOUT_MS = 20_000;
/** After this silence the client pings: a dead connection looks like an idle one. */
const SILENCE_MS = 25_000;
const PONG_TIMEOUT_MS = 10_000;
/** Without an open connection for this long, the data is read again, at growing intervals. */
const MISSING_MIN_MS = 11_000;
const MISSING_MAX_MS = 60_000;
const MISSING_GROWTH = 1.5;

/** Reconnects with growing pauses, spread by jitter. */
export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #listeners = new Set<(event: RealtimeEvent) => void>();
  #state: State = { name: "stopped" };
  #cancelTimeout: (() => void) | null = null;
  #failures = 0;
  #isMissing = false;
  #cancelMissing: (() => void) | null = null;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  subscribe = (listener: (event: RealtimeEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  publish(event: RealtimeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  start(): void {
    if (this.#state.name !== "stopped") return;
    this.#expectOpen();
    void this.#open();
  }

  /** Whether no connection has opened for a while. */
  isMissing = (): boolean => this.#isMissing;

  isOpen = (): boolean => this.#openSocket() !== null;

  stop(): void {
    const socket = this.#socket();
    this.#leave({ name: "stopped" });
    this.#failures = 0;
    this.#endMissing();
    socket?.close();
  }

  /** Reconnects at once instead of waiting. An open connection is pinged. */
  wake = (): void => {
    if (this.#openSocket()) this.#ping();
    if (this.#state.name !== "waiting" && this.#state.name !== "displaced") return;
    if (this.#state.name === "waiting") this.#state.cancelTimer();
    if (this.#isMissing) this.publish({ kind: "missing" });
    void this.#open();
  };

  renew = (): void => {
    if (this.#socket()) this.#breakOff();
  };

  /** Sends a frame if the connection is open. No caller may rely on its delivery. */
  send(frame: unknown): void {
    this.#openSocket()?.send(JSON.stringify(frame));
  }

  #socket(): WebSocket | null {
    return "socket" in this.#state ? this.#state.socket : null;
  }

  #openSocket(): WebSocket | null {
    const socket = this.#socket();
    return socket?.readyState === WebSocket.OPEN ? socket : null;
  }

  async #open(): Promise<void> {
    const opening: State & { name: "opening" } = { name: "opening", socket: null };
    this.#state = opening;
    this.#setTimeout(() => this.#breakOff(), OPENING_TIMEOUT_MS);
    let socket: WebSocket;
    try {
      socket = await this.#deps.openSocket();
    } catch {
      if (this.#state === opening) this.#wait();
      return;
    }
    if (this.#state !== opening) {
      socket.close();
      return;
    }
    opening.socket = socket;
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket()) this.#handleFrame(JSON.parse(String(event.data)) as EventFrame);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.#socket()) return;
      if (code !== closeCodes.tooMany) return this.#wait();
      this.#endMissing();
      this.#leave({ name: "displaced" });
    });
    if (socket.readyState !== WebSocket.OPEN)
      await new Promise((done) => socket.addEventListener("open", done, { once: true }));
    if (this.#state !== opening) return;
    this.#state = { name: "open", socket };
    this.#failures = 0;
    this.#endMissing();
    this.#expectFrame();
    this.publish({ kind: "connected" });
  }

  #breakOff(): void {
    const socket = this.#socket();
    this.#wait();
    socket?.close();
  }

  #wait(): void {
    if (!this.#cancelMissing) this.#expectOpen();
    const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** this.#failures++);
    const jitter = 0.5 + this.#deps.random() / 2;
    const cancelTimer = this.#deps.setTimer(() => void this.#open(), pauseMs * jitter);
    this.#leave({ name: "waiting", cancelTimer });
  }

  #leave(next: State): void {
    if (this.#state.name === "waiting") this.#state.cancelTimer();
    this.#state = next;
    this.#cancelTimeout?.();
    this.#cancelTimeout = null;
  }

  #expectOpen(afterMs = MISSING_MIN_MS): void {
    this.#cancelMissing = this.#deps.setTimer(() => {
      this.#isMissing = true;
      this.#expectOpen(Math.min(MISSING_MAX_MS, afterMs * MISSING_GROWTH));
      this.publish({ kind: "missing" });
    }, afterMs);
  }

  #endMissing(): void {
    this.#isMissing = false;
    this.#cancelMissing?.();
    this.#cancelMissing = null;
  }

  #handleFrame(frame: EventFrame): void {
    this.#expectFrame();
    const event = eventOf(frame);
    if (event) this.publish(event);
  }

  #expectFrame(): void {
    this.#setTimeout(() => this.#ping(), SILENCE_MS);
  }

  #ping(): void {
    this.send({ ping: true });
    this.#setTimeout(this.renew, PONG_TIMEOUT_MS);
  }

  #setTimeout(act: () => void, ms: number): void {
    this.#cancelTimeout?.();
    this.#cancelTimeout = this.#deps.setTimer(act, ms);
  }
}
