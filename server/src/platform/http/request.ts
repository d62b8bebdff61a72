import type { FastifyRequest } from "fastify";
import type { Language } from "@alcove/i18n";
import type { Locale } from "../context.ts";
import { ApiError } from "../errors.ts";
import { languageOfSegment } from "../i18n.ts";

export function languageOf(request: FastifyRequest): Language {
  return languageOfSegment(/^\/([a-z-]+)(?=[/?]|$)/.exec(request.url)?.[1]);
}

/** Returns null for other clients than our app. */
export function localeOf(request: FastifyRequest): Locale | null {
  const { "time-zone": timeZone } = request.headers;
  return typeof timeZone === "string" ? { language: languageOf(request), timeZone } : null;
}

export function requireToken(request: FastifyRequest): string {
  const token = tokenOf(request);
  if (token === null) throw new ApiError("login_required");
  return token;
}

export function tokenOf(request: FastifyRequest): string | null {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return token ?? null;
}
