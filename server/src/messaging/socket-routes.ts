import type { FastifyReply, FastifyRequest } from "fastify";
import type { RawData, WebSocket } from "ws";
import { Ping } from "@alcove/contract/messaging";
import { closeCodes } from "@alcove/contract/close-codes";
import { findOpenSession, redeemTicket, tryAuthenticate } from "../accounts/index.ts";
import { findMember, NO_MEMBER } from "../members/find-member.ts";
import { areMatched } from "../discovery/index.ts";
import { isTemporary } from "../platform/db/errors.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { delayToHideCause } from "../platform/http/error-handler.ts";
import { originForNative, setPictureOrigin } from "../platform/http/native-pictures.ts";
import type { App } from "../platform/http/router.ts";
import { ApiError } from "../platform/errors.ts";
import { networkTag } from "../platform/security/client-network.ts";

type Admission = { me: CurrentMember; otherMemberId: number | null } | Rejection;
type Rejection = { closeWith: number; member: number | null };

declare module "fastify" {
  interface FastifyRequest {
    admission?: Admission;
  }
}

const UNSUPPORTED_DATA = 1003;
const PONG = JSON.stringify({ pong: true });

/** A socket is registered before the client sees it open, so the client's next fetch leaves no gap. */
export function registerSockets(app: App): void {
  const { ctx, http } = app;
  const preHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!request.ws) return;
    const admission = await admitInTurn(ctx, request);
    if ("closeWith" in admission && admission.closeWith === closeCodes.noMatch)
      await delayToHideCause(new ApiError("conversation_not_found"), reply.elapsedTime);
    request.admission = admission;
  };
  for (const url of ["/ws/dm/:userId", "/ws/events"]) {
    http.route({
      method: "GET",
      url,
      preHandler,
      handler: () => Promise.reject(new ApiError("not_found")),
      wsHandler: (ws, request) => {
        const admission = request.admission!;
        if ("closeWith" in admission) rejectSocket(ctx, ws, request, admission);
        else {
          setPictureOrigin(ws, originForNative(ctx.config, request));
          openSocket(ctx, ws, admission);
        }
      },
    });
  }
}

async function admitInTurn(ctx: AppContext, request: FastifyRequest): Promise<Admission> {
  const query = request.query as Record<string, unknown>;
  const memberId = memberIdOf(ctx, query);
  const sender =
    memberId === null
      ? { subject: null, ip: request.ip }
      : { subject: `member ${memberId}` as const, ip: request.ip, token: String(query["token"]) };
  return ctx.turns.run(sender, () => admit(ctx, request));
}

function memberIdOf(ctx: AppContext, { ticket, token }: Record<string, unknown>): number | null {
  if (typeof ticket === "string" || typeof token !== "string") return null;
  try {
    return ctx.memberIdOf(token);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** A wrong origin does not spend a ticket. */
async function admit(ctx: AppContext, request: FastifyRequest): Promise<Admission> {
  if (!isOwnOrigin(ctx, request)) return { closeWith: closeCodes.noMatch, member: null };
  const me = await authenticate(ctx, request.query as Record<string, unknown>);
  if (!me) return { closeWith: closeCodes.badToken, member: null };

  const { userId } = request.params as { userId?: string };
  if (userId === undefined) return { me, otherMemberId: null };
  const other = await findMember(ctx, userId);
  const isMatched = await areMatched(ctx.db, me.memberId, other?.memberId ?? NO_MEMBER);
  if (!other || !isMatched) return { closeWith: closeCodes.noMatch, member: me.memberId };
  return { me, otherMemberId: other.memberId };
}

/** Native clients and tools send no origin. */
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

async function authenticate(
  ctx: AppContext,
  { ticket, token }: Record<string, unknown>,
): Promise<CurrentMember | null> {
  if (typeof ticket === "string") return redeemTicket(ctx, ticket);
  return typeof token === "string" ? tryAuthenticate(ctx, token) : null;
}

function rejectSocket(
  ctx: AppContext,
  ws: WebSocket,
  { log, ip }: FastifyRequest,
  { closeWith, member }: Rejection,
): void {
  log.info({ close: closeWith, member, network: networkTag(ctx, ip) }, "socket rejected");
  ws.close(closeWith);
}

function openSocket(
  ctx: AppContext,
  ws: WebSocket,
  { me, otherMemberId }: Exclude<Admission, Rejection>,
): void {
  ws.on("message", (data, isBinary) => {
    if (isBinary) ws.close(UNSUPPORTED_DATA);
    // Frames on their way already prove that the connection works.
    else if (otherMemberId === null && isPing(data) && ws.bufferedAmount === 0) ws.send(PONG);
  });
  ctx.sockets.add({ ws, memberId: me.memberId, session: me.session, otherMemberId });
  ctx.runningTasks.add(findCloseCode(ctx, me, otherMemberId)).then(
    (code) => code !== null && ws.close(code),
    (error: unknown) => {
      const level = isTemporary(error) ? "warn" : "error";
      ctx.log[level]({ err: error }, "a socket could not be checked");
      ws.terminate();
    },
  );
}

function isPing(data: RawData): boolean {
  try {
    return Ping.safeParse(JSON.parse((data as Buffer).toString())).success;
  } catch {
    return false;
  }
}

/** Checks again: an event before the registration of the socket was lost. */
async function findCloseCode(
  ctx: AppContext,
  me: CurrentMember,
  otherMemberId: number | null,
): Promise<number | null> {
  if (!(await findOpenSession(ctx.db, me, ctx.clock.now()))) return closeCodes.badToken;
  if (otherMemberId !== null && !(await areMatched(ctx.db, me.memberId, otherMemberId)))
    return closeCodes.noMatch;
  return null;
}
