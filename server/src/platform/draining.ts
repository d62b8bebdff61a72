import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "./clock.ts";

/** How long running requests may take once the server is closing. */
const DRAIN_MS = 10 * SECOND_MS;

/**
 * Lets a closing server end as soon as its running requests have.
 *
 * NOTE: left alone it waits for connections that browsers open ahead and say nothing on, and for those whose request
 * ends while it is closing, until they time out.
 */
export function endWithLastRequest(http: FastifyInstance): void {
  const silent = new Set<Socket>();
  let isClosing = false;
  http.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  http.server.on("request", ({ socket }) => silent.delete(socket));
  http.server.on("upgrade", (_, socket) => silent.delete(socket as Socket));

  http.addHook("onSend", async (_, reply) => {
    if (isClosing) void reply.header("connection", "close");
  });
  http.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of silent) socket.destroy();
    setTimeout(() => http.server.closeAllConnections(), DRAIN_MS).unref();
  });
}
