import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { errorMessage } from "../i18n.ts";

const STATUSES: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

export function endStalled(socket: Socket): void {
  const error = new Error("a body did not arrive in time");
  handleClientError(Object.assign(error, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
}

export function handleClientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: readonly string[] = [],
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status = STATUSES[error.code ?? ""] ?? 400;
  const body = JSON.stringify({
    code: "malformed_request",
    error_message: errorMessage("en", "malformed_request"),
  });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    "connection: close",
    ...headers,
  ];
  if (socket.writable) socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}
