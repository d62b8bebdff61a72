import { consoleCalls } from "@alcove/contract/console";
import type { AppContext } from "../../platform/context.ts";
import { readCookie } from "../../platform/http/cookies.ts";
import type { Port } from "../../platform/http/registered-call.ts";
import type { Operator } from "./operators.ts";
import { authenticateOperator } from "./sessions.ts";
import { MINUTE_MS } from "../../platform/clock.ts";

const CONSOLE_REQUESTS = { name: "console_requests", max: 300, windowMs: MINUTE_MS, batch: 10 };

const COOKIE = "__Host-console";

interface SessionCookie {
  readonly token: string | null;
  set(token: string): void;
  clear(): void;
}

export interface ConsoleVisitor {
  readonly cookie: SessionCookie;
}

export interface ConsoleOperator extends ConsoleVisitor {
  readonly operator: Operator;
}

/** Operators have a session in a cookie. `passkeys.ts` counts the attempts of visitors. */
export function consolePort(ctx: AppContext, originOf: () => string): Port {
  return {
    calls: consoleCalls,
    repeats: null,
    originOf,
    identify: () => null,
    async authorize(request, reply, [call]): Promise<ConsoleVisitor | ConsoleOperator> {
      const token = readCookie(request, COOKIE);
      const cookie: SessionCookie = {
        token,
        set: (newToken) => void reply.header("set-cookie", cookieOf(newToken, "")),
        clear: () => void reply.header("set-cookie", cookieOf("", "; Max-Age=0")),
      };
      if (call!.access === "visitor") return { cookie };
      const operator = await authenticateOperator(ctx, token);
      await ctx.rateLimits.consume(CONSOLE_REQUESTS, operator.operatorId);
      return { cookie, operator };
    },
  };
}

/** NOTE: browsers accept `Secure` on http://localhost too. The cookie ends with the browser. */
const cookieOf = (token: string, life: string): string =>
  `${COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict${life}`;
