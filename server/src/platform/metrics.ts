import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

const RESPONSE_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

type Dependency = "pictures" | "email" | "paypal";

/** The servers of a process share it: its observers of garbage collection and event loop cannot be removed. */
let processRegistry: Registry | null = null;

function openProcessRegistry(): Registry {
  if (processRegistry) return processRegistry;
  processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry, prefix: "alcove_" });
  return processRegistry;
}

/** Labels are names of routes, jobs and states, never of members. */
export class Metrics {
  readonly registry = Registry.merge([openProcessRegistry()]);
  readonly #responses: Histogram<"method" | "route" | "status">;
  readonly #jobs: Histogram<"job" | "outcome">;
  readonly #sends: Histogram;
  readonly #databaseWaits: Histogram<"pool">;
  readonly #emails: Counter<"outcome">;
  readonly #orders: Counter<"state">;
  readonly #transfers: Counter<"state">;
  readonly #dependencies: Gauge<"dependency">;

  constructor() {
    const registers = [this.registry];
    this.#responses = new Histogram({
      name: "alcove_http_request_duration_seconds",
      help: "Duration of responses by route.",
      labelNames: ["method", "route", "status"],
      buckets: RESPONSE_SECONDS,
      registers,
    });
    this.#jobs = new Histogram({
      name: "alcove_job_duration_seconds",
      help: "Duration of jobs by outcome.",
      labelNames: ["job", "outcome"],
      buckets: JOB_SECONDS,
      registers,
    });
    this.#sends = new Histogram({
      name: "alcove_event_bus_send_seconds",
      help: "Time until the event bus has accepted a batch of events.",
      buckets: RESPONSE_SECONDS,
      registers,
    });
    this.#databaseWaits = new Histogram({
      name: "alcove_database_wait_seconds",
      help: "Time until a statement or transaction has a connection.",
      labelNames: ["pool"],
      buckets: RESPONSE_SECONDS,
      registers,
    });
    this.#dependencies = new Gauge({
      name: "alcove_dependency_up",
      help: "1 after a successful request to a dependency, 0 after a failed one.",
      labelNames: ["dependency"],
      registers,
    });
    const counterBy = <Label extends string>(name: string, help: string, label: Label) =>
      new Counter({ name, help, labelNames: [label], registers });
    this.#emails = counterBy("alcove_emails_total", "Emails by outcome.", "outcome");
    this.#orders = counterBy("alcove_orders_total", "Orders that reached a state.", "state");
    this.#transfers = counterBy("alcove_transfers_total", "Transfers that reached a state.", "state");
  }

  recordResponse(method: string, route: string, status: number, ms: number): void {
    this.#responses.observe({ method, route, status }, ms / 1_000);
  }

  recordJob(job: string, outcome: "done" | "failed", ms: number): void {
    this.#jobs.observe({ job, outcome }, ms / 1_000);
  }

  recordEventSend(ms: number): void {
    this.#sends.observe(ms / 1_000);
  }

  recordDatabaseWait(pool: "database" | "search", ms: number): void {
    this.#databaseWaits.observe({ pool }, ms / 1_000);
  }

  recordEmail(outcome: "sent" | "failed"): void {
    this.#emails.inc({ outcome });
  }

  recordDependency(dependency: Dependency, isUp: boolean): void {
    this.#dependencies.set({ dependency }, Number(isUp));
  }

  recordOrder(state: string): void {
    this.#orders.inc({ state });
  }

  recordTransfer(state: string): void {
    this.#transfers.inc({ state });
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

  /** `read` never throws. */
  addGauges<Name extends string>(
    helps: Readonly<Record<Name, string>>,
    read: () => Promise<Readonly<Record<Name, number>>>,
  ): void {
    let reading: Promise<Readonly<Record<Name, number>>> | null = null;
    const readOnce = () => {
      reading ??= read().finally(() => (reading = null));
      return reading;
    };
    for (const name of Object.keys(helps) as Name[]) {
      new Gauge({
        name,
        help: helps[name],
        registers: [this.registry],
        async collect() {
          this.set((await readOnce())[name]);
        },
      });
    }
  }
}
