import type { FastifyRequest } from "fastify";
import type { RawData, WebSocket } from "ws";
import { closeCodes, Ping } from "@alcove/contract/messaging";
import { findOpenSessionIds, findMember, redeemTicket, tryAuthenticate } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import { DatabaseUnreachableError } from "../platform/db/errors.ts";
import { SocketCalls } from "../platform/realtime/socket-calls.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { App } from "../platform/http/router.ts";
import { ApiError } from "../platform/errors.ts";

type Admission = { me: CurrentMember; otherMemberId: number | null } | { closeWith: number };

declare module "fastify" {
  interface FastifyRequest {
    admission?: Admission;
  }
}

const UNSUPPORTED_DATA = 1003;
const PONG = JSON.stringify({ pong: true });

/**
 * Opens the sockets `/ws/dm/{userId}` for one conversation and `/ws/events` for all events of a member.
 *
 * A socket is registered before the client sees it open, so the client misses no event after its next fetch.
 */
export function registerSockets(app: App): void {
  const { ctx, http } = app;
  const socketCalls = new SocketCalls(app);
  const preHandler = async (request: FastifyRequest) => {
    if (request.ws) request.admission = await admit(ctx, request);
  };
  for (const url of ["/ws/dm/:userId", "/ws/events"]) {
    http.route({
      method: "GET",
      url,
      preHandler,
      handler: () => Promise.reject(new ApiError("not_found")),
      wsHandler: (ws, request) => openSocket(ctx, socketCalls, ws, request.admission!),
    });
  }
}

/** Checks the origin, then the session, then the match. A wrong origin does not use up a ticket. */
async function admit(ctx: AppContext, request: FastifyRequest): Promise<Admission> {
  if (!isOwnOrigin(ctx, request)) return { closeWith: closeCodes.noMatch };
  const me = await authenticate(ctx, request.query as Record<string, unknown>);
  if (!me) return { closeWith: closeCodes.badToken };

  const { userId } = request.params as { userId?: string };
  if (userId === undefined) return { me, otherMemberId: null };
  const other = await findMember(ctx, userId);
  if (!other || !(await areMatched(ctx.db, me.memberId, other.memberId)))
    return { closeWith: closeCodes.noMatch };
  return { me, otherMemberId: other.memberId };
}

/** Native clients and tools send no origin. A page must come from this server or from the native wrapper. */
function isOwnOrigin({ config }: AppContext, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined || config.nativeOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  const ours = config.publicUrl === null ? null : new URL(config.publicUrl);
  if (theirs.host === ours?.host) return theirs.origin === ours.origin;
  // The scheme is unknown behind a proxy.
  return theirs.host === request.host;
}

/** Returns null if the ticket or access token is invalid or the member is suspended. */
async function authenticate(
  ctx: AppContext,
  { ticket, token }: Record<string, unknown>,
): Promise<CurrentMember | null> {
  if (typeof ticket === "string") return redeemTicket(ctx, ticket);
  return typeof token === "string" ? tryAuthenticate(ctx, token) : null;
}

function openSocket(ctx: AppContext, socketCalls: SocketCalls, ws: WebSocket, admission: Admission): void {
  if ("closeWith" in admission) {
    ws.close(admission.closeWith);
    return;
  }
  const { me, otherMemberId } = admission;
  let handleCall: ((frame: unknown) => void) | null = null;
  // Only calls and pings need a response. An announcement (`{"dm_id": …}`) needs none, because stored messages are pushed.
  ws.on("message", (data, isBinary) => {
    if (isBinary) ws.close(UNSUPPORTED_DATA);
    if (isBinary || otherMemberId !== null) return;
    const frame = parseFrame(data);
    if (isPing(frame)) {
      // Frames on their way already prove that the connection works.
      if (ws.bufferedAmount === 0) ws.send(PONG);
    } else (handleCall ??= socketCalls.listener(ws, me))(frame);
  });
  ctx.sockets.add({ ws, memberId: me.memberId, session: me.session, otherMemberId });
  findCloseCode(ctx, me, otherMemberId).then(
    (code) => code !== null && ws.close(code),
    (error: unknown) => {
      const level = error instanceof DatabaseUnreachableError ? "warn" : "error";
      ctx.log[level]({ err: error }, "a socket could not be checked");
      ws.terminate();
    },
  );
}

/** Returns undefined if the data is not JSON. */
function parseFrame(data: RawData): unknown {
  try {
    return JSON.parse((data as Buffer).toString());
  } catch {
    return undefined;
  }
}

const isPing = (frame: unknown): boolean => Ping.safeParse(frame).success;

/** Checks session and match again: an event that ended one of them was lost before the socket was registered. */
async function findCloseCode(
  ctx: AppContext,
  me: CurrentMember,
  otherMemberId: number | null,
): Promise<number | null> {
  const living = await findOpenSessionIds(ctx.db, [me.session], ctx.clock.now());
  if (living.length === 0) return closeCodes.badToken;
  if (otherMemberId !== null && !(await areMatched(ctx.db, me.memberId, otherMemberId)))
    return closeCodes.noMatch;
  return null;
}
