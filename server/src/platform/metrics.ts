import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export class Metrics {
  readonly registry = new Registry();
  readonly #responses: Histogram<"method" | "route" | "status">;
  readonly #emails: Counter<"outcome">;

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: "alcove_" });
    this.#responses = new Histogram({
      name: "alcove_http_request_duration_seconds",
      help: "Duration of responses by route.",
      labelNames: ["method", "route", "status"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
    });
    this.#emails = new Counter({
      name: "alcove_letters_total",
      help: "Emails by outcome.",
      labelNames: ["outcome"],
      registers: [this.registry],
    });
  }

  recordResponse(method: string, route: string, status: number, ms: number): void {
    this.#responses.observe({ method, route, status }, ms / 1_000);
  }

  recordEmail(outcome: "sent" | "failed"): void {
    this.#emails.inc({ outcome });
  }

  addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
