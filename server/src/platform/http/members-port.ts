import type { FastifyRequest } from "fastify";
import { calls, type Call } from "@alcove/contract";
import type { AppContext, CurrentMember } from "../context.ts";
import type { Port } from "./registered-call.ts";
import type { Repeats } from "./repeats.ts";
import { localeOf, requireToken } from "./request.ts";

export function membersPort(ctx: AppContext, repeats: Repeats): Port {
  return {
    calls,
    repeats,
    originOf: ({ protocol, host }) => ctx.config.publicUrl ?? `${protocol}://${host}`,
    identify(request, group) {
      if (group[0]!.access === "visitor" || ticketOf(request, group) !== null) return null;
      return ctx.memberIdOf(requireToken(request));
    },
    async authorize(request, _reply, group) {
      if (group[0]!.access === "visitor") return {};
      const me = await authenticate(ctx, request, group);
      request.me = me;
      return { me };
    },
  };
}

async function authenticate(
  ctx: AppContext,
  request: FastifyRequest,
  group: readonly Call[],
): Promise<CurrentMember> {
  const ticket = ticketOf(request, group);
  if (ticket !== null) return ctx.redeemFileTicket(ticket);
  const scope = group.every(({ forPurchases }) => forPurchases) ? "purchases" : "all";
  return ctx.authenticate(requireToken(request), scope, localeOf(request));
}

/** A browser that saves a file sends no header, so a file's URL may have a ticket instead. */
function ticketOf(request: FastifyRequest, [call]: readonly Call[]): string | null {
  const { ticket } = request.query as { ticket?: unknown };
  const mayUseTicket = call!.file && request.headers.authorization === undefined;
  return mayUseTicket && typeof ticket === "string" ? ticket : null;
}
