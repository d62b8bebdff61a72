import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** What the server counts of itself, in Prometheus' words; no member and no address appears in it. */
export class Metrics {
  readonly registry = new Registry();
  readonly #answers: Histogram<"method" | "route" | "status">;
  readonly #letters: Counter<"outcome">;

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: "alcove_" });
    this.#answers = new Histogram({
      name: "alcove_http_request_duration_seconds",
      help: "How long answers took, by route.",
      labelNames: ["method", "route", "status"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
    });
    this.#letters = new Counter({
      name: "alcove_letters_total",
      help: "Letters by outcome.",
      labelNames: ["outcome"],
      registers: [this.registry],
    });
  }

  recordResponse(method: string, route: string, status: number, ms: number): void {
    this.#answers.observe({ method, route, status }, ms / 1_000);
  }

  recordEmail(outcome: "sent" | "failed"): void {
    this.#letters.inc({ outcome });
  }

  /** Asks `read` for the number each time the metrics are fetched. */
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
