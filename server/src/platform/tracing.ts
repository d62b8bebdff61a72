import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";

/**
 * Spans hold names of routes and jobs, and statements without values; never a member, an address, a URL or an error
 * message.
 */
let tracer: Tracer | null = null;

/** The caller has registered a provider, a context manager and a propagator. */
export function enableTracing(): void {
  tracer = trace.getTracer("alcove");
}

export function isTracing(): boolean {
  return tracer !== null;
}

interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly parent?: Context;
}

export function inSpan<T>(
  name: string,
  { kind, attributes, parent }: SpanOptions,
  run: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (!tracer) return run(null);
  const options = { kind: kind ?? SpanKind.INTERNAL, attributes: attributes ?? {} };
  return tracer.startActiveSpan(name, options, parent ?? context.active(), async (span) => {
    try {
      return await run(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A client's trace id is not trusted, so the span has no parent. */
export function startRequestSpan(name: string, attributes: Attributes): { span: Span; context: Context } {
  const span = tracer!.startSpan(name, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
  return { span, context: trace.setSpan(ROOT_CONTEXT, span) };
}

export function traceFields(): Record<string, string> {
  const fields: Record<string, string> = {};
  if (tracer) propagation.inject(context.active(), fields);
  return fields;
}

export function traceOf(payload: unknown): Context {
  return propagation.extract(ROOT_CONTEXT, payload ?? {});
}

export function traceIdForLog(): { traceId?: string } {
  const spanContext = tracer ? trace.getActiveSpan()?.spanContext() : undefined;
  return spanContext ? { traceId: spanContext.traceId } : {};
}
