import type { WebSocket } from "ws";
import { SOCKETS_MAX } from "@alcove/contract/limits";
import { closeCodes } from "@alcove/contract/messaging";
import { SECOND_MS } from "../clock.ts";
import type { Live } from "./event-bus.ts";

/** A socket of a member: for one conversation (`otherNo`), or for everything (`null`). */
export interface MemberSocket {
  readonly ws: WebSocket;
  readonly no: number;
  readonly session: string;
  readonly otherNo: number | null;
}

const HEARTBEAT_MS = 25 * SECOND_MS;
/** In so many parts the sockets are asked whether they live: ten thousand at once would keep everybody else waiting. */
const HEARTBEAT_PARTS = 100;
/** A reader this far behind is cut; it reconnects and fetches what it missed. */
const BACKLOG_BYTES = 1024 * 1024;
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

/** Sends a text to a socket, unless it closes; one whose other end does not read is cut. */
export function sendText(ws: WebSocket, text: string): void {
  if (ws.readyState !== ws.OPEN) return;
  if (ws.bufferedAmount > BACKLOG_BYTES) ws.close(TRY_AGAIN_LATER);
  else ws.send(text);
}

/** The open sockets of this process, by member. */
export class Sockets {
  readonly #byMember = new Map<number, Set<MemberSocket>>();
  readonly #silent = new WeakSet<WebSocket>();
  readonly #parts = Array.from({ length: HEARTBEAT_PARTS }, () => new Set<WebSocket>());
  readonly #heartbeat: NodeJS.Timeout;
  #beats = 0;
  #added = 0;
  #count = 0;

  constructor(live: Live, heartbeatMs: number = HEARTBEAT_MS) {
    live.on("session_ended", ({ session }) =>
      this.#cut((socket) => socket.session === session, closeCodes.badToken),
    );
    live.on("member_ended", ({ no }) => {
      this.#cutOf(no, () => true, closeCodes.badToken);
      this.#cut((socket) => socket.otherNo === no, closeCodes.noMatch);
    });
    // After a gap in the bus nobody knows what was missed: clients come back and ask.
    live.onGap(() => this.#cut(() => true, SERVICE_RESTART));
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs / HEARTBEAT_PARTS).unref();
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the member has a socket in this process: hints for others need no look-up. */
  has(no: number): boolean {
    return this.#byMember.has(no);
  }

  /** Keeps a socket until it closes; one that has closed by now is not kept. */
  add(socket: MemberSocket): void {
    if (socket.ws.readyState !== socket.ws.OPEN) return;
    const sockets = this.#byMember.get(socket.no) ?? new Set();
    const living = [...sockets].filter(({ ws }) => ws.readyState === ws.OPEN);
    if (living.length >= SOCKETS_MAX) living[0]!.ws.close(closeCodes.tooMany);
    sockets.add(socket);
    this.#byMember.set(socket.no, sockets);
    this.#count++;
    const part = this.#parts[this.#added++ % HEARTBEAT_PARTS]!;
    part.add(socket.ws);
    socket.ws.on("pong", () => this.#silent.delete(socket.ws));
    socket.ws.on("close", () => {
      sockets.delete(socket);
      part.delete(socket.ws);
      this.#count--;
      if (sockets.size === 0) this.#byMember.delete(socket.no);
    });
  }

  /**
   * Sends a frame to the member's sockets for everything and, with `otherNo`, to those of that conversation.
   *
   * @param frameFor makes the frame for a session, since addresses of pictures are each session's own; null sends nothing
   * @param except a socket that learns of it in another way
   */
  send(
    no: number,
    frameFor: (session: string) => unknown,
    { otherNo = null, except = null }: { otherNo?: number | null; except?: WebSocket | null } = {},
  ): void {
    const texts = new Map<string, string>();
    for (const { ws, session, otherNo: about } of this.#byMember.get(no) ?? []) {
      if (ws === except || (about !== null && about !== otherNo)) continue;
      const text = texts.get(session) ?? JSON.stringify(frameFor(session));
      texts.set(session, text);
      if (text === "null") continue;
      sendText(ws, text);
    }
  }

  /** Closes the member's sockets after something for them was lost; their clients come back and ask. */
  askBack(no: number): void {
    this.#cutOf(no, () => true, SERVICE_RESTART);
  }

  /** Cuts a member's sockets for one conversation. */
  cutConversation(no: number, otherNo: number): void {
    this.#cutOf(no, (socket) => socket.otherNo === otherNo, closeCodes.noMatch);
  }

  /** Says goodbye to everybody and waits until all are gone, at most `graceMs`. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#cut(() => true, closeCodes.goingAway);
    const until = Date.now() + graceMs;
    while (this.#count > 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 10));
    for (const sockets of this.#byMember.values()) for (const { ws } of sockets) ws.terminate();
  }

  #cut(isMeant: (socket: MemberSocket) => boolean, code: number): void {
    for (const no of this.#byMember.keys()) this.#cutOf(no, isMeant, code);
  }

  #cutOf(no: number, isMeant: (socket: MemberSocket) => boolean, code: number): void {
    for (const socket of this.#byMember.get(no) ?? []) if (isMeant(socket)) socket.ws.close(code);
  }

  #beat(): void {
    for (const ws of this.#parts[this.#beats++ % HEARTBEAT_PARTS]!) {
      if (this.#silent.has(ws)) ws.terminate();
      else {
        this.#silent.add(ws);
        ws.ping();
      }
    }
  }
}
