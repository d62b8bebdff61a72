import type { FastifyRequest } from "fastify";
import type { RawData, WebSocket } from "ws";
import { closeCodes, Ping } from "@alcove/contract/messaging";
import { findMember, redeemTicket, tryAuthenticate } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import { DatabaseUnreachable } from "../platform/db/database.ts";
import { Asks } from "../platform/realtime/socket-calls.ts";
import type { Deps, Me } from "../platform/context.ts";
import type { App } from "../platform/http/router.ts";
import { refuse } from "../platform/errors.ts";
import { isSessionAlive } from "./sockets.sql.ts";

type Admission = { me: Me; otherNo: number | null } | { closeWith: number };

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
export function socketRoutes(app: App): void {
  const { deps, http } = app;
  const asks = new Asks(app);
  const decide = async (request: FastifyRequest) => {
    if (request.ws) request.admission = await admit(deps, request);
  };
  for (const url of ["/ws/dm/:userId", "/ws/events"]) {
    http.route({
      method: "GET",
      url,
      preHandler: decide,
      handler: () => Promise.reject(refuse("not_found")),
      wsHandler: (ws, request) => welcome(deps, asks, ws, request.admission!),
    });
  }
}

/** Origin, then session, then match: whoever fails one learns nothing of the next, and its ticket is not spent. */
async function admit(deps: Deps, request: FastifyRequest): Promise<Admission> {
  if (!isOurOrigin(deps, request)) return { closeWith: closeCodes.noMatch };
  const me = await findMe(deps, request.query as Record<string, unknown>);
  if (!me) return { closeWith: closeCodes.badToken };

  const { userId } = request.params as { userId?: string };
  if (userId === undefined) return { me, otherNo: null };
  const other = await findMember(deps, userId);
  if (!other || !(await areMatched(deps.db, me.no, other.no))) return { closeWith: closeCodes.noMatch };
  return { me, otherNo: other.no };
}

/** Native clients and tools name no origin; pages must come from us or from the native wrapper. */
function isOurOrigin({ settings }: Deps, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined || settings.nativeOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  const ours = settings.publicUrl === null ? null : new URL(settings.publicUrl);
  if (theirs.host === ours?.host) return theirs.origin === ours.origin;
  // By which scheme we are reached a proxy may not tell.
  return theirs.host === request.host;
}

/** The member of a ticket or an access token; null for a bad one, and for who is suspended. */
async function findMe(deps: Deps, { ticket, token }: Record<string, unknown>): Promise<Me | null> {
  if (typeof ticket === "string") return redeemTicket(deps, ticket);
  return typeof token === "string" ? tryAuthenticate(deps, token) : null;
}

function welcome(deps: Deps, asks: Asks, ws: WebSocket, admission: Admission): void {
  if ("closeWith" in admission) {
    ws.close(admission.closeWith);
    return;
  }
  const { me, otherNo } = admission;
  let hearAsk: ((frame: unknown) => void) | null = null;
  // An announcement (`{"dm_id": …}`) asks for nothing, since what is stored is pushed already; no other text does either,
  // but for calls and a ping. While frames are on their way to the client, these are sign of life enough.
  ws.on("message", (data, isBinary) => {
    if (isBinary) ws.close(UNSUPPORTED_DATA);
    if (isBinary || otherNo !== null) return;
    const frame = readFrame(data);
    if (isPing(frame)) {
      if (ws.bufferedAmount === 0) ws.send(PONG);
    } else (hearAsk ??= asks.listener(ws, me))(frame);
  });
  deps.sockets.add({ ws, no: me.no, session: me.session, otherNo });
  askAgain(deps, me, otherNo).then(
    (code) => code !== null && ws.close(code),
    (error: unknown) => {
      const level = error instanceof DatabaseUnreachable ? "warn" : "error";
      deps.log[level]({ err: error }, "a socket could not be checked");
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
async function askAgain(deps: Deps, me: Me, otherNo: number | null): Promise<number | null> {
  if (!(await isSessionAlive(deps.db, me.session, deps.clock.now()))) return closeCodes.badToken;
  if (otherNo !== null && !(await areMatched(deps.db, me.no, otherNo))) return closeCodes.noMatch;
  return null;
}
