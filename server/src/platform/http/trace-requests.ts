import { context, type Context, type Span } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isTracing, startRequestSpan } from "../tracing.ts";

interface RequestTrace {
  readonly span: Span;
  readonly context: Context;
}

/** Register it before all other hooks. */
export function traceRequests(
  http: FastifyInstance,
  routeOf: (request: FastifyRequest) => { method: string; url: string },
): void {
  if (!isTracing()) return;
  const traces = new WeakMap<FastifyRequest, RequestTrace>();
  http.addHook("onRequest", (request, _reply, done) => {
    const { method, url } = routeOf(request);
    const attributes = {
      "http.request.method": method,
      "http.route": url,
      "alcove.request_id": request.id,
    };
    const requestTrace = startRequestSpan(`${method} ${url}`, attributes);
    traces.set(request, requestTrace);
    context.with(requestTrace.context, done);
  });
  // The events of a request's body run in the context of its connection.
  http.addHook("preValidation", (request, _reply, done) =>
    context.with(traces.get(request)?.context ?? context.active(), done),
  );
  http.addHook("onResponse", async (request, reply) => {
    const span = traces.get(request)?.span;
    span?.setAttribute("http.response.status_code", reply.statusCode);
    span?.end();
  });
}
