import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Call, ParsedOf, ResponseOf } from "@alcove/contract";
import { consoleCalls } from "@alcove/contract/console";
import { parseFields } from "@alcove/contract/fields";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { readCookie } from "../../platform/http/cookies.ts";
import { presentResponse } from "../../platform/http/run-calls.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import type { Operator } from "./operators.ts";
import { authenticateOperator } from "./sessions.ts";

const COOKIE = "__Host-console";

interface ConsoleRequest<C extends Call> {
  readonly input: ParsedOf<C>;
  readonly origin: string;
  readonly cookie: SessionCookie;
}

interface SessionCookie {
  readonly token: string | null;
  set(token: string): void;
  clear(): void;
}

export class ConsoleRouter {
  readonly ctx: AppContext;
  readonly #http: FastifyInstance;
  readonly #originOf: () => string;
  readonly #routed = new Set<Call>();

  constructor(ctx: AppContext, http: FastifyInstance, originOf: () => string) {
    this.ctx = ctx;
    this.#http = http;
    this.#originOf = originOf;
  }

  /** Counts an attempt before any lookup. */
  visitor<C extends Call>(call: C, handle: (request: ConsoleRequest<C>) => Promise<ResponseOf<C>>): void {
    this.#add(call, async (request, reply) => {
      await this.ctx.rateLimits.consumeAll([
        ["console_logins_per_network", networkOf(request.ip)],
        ["console_logins", "all"],
      ]);
      return handle(this.#read(call, request, reply));
    });
  }

  /** The handler logs each look and change first. */
  operator<C extends Call>(
    call: C,
    handle: (request: ConsoleRequest<C> & { operator: Operator }) => Promise<ResponseOf<C>>,
  ): void {
    this.#add(call, async (request, reply) => {
      const operator = await authenticateOperator(this.ctx, readCookie(request, COOKIE));
      await this.ctx.rateLimits.consume("console_requests", operator.operatorId);
      return handle({ ...this.#read(call, request, reply), operator });
    });
  }

  checkComplete(): void {
    const missing = consoleCalls.filter((call) => !this.#routed.has(call));
    if (missing.length > 0) throw new Error(`${missing[0]!.name} is in the contract but has no route`);
  }

  #add(call: Call, run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): void {
    this.#routed.add(call);
    this.#http.route({
      method: call.method,
      url: `/:lang${call.path}`,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const result = await this.ctx.eventBus.withFlush(() => run(request, reply));
        if (call.response === null) return reply.code(204).send();
        return reply
          .type("application/json; charset=utf-8")
          .send(JSON.stringify(presentResponse(call, result)));
      },
    });
  }

  #read<C extends Call>(call: C, request: FastifyRequest, reply: FastifyReply): ConsoleRequest<C> {
    const parsed = parseFields(call.input, fieldsOf(request));
    if (!parsed.ok) throw new ApiError("invalid_input", { errors: parsed.errors });
    return {
      input: parsed.value as ParsedOf<C>,
      origin: this.#originOf(),
      cookie: {
        token: readCookie(request, COOKIE),
        set: (token) => void reply.header("set-cookie", cookieOf(token, "")),
        clear: () => void reply.header("set-cookie", cookieOf("", "; Max-Age=0")),
      },
    };
  }
}

/** No form of another page can send a JSON body. */
function fieldsOf({ query, body }: FastifyRequest): Record<string, unknown> {
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body)))
    throw new ApiError("malformed_request");
  return { ...(query as Record<string, unknown>), ...body };
}

/** NOTE: browsers accept `Secure` on http://localhost too. The cookie ends with the browser. */
const cookieOf = (token: string, life: string): string =>
  `${COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict${life}`;
