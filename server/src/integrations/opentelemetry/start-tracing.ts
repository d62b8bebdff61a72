import { randomUUID } from "node:crypto";
import { context, diag, DiagLogLevel, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { SECOND_MS } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { enableTracing } from "../../platform/tracing.ts";

const EXPORT_MS = 5 * SECOND_MS;

interface TracingOptions {
  /** Base URL of an OTLP collector. The exporter itself reads `OTEL_EXPORTER_OTLP_HEADERS`. */
  endpoint: string;
  ratio: number;
  log: Log;
}

/** Returns a function that sends the last spans. A collector that fails costs only spans. */
export function startTracing({ endpoint, ratio, log }: TracingOptions): () => Promise<void> {
  const report = (...parts: unknown[]) => log.warn({ cause: parts.join(" ") }, "traces could not be sent");
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    timeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "alcove", "service.instance.id": randomUUID() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  enableTracing();
  return () => provider.shutdown().catch(ignore);
}
