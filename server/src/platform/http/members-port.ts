import type { FastifyRequest } from "fastify";
import { calls, CONSENT_REQUIRED_FROM, type Call } from "@alcove/contract";
import { CONSENT_GRACE_DAYS } from "@alcove/contract/limits";
import { DAY_MS } from "../clock.ts";
import type { AppContext, CurrentMember } from "../context.ts";
import { ApiError } from "../errors.ts";
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
    async authorize(request, reply, group) {
      if (group[0]!.access === "visitor") return {};
      const me = await authenticate(ctx, request, group);
      request.me = me;
      const { consentRequiredFrom: from } = me;
      if (from !== null) void reply.header(CONSENT_REQUIRED_FROM, from);
      if (from !== null && isGraceOver(ctx, from) && !group.every(({ withoutConsent }) => withoutConsent))
        throw new ApiError("consent_required");
      const isUnchecked = ctx.config.ageCheck !== "off" && !me.isAgeChecked;
      if (isUnchecked && group.some(({ needsAgeCheck }) => needsAgeCheck))
        throw new ApiError("age_check_required");
      return { me };
    },
  };
}

/** `docs/product-rules.md`, Consent. */
function isGraceOver({ clock }: AppContext, requiredFrom: string): boolean {
  return clock.now().getTime() >= Date.parse(requiredFrom) + CONSENT_GRACE_DAYS * DAY_MS;
}

async function authenticate(
  ctx: AppContext,
  request: FastifyRequest,
  group: readonly Call[],
): Promise<CurrentMember> {
  const scopes = {
    forPurchases: group.every(({ forPurchases }) => forPurchases),
    forCase: group.every(({ forCase }) => forCase),
  };
  const ticket = ticketOf(request, group);
  if (ticket !== null) return ctx.redeemFileTicket(ticket, scopes);
  return ctx.authenticate(requireToken(request), scopes, localeOf(request));
}

/** A browser that saves a file sends no header, so a file's URL may have a ticket instead. */
function ticketOf(request: FastifyRequest, [call]: readonly Call[]): string | null {
  const { ticket } = request.query as { ticket?: unknown };
  const mayUseTicket = call!.file && request.headers.authorization === undefined;
  return mayUseTicket && typeof ticket === "string" ? ticket : null;
}
