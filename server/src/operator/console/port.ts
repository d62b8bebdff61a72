import { consoleCalls } from "@alcove/contract/console";
import type { AppContext } from "../../platform/context.ts";
import { readCookie } from "../../platform/http/cookies.ts";
import type { Port } from "../../platform/http/registered-call.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import type { Operator } from "./operators.ts";
import { authenticateOperator } from "./sessions.ts";
import { MINUTE_MS } from "../../platform/clock.ts";

/** Counts logins to the console and registrations of a passkey. */
const CONSOLE_LOGINS_PER_NETWORK = {
  name: "console_logins_per_network",
  max: 20,
  windowMs: 15 * MINUTE_MS,
};
/** Counts all networks. */
const CONSOLE_LOGINS = { name: "console_logins", max: 200, windowMs: 15 * MINUTE_MS };
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

/** Operators have a session in a cookie. Attempts of visitors are counted before anything is looked up. */
export function consolePort(ctx: AppContext, originOf: () => string): Port {
  return {
    calls: consoleCalls,
    originOf,
    async authorize(request, reply, [call]): Promise<ConsoleVisitor | ConsoleOperator> {
      const token = readCookie(request, COOKIE);
      const cookie: SessionCookie = {
        token,
        set: (newToken) => void reply.header("set-cookie", cookieOf(newToken, "")),
        clear: () => void reply.header("set-cookie", cookieOf("", "; Max-Age=0")),
      };
      if (call!.access === "visitor") {
        await ctx.rateLimits.consumeAll([
          [CONSOLE_LOGINS_PER_NETWORK, networkOf(request.ip)],
          [CONSOLE_LOGINS, "all"],
        ]);
        return { cookie };
      }
      const operator = await authenticateOperator(ctx, token);
      await ctx.rateLimits.consume(CONSOLE_REQUESTS, operator.operatorId);
      return { cookie, operator };
    },
  };
}

/** NOTE: browsers accept `Secure` on http://localhost too. The cookie ends with the browser. */
const cookieOf = (token: string, life: string): string =>
  `${COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict${life}`;
