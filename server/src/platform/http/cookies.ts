import type { FastifyReply, FastifyRequest } from "fastify";
import { RETENTION } from "@alcove/contract/retention";
import { HOUR_MS, SECOND_MS } from "../clock.ts";

export function readCookie(request: FastifyRequest, name: string): string | null {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1] ?? null;
}

/** Recognises a browser between the steps of a form. It opens nothing, so calls need no protection against CSRF. */
export interface BrowserCookie {
  /** Null if the client sent none or an invented one. */
  readonly token: string | null;
  set(token: string): void;
}

const NAME = "visit";
const TOKEN = /^[\w-]{43}$/;
const LIFE_MS = RETENTION.visitCookieHours * HOUR_MS;

export function browserCookie(request: FastifyRequest, reply: FastifyReply, origin: string): BrowserCookie {
  const isSecure = origin.startsWith("https:");
  // The prefix keeps pages of other hosts below our domain from setting the cookie.
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const isForeign = isFromForeignPage(request);
  return {
    get token() {
      if (isForeign) return null;
      const token = readCookie(request, name);
      return token !== null && TOKEN.test(token) ? token : null;
    },
    set(token) {
      if (isForeign) return;
      const secure = isSecure ? "; Secure" : "";
      void reply.header(
        "set-cookie",
        `${name}=${token}; Path=/; Max-Age=${LIFE_MS / SECOND_MS}; HttpOnly; SameSite=Lax${secure}`,
      );
    },
  };
}

export function setCookieOf(reply: FastifyReply): string | null {
  return (reply.getHeader("set-cookie") as string | undefined) ?? null;
}

export function setCookieAgain(reply: FastifyReply, cookie: string): void {
  void reply.header("set-cookie", cookie);
}

/** A foreign page could otherwise replace the cookie of the visitor's own request, or spend its attempts. */
function isFromForeignPage({ headers }: FastifyRequest): boolean {
  return ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));
}
