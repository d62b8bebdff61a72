import type { WebSocket } from "ws";
import { SOCKETS_MAX } from "@alcove/contract/limits";
import { closeCodes } from "@alcove/contract/close-codes";
import { SECOND_MS } from "../clock.ts";
import { textFor } from "../http/native-pictures.ts";
import type { EventBus } from "./event-bus.ts";

export interface MemberSocket {
  readonly ws: WebSocket;
  readonly memberId: number;
  readonly session: string;
  readonly otherMemberId: number | null;
}

const HEARTBEAT_MS = 25 * SECOND_MS;
/** Ten thousand pings at once would delay everything else. */
const HEARTBEAT_PARTS = 100;
const BACKLOG_MAX_BYTES = 1024 * 1024;
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

/** Closes the socket if the client does not read. */
function sendText(ws: WebSocket, text: string): void {
  if (ws.readyState !== ws.OPEN) return;
  if (ws.bufferedAmount > BACKLOG_MAX_BYTES) ws.close(TRY_AGAIN_LATER);
  else ws.send(textFor(ws, text));
}

export class Sockets {
  readonly #byMember = new Map<number, Set<MemberSocket>>();
  readonly #unresponsive = new WeakSet<WebSocket>();
  readonly #parts = Array.from({ length: HEARTBEAT_PARTS }, () => new Set<WebSocket>());
  readonly #heartbeat: NodeJS.Timeout;
  #beats = 0;
  #added = 0;
  #count = 0;

  constructor(eventBus: EventBus, heartbeatMs: number = HEARTBEAT_MS) {
    eventBus.subscribe("session_ended", ({ session }) =>
      this.#closeAll((socket) => socket.session === session, closeCodes.badToken),
    );
    eventBus.subscribe("member_ended", ({ memberId }) => {
      this.#closeOf(memberId, () => true, closeCodes.badToken);
      this.#closeAll((socket) => socket.otherMemberId === memberId, closeCodes.noMatch);
    });
    eventBus.onMissedEvents(() => this.#closeAll(() => true, SERVICE_RESTART));
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs / HEARTBEAT_PARTS).unref();
  }

  get count(): number {
    return this.#count;
  }

  has(memberId: number): boolean {
    return this.#byMember.has(memberId);
  }

  add(socket: MemberSocket): void {
    if (socket.ws.readyState !== socket.ws.OPEN) return;
    const sockets = this.#byMember.get(socket.memberId) ?? new Set();
    const openSockets = [...sockets].filter(({ ws }) => ws.readyState === ws.OPEN);
    if (openSockets.length >= SOCKETS_MAX) openSockets[0]!.ws.close(closeCodes.tooMany);
    sockets.add(socket);
    this.#byMember.set(socket.memberId, sockets);
    this.#count++;
    const part = this.#parts[this.#added++ % HEARTBEAT_PARTS]!;
    part.add(socket.ws);
    socket.ws.on("pong", () => this.#unresponsive.delete(socket.ws));
    socket.ws.on("close", () => {
      sockets.delete(socket);
      part.delete(socket.ws);
      this.#count--;
      if (sockets.size === 0) this.#byMember.delete(socket.memberId);
    });
  }

  /**
   * Reaches the member's general sockets and, with `otherMemberId`, those of that conversation. Picture URLs differ by
   * session, so `frameFor` returns the frame of a session, or null.
   */
  send(
    memberId: number,
    frameFor: (session: string) => unknown,
    { otherMemberId = null }: { otherMemberId?: number | null } = {},
  ): void {
    const texts = new Map<string, string>();
    for (const { ws, session, otherMemberId: about } of this.#byMember.get(memberId) ?? []) {
      if (about !== null && about !== otherMemberId) continue;
      const text = texts.get(session) ?? JSON.stringify(frameFor(session));
      texts.set(session, text);
      if (text === "null") continue;
      sendText(ws, text);
    }
  }

  /** Clients reconnect and fetch the lost event. */
  closeForResync(memberId: number): void {
    this.#closeOf(memberId, () => true, SERVICE_RESTART);
  }

  closeConversation(memberId: number, otherMemberId: number): void {
    this.#closeOf(memberId, (socket) => socket.otherMemberId === otherMemberId, closeCodes.noMatch);
  }

  async close(graceMs: number): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#closeAll(() => true, closeCodes.goingAway);
    const until = performance.now() + graceMs;
    while (this.#count > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, 10));
    for (const sockets of this.#byMember.values()) for (const { ws } of sockets) ws.terminate();
  }

  #closeAll(isSelected: (socket: MemberSocket) => boolean, code: number): void {
    for (const memberId of this.#byMember.keys()) this.#closeOf(memberId, isSelected, code);
  }

  #closeOf(memberId: number, isSelected: (socket: MemberSocket) => boolean, code: number): void {
    for (const socket of this.#byMember.get(memberId) ?? []) if (isSelected(socket)) socket.ws.close(code);
  }

  #beat(): void {
    for (const ws of this.#parts[this.#beats++ % HEARTBEAT_PARTS]!) {
      if (this.#unresponsive.has(ws)) ws.terminate();
      else {
        this.#unresponsive.add(ws);
        ws.ping();
      }
    }
  }
}
