import { timingSafeEqual } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Config } from "../../config.ts";
import type { App } from "./router.ts";
import { SECOND_MS } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { isDraining } from "./graceful-shutdown.ts";
import { openApi } from "./openapi.ts";

/** In milliseconds, less than proxies wait. A frozen database may not respond for long. */
const READY_TIMEOUT = 2_000;
const READY_LIFE_MS = SECOND_MS;
const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const LOOPBACK_HOSTS = new Set(["127.0.0.1", "[::1]", "localhost"]);
const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

export function registerHealth(app: App): void {
  const { ctx, http } = app;
  let document: string | undefined;

  http.get("/healthz", async (_, reply) => reply.header("cache-control", "no-store").send({ ok: true }));

  let checkedAt = -Infinity;
  let check = Promise.resolve(false);
  http.get("/readyz", async (_, reply) => {
    if (performance.now() - checkedAt > READY_LIFE_MS) {
      checkedAt = performance.now();
      check = isDatabaseReady(ctx.db);
    }
    const database = await check;
    const bus = ctx.eventBus.isUp();
    const ok = database && bus && !isDraining(http);
    void reply.header("cache-control", "no-store");
    return reply.code(ok ? 200 : 503).send({ ok, database, bus });
  });

  http.get("/metrics", async (request, reply) => {
    requireOperator(request, ctx.config);
    const { registry } = ctx.metrics;
    return reply.type(registry.contentType).send(await registry.metrics());
  });

  http.get("/openapi.json", async (request, reply) => {
    requireOperator(request, ctx.config);
    document ??= JSON.stringify(openApi(ctx.config.brandName));
    return reply.type("application/json; charset=utf-8").send(document);
  });
}

async function isDatabaseReady(db: Db): Promise<boolean> {
  const response = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([response, setTimeout(READY_TIMEOUT, false, { ref: false })]);
}

function requireOperator(request: FastifyRequest, { metricsToken, publicUrl }: Config): void {
  const isOperator =
    metricsToken === null ? publicUrl === null && isFromLoopback(request) : hasToken(request, metricsToken);
  if (!isOperator) throw new ApiError("not_found");
}

/**
 * The `Host` rejects pages whose name suddenly leads to this machine (DNS rebinding).
 *
 * NOTE: a proxy on this machine may not name the client, so this proves nothing on a server with a `PUBLIC_URL`.
 */
function isFromLoopback({ socket, headers, hostname }: FastifyRequest): boolean {
  const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
  return LOOPBACK.has(socket.remoteAddress ?? "") && LOOPBACK_HOSTS.has(hostname) && !isForwarded;
}

function hasToken(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization?.replace(/^Bearer\s+/i, "") ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
