import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { SECOND_MS } from "../clock.ts";

/** How long running requests may take once the server is closing. */
export const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
/** How long the other ends of sockets may take to say goodbye once the server is closing. */
export const SOCKET_CLOSE_TIMEOUT_MS = 2 * SECOND_MS;

/**
 * Lets a closing server end as soon as its running requests have.
 *
 * NOTE: left alone it waits for connections that browsers open ahead and say nothing on, and for those whose request
 * ends while it is closing, until they time out.
 */
export function closeAfterLastRequest(http: FastifyInstance): void {
  const silent = new Set<Socket>();
  const upgraded = new Set<Socket>();
  let isClosing = false;
  http.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  http.server.on("request", ({ socket }) => silent.delete(socket));
  // What asks for an upgrade is nobody's connection but ours from then on: the server's own limits and closing pass it by.
  http.server.on("upgrade", (_, duplex) => {
    const socket = duplex as Socket;
    silent.delete(socket);
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
  });
  http.addHook("onResponse", async (request) => closeRejectedUpgrade(request));

  http.addHook("onSend", async (_, reply) => {
    if (isClosing) void reply.header("connection", "close");
  });
  http.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of silent) socket.destroy();
    setTimeout(() => upgraded.forEach((socket) => socket.destroy()), SOCKET_CLOSE_TIMEOUT_MS).unref();
    setTimeout(() => http.server.closeAllConnections(), REQUEST_TIMEOUT_MS).unref();
  });
}

/** Ends the connection of whoever asked for a socket and got an ordinary answer; nothing else would. */
export function closeRejectedUpgrade({ raw }: FastifyRequest): void {
  const { upgrade, connection = "" } = raw.headers;
  if (upgrade !== undefined && /\bupgrade\b/i.test(connection)) raw.socket.destroySoon();
}
