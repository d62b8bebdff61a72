import type { FastifyRequest } from "fastify";
import type { Language } from "@alcove/i18n";
import { ApiError } from "../errors.ts";
import { languageOfSegment } from "../i18n.ts";

export function languageOf(request: FastifyRequest): Language {
  return languageOfSegment(/^\/([a-z-]+)(?=[/?]|$)/.exec(request.url)?.[1]);
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
