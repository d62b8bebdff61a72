import type { FastifyRequest } from "fastify";
import { calls, type Call } from "@alcove/contract";
import type { AppContext, CurrentMember } from "../context.ts";
import type { Port } from "./registered-call.ts";
import { requireToken } from "./request.ts";
import { MINUTE_MS } from "../clock.ts";

const READS = { name: "reads", max: 600, windowMs: MINUTE_MS, batch: 20 };

export function membersPort(ctx: AppContext): Port {
  return {
    calls,
    originOf: ({ protocol, host }) => ctx.config.publicUrl ?? `${protocol}://${host}`,
    async authorize(request, _reply, group) {
      if (group[0]!.access === "visitor") return {};
      const me = await authenticate(ctx, request, group);
      request.me = me;
      if (request.method === "GET") await ctx.rateLimits.consume(READS, me.memberId);
      return { me };
    },
  };
}

/** A browser that saves a file sends no header, so a file's URL may have a ticket instead. */
async function authenticate(
  ctx: AppContext,
  request: FastifyRequest,
  group: readonly Call[],
): Promise<CurrentMember> {
  const { ticket } = request.query as { ticket?: unknown };
  const mayUseTicket = group[0]!.file && request.headers.authorization === undefined;
  if (mayUseTicket && typeof ticket === "string") return ctx.redeemFileTicket(ticket);
  const scope = group.every(({ forPurchases }) => forPurchases) ? "purchases" : "all";
  return ctx.authenticate(requireToken(request), scope);
}
