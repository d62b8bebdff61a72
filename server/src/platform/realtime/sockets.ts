import type { WebSocket } from "ws";
import { SOCKETS_MAX } from "@alcove/contract/limits";
import { closeCodes } from "@alcove/contract/messaging";
import { SECOND_MS } from "../clock.ts";
import type { EventBus } from "./event-bus.ts";

/** A socket of a member: for one conversation (`otherNo`), or for everything (`null`). */
export interface MemberSocket {
  readonly ws: WebSocket;
  readonly memberId: number;
  readonly session: string;
  readonly otherMemberId: number | null;
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

  constructor(eventBus: EventBus, heartbeatMs: number = HEARTBEAT_MS) {
    eventBus.subscribe("session_ended", ({ session }) =>
      this.#cut((socket) => socket.session === session, closeCodes.badToken),
    );
    eventBus.subscribe("member_ended", ({ memberId }) => {
      this.#cutOf(memberId, () => true, closeCodes.badToken);
      this.#cut((socket) => socket.otherMemberId === memberId, closeCodes.noMatch);
    });
    // After a gap in the bus nobody knows what was missed: clients come back and ask.
    eventBus.onMissedEvents(() => this.#cut(() => true, SERVICE_RESTART));
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs / HEARTBEAT_PARTS).unref();
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the member has a socket in this process: hints for others need no look-up. */
  has(memberId: number): boolean {
    return this.#byMember.has(memberId);
  }

  /** Keeps a socket until it closes; one that has closed by now is not kept. */
  add(socket: MemberSocket): void {
    if (socket.ws.readyState !== socket.ws.OPEN) return;
    const sockets = this.#byMember.get(socket.memberId) ?? new Set();
    const living = [...sockets].filter(({ ws }) => ws.readyState === ws.OPEN);
    if (living.length >= SOCKETS_MAX) living[0]!.ws.close(closeCodes.tooMany);
    sockets.add(socket);
    this.#byMember.set(socket.memberId, sockets);
    this.#count++;
    const part = this.#parts[this.#added++ % HEARTBEAT_PARTS]!;
    part.add(socket.ws);
    socket.ws.on("pong", () => this.#silent.delete(socket.ws));
    socket.ws.on("close", () => {
      sockets.delete(socket);
      part.delete(socket.ws);
      this.#count--;
      if (sockets.size === 0) this.#byMember.delete(socket.memberId);
    });
  }

  /**
   * Sends a frame to the member's sockets for everything and, with `otherNo`, to those of that conversation.
   *
   * @param frameFor makes the frame for a session, since addresses of pictures are each session's own; null sends nothing
   * @param except a socket that learns of it in another way
   */
  send(
    memberId: number,
    frameFor: (session: string) => unknown,
    {
      otherMemberId = null,
      except = null,
    }: { otherMemberId?: number | null; except?: WebSocket | null } = {},
  ): void {
    const texts = new Map<string, string>();
    for (const { ws, session, otherMemberId: about } of this.#byMember.get(memberId) ?? []) {
      if (ws === except || (about !== null && about !== otherMemberId)) continue;
      const text = texts.get(session) ?? JSON.stringify(frameFor(session));
      texts.set(session, text);
      if (text === "null") continue;
      sendText(ws, text);
    }
  }

  /** Closes the member's sockets after something for them was lost; their clients come back and ask. */
  closeForResync(memberId: number): void {
    this.#cutOf(memberId, () => true, SERVICE_RESTART);
  }

  /** Cuts a member's sockets for one conversation. */
  closeConversation(memberId: number, otherMemberId: number): void {
    this.#cutOf(memberId, (socket) => socket.otherMemberId === otherMemberId, closeCodes.noMatch);
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
    for (const memberId of this.#byMember.keys()) this.#cutOf(memberId, isMeant, code);
  }

  #cutOf(memberId: number, isMeant: (socket: MemberSocket) => boolean, code: number): void {
    for (const socket of this.#byMember.get(memberId) ?? []) if (isMeant(socket)) socket.ws.close(code);
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
