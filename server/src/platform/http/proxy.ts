import { request as ask, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../clock.ts";
import { ApiError } from "../errors.ts";

const PATIENCE_MS = 60 * SECOND_MS;
/** What is passed on: neither cookies nor anything that says who asks. */
const ASKED = ["content-type", "accept", "authorization", "prefer", "paypal-request-id"];
const ANSWERED = ["content-type", "content-security-policy", "location", "cache-control"];

/** Passes everything below `path` on to a process of ours at `origin`, so that a browser sees one address. */
export async function registerProxy(http: FastifyInstance, path: string, origin: string): Promise<void> {
  await http.register(async (scope) => {
    // As it comes: what the body means is for the other one.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    scope.all(`${path}/*`, async (request, reply) => {
      const { pathname, search } = new URL(request.url, origin);
      const answer = await passOn(request, new URL(pathname.slice(path.length) + search, origin));
      return send(reply, answer);
    });
  });
}

async function passOn(request: FastifyRequest, to: URL): Promise<IncomingMessage> {
  const { method, body } = request;
  const headers = pick(request.headers, ASKED);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const asked = ask(to, {
      method,
      headers: { ...headers, "content-length": bytes.length },
      timeout: PATIENCE_MS,
    });
    const fail = () => reject(new ApiError("payments_unavailable"));
    asked.once("response", resolve).once("error", fail);
    asked.once("timeout", () => asked.destroy());
    asked.end(bytes);
  });
}

function send(reply: FastifyReply, answer: IncomingMessage): FastifyReply {
  for (const [name, value] of Object.entries(pick(answer.headers, ANSWERED))) void reply.header(name, value);
  return reply.code(answer.statusCode ?? 502).send(answer);
}

function pick(headers: OutgoingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(
    names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]),
  );
}
