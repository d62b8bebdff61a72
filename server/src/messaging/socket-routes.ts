import type { FastifyRequest } from "fastify";
import type { RawData, WebSocket } from "ws";
import { closeCodes, Ping } from "@alcove/contract/messaging";
import { findMember, redeemTicket, tryAuthenticate } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import { DatabaseUnreachableError } from "../platform/db/errors.ts";
import { SocketCalls } from "../platform/realtime/socket-calls.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { App } from "../platform/http/router.ts";
import { ApiError } from "../platform/errors.ts";
import { isSessionAlive } from "./sockets.sql.ts";

type Admission = { me: CurrentMember; otherMemberId: number | null } | { closeWith: number };

declare module "fastify" {
  interface FastifyRequest {
    admission?: Admission;
  }
}

const UNSUPPORTED_DATA = 1003;
const PONG = JSON.stringify({ pong: true });

/**
 * Mounts the sockets: `/ws/dm/{userId}` for one conversation, `/ws/events` for everything of a member.
 *
 * Who is let in is decided before the upgrade is answered: when a client reads "open", its socket is already among
 * those that messages go to, so that what it fetches from then on leaves no gap.
 */
export function registerSockets(app: App): void {
  const { ctx, http } = app;
  const asks = new SocketCalls(app);
  const decide = async (request: FastifyRequest) => {
    if (request.ws) request.admission = await admit(ctx, request);
  };
  for (const url of ["/ws/dm/:userId", "/ws/events"]) {
    http.route({
      method: "GET",
      url,
      preHandler: decide,
      handler: () => Promise.reject(new ApiError("not_found")),
      wsHandler: (ws, request) => welcome(ctx, asks, ws, request.admission!),
    });
  }
}

/** Origin, then session, then match: whoever fails one learns nothing of the next, and its ticket is not spent. */
async function admit(ctx: AppContext, request: FastifyRequest): Promise<Admission> {
  if (!isOurOrigin(ctx, request)) return { closeWith: closeCodes.noMatch };
  const me = await findMe(ctx, request.query as Record<string, unknown>);
  if (!me) return { closeWith: closeCodes.badToken };

  const { userId } = request.params as { userId?: string };
  if (userId === undefined) return { me, otherMemberId: null };
  const other = await findMember(ctx, userId);
  if (!other || !(await areMatched(ctx.db, me.memberId, other.memberId)))
    return { closeWith: closeCodes.noMatch };
  return { me, otherMemberId: other.memberId };
}

/** Native clients and tools name no origin; pages must come from us or from the native wrapper. */
function isOurOrigin({ config }: AppContext, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined || config.nativeOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  const ours = config.publicUrl === null ? null : new URL(config.publicUrl);
  if (theirs.host === ours?.host) return theirs.origin === ours.origin;
  // By which scheme we are reached a proxy may not tell.
  return theirs.host === request.host;
}

/** The member of a ticket or an access token; null for a bad one, and for who is suspended. */
async function findMe(
  ctx: AppContext,
  { ticket, token }: Record<string, unknown>,
): Promise<CurrentMember | null> {
  if (typeof ticket === "string") return redeemTicket(ctx, ticket);
  return typeof token === "string" ? tryAuthenticate(ctx, token) : null;
}

function welcome(ctx: AppContext, asks: SocketCalls, ws: WebSocket, admission: Admission): void {
  if ("closeWith" in admission) {
    ws.close(admission.closeWith);
    return;
  }
  const { me, otherMemberId } = admission;
  let hearAsk: ((frame: unknown) => void) | null = null;
  // An announcement (`{"dm_id": …}`) asks for nothing, since what is stored is pushed already; no other text does either,
  // but for calls and a ping. While frames are on their way to the client, these are sign of life enough.
  ws.on("message", (data, isBinary) => {
    if (isBinary) ws.close(UNSUPPORTED_DATA);
    if (isBinary || otherMemberId !== null) return;
    const frame = readFrame(data);
    if (isPing(frame)) {
      if (ws.bufferedAmount === 0) ws.send(PONG);
    } else (hearAsk ??= asks.listener(ws, me))(frame);
  });
  ctx.sockets.add({ ws, memberId: me.memberId, session: me.session, otherMemberId });
  askAgain(ctx, me, otherMemberId).then(
    (code) => code !== null && ws.close(code),
    (error: unknown) => {
      const level = error instanceof DatabaseUnreachableError ? "warn" : "error";
      ctx.log[level]({ err: error }, "a socket could not be checked");
      ws.terminate();
    },
  );
}

/** What a client says; undefined for what is not JSON. */
function readFrame(data: RawData): unknown {
  try {
    return JSON.parse((data as Buffer).toString());
  } catch {
    return undefined;
  }
}

const isPing = (frame: unknown): boolean => Ping.safeParse(frame).success;

/** What ended between the decision and now was told before the socket was known, so it is asked again. */
async function askAgain(
  ctx: AppContext,
  me: CurrentMember,
  otherMemberId: number | null,
): Promise<number | null> {
  if (!(await isSessionAlive(ctx.db, me.session, ctx.clock.now()))) return closeCodes.badToken;
  if (otherMemberId !== null && !(await areMatched(ctx.db, me.memberId, otherMemberId)))
    return closeCodes.noMatch;
  return null;
}
