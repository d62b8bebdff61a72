import { request as sendRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../clock.ts";
import { ApiError } from "../errors.ts";

const TIMEOUT_MS = 60 * SECOND_MS;
/** Leaves out cookies and headers that identify the client. */
const REQUEST_HEADERS = ["content-type", "accept", "authorization", "prefer", "paypal-request-id"];
const RESPONSE_HEADERS = ["content-type", "content-security-policy", "location", "cache-control"];

export async function registerProxy(http: FastifyInstance, path: string, origin: string): Promise<void> {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    scope.all(`${path}/*`, async (request, reply) => {
      const { pathname, search } = new URL(request.url, origin);
      const to = new URL(origin);
      // As the text of a URL, a path that starts with two slashes would name another host.
      to.pathname = pathname.slice(path.length);
      to.search = search;
      return send(reply, await forward(request, to));
    });
  });
}

async function forward(request: FastifyRequest, to: URL): Promise<IncomingMessage> {
  const { method, body } = request;
  const headers = pick(request.headers, REQUEST_HEADERS);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest(to, {
      method,
      headers: { ...headers, "content-length": bytes.length },
      timeout: TIMEOUT_MS,
    });
    const fail = () => reject(new ApiError("payments_unavailable"));
    outgoing.once("response", resolve).once("error", fail);
    outgoing.once("timeout", () => outgoing.destroy());
    outgoing.end(bytes);
  });
}

function send(reply: FastifyReply, response: IncomingMessage): FastifyReply {
  for (const [name, value] of Object.entries(pick(response.headers, RESPONSE_HEADERS)))
    void reply.header(name, value);
  return reply.code(response.statusCode ?? 502).send(response);
}

function pick(headers: OutgoingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(
    names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]),
  );
}
