import { getWsTicket } from "@alcove/contract/accounts";
import { closeCodes, type Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { api } from "../../lib/api.ts";
import { settings } from "../../lib/settings.ts";

/**
 * What happens to a member while the app is open. Before `connected`, the first time too, something may have been
 * missed: ask again.
 */
export type LiveEvent =
  | { kind: "match"; match: Party }
  | { kind: "dm"; dm: Dm }
  | { kind: "lost"; userId: string }
  | { kind: "connected" };

/** What the connection needs of the world, so that tests can stand in for it. */
export interface LiveWorld {
  /** Opens a socket that may be used now; a fresh ticket is asked for each time. */
  openSocket(): Promise<WebSocket>;
  setTimer(act: () => void, ms: number): () => void;
  random(): number;
}

const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 30_000;

/**
 * The app's one live connection: everything of the member, on any screen.
 *
 * When it breaks it is opened again, with pauses that grow and never fall together with other clients' (jitter).
 */
export class LiveConnection {
  readonly #world: LiveWorld;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  #socket: WebSocket | null = null;
  #cancelRetry: (() => void) | null = null;
  #failures = 0;
  #isRunning = false;

  constructor(world: LiveWorld) {
    this.#world = world;
  }

  on = (listener: (event: LiveEvent) => void): (() => void) => {
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
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#socket?.close();
    this.#socket = null;
    this.#failures = 0;
  }

  /** Tries at once instead of waiting: the device is online again, or somebody looks at the page. */
  wake = (): void => {
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
  say(what: unknown): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(what));
  }

  async #open(): Promise<void> {
    try {
      const socket = await this.#world.openSocket();
      if (!this.#isRunning) {
        socket.close();
        return;
      }
      this.#socket = socket;
      socket.addEventListener("message", (event) => this.#hear(String(event.data)));
      socket.addEventListener("close", ({ code }) => {
        if (code === closeCodes.tooMany) this.#rest(socket);
        else this.#retry(socket);
      });
      if (socket.readyState !== 1)
        await new Promise((done) => socket.addEventListener("open", done, { once: true }));
      this.#failures = 0;
      this.#tell({ kind: "connected" });
    } catch {
      this.#retry(null);
    }
  }

  #retry(socket: WebSocket | null): void {
    if (!this.#isRunning || this.#cancelRetry || (socket && socket !== this.#socket)) return;
    this.#socket = null;
    const pause = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** this.#failures++);
    const cancel = this.#world.setTimer(
      () => {
        this.#cancelRetry = null;
        void this.#open();
      },
      pause * (0.5 + this.#world.random() / 2),
    );
    this.#cancelRetry = cancel;
  }

  /** Other pages of the member have taken this one's place: it comes back when somebody looks at it, or when asked. */
  #rest(socket: WebSocket): void {
    if (!this.#isRunning || socket !== this.#socket) return;
    this.#socket = null;
    this.#cancelRetry = () => undefined;
  }

  #hear(text: string): void {
    const frame = JSON.parse(text) as Partial<{ match: Party; dm: Dm; lost: { user_id: string } }>;
    if (frame.match) this.#tell({ kind: "match", match: frame.match });
    if (frame.dm) this.#tell({ kind: "dm", dm: frame.dm });
    if (frame.lost) this.#tell({ kind: "lost", userId: frame.lost.user_id });
  }

  #tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const browserWorld: LiveWorld = {
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

const connection = new LiveConnection(browserWorld);

/** Asks for a new connection, since something else did not get through. */
export const renewLive = connection.renew;

/** Hears everything that happens to the member, on any screen. Answers how to stop listening. */
export const onLive = connection.on;

/** Announces a message that was sent, by its id (specification, section 4). */
export function announce(dmId: string): void {
  connection.say({ dm_id: dmId });
}

/** Keeps the live connection while somebody is logged in. Answers how to end it. */
export function startLiveEvents(): () => void {
  const handleVisible = () => document.visibilityState === "visible" && connection.wake();
  // The socket of before may be dead without knowing it.
  const handleOnline = () => {
    connection.renew();
    connection.wake();
  };
  connection.start();
  addEventListener("online", handleOnline);
  document.addEventListener("visibilitychange", handleVisible);
  return () => {
    removeEventListener("online", handleOnline);
    document.removeEventListener("visibilitychange", handleVisible);
    connection.stop();
  };
}
