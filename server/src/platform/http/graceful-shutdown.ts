import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { SECOND_MS } from "../clock.ts";
import type { RunningTasks } from "../lib/running-tasks.ts";

const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
export const SOCKET_CLOSE_TIMEOUT_MS = 2 * SECOND_MS;

const draining = new WeakSet<FastifyInstance>();

/** Then `/readyz` returns 503, and no connection is kept open. */
export const isDraining = (http: FastifyInstance): boolean => draining.has(http);

/** Gives the proxy time to find another process, while requests are served as before. */
export async function drain(http: FastifyInstance, seconds: number): Promise<void> {
  draining.add(http);
  await wait(seconds * SECOND_MS);
}

/**
 * NOTE: Node alone waits until unused connections of browsers, and those whose request ends during the close, time
 * out.
 */
export function closeAfterLastRequest(http: FastifyInstance, runningTasks: RunningTasks): void {
  http.addHook("onRoute", (route) => addHandlersTo(runningTasks, route));
  const unused = new Set<Socket>();
  const upgraded = new Set<Socket>();
  http.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  http.server.on("request", ({ socket }) => unused.delete(socket));
  // Node no longer limits or closes an upgraded connection.
  http.server.on("upgrade", (_, duplex) => {
    const socket = duplex as Socket;
    unused.delete(socket);
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
  });
  http.addHook("onResponse", async (request) => closeRejectedUpgrade(request));

  http.addHook("onSend", async (_, reply) => {
    if (isDraining(http)) void reply.header("connection", "close");
  });
  http.addHook("preClose", async () => {
    draining.add(http);
    for (const socket of unused) socket.destroy();
    const timers = [
      setTimeout(() => upgraded.forEach((socket) => socket.destroy()), SOCKET_CLOSE_TIMEOUT_MS).unref(),
      setTimeout(() => http.server.closeAllConnections(), REQUEST_TIMEOUT_MS).unref(),
    ];
    http.server.once("close", () => timers.forEach(clearTimeout));
  });
}

type Handler = (this: unknown, ...args: unknown[]) => unknown;

/** A handler runs on after the end of its connection. */
function addHandlersTo(runningTasks: RunningTasks, route: RouteOptions): void {
  const handlers = route as unknown as Record<string, Handler | undefined>;
  for (const name of ["onRequest", "preHandler", "handler"]) {
    const handle = handlers[name];
    if (typeof handle !== "function") continue;
    handlers[name] = function (...args) {
      const result = handle.apply(this, args);
      return result instanceof Promise ? runningTasks.add(result) : result;
    };
  }
}

/** Node would leave the connection of a rejected upgrade open. */
export function closeRejectedUpgrade({ raw }: FastifyRequest): void {
  const { upgrade, connection = "" } = raw.headers;
  if (upgrade !== undefined && /\bupgrade\b/i.test(connection)) raw.socket.destroySoon();
}
