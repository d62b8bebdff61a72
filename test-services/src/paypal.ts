import type { Entry } from "./paypal/ledger.ts";
import type { CallName, FaultRequest } from "./paypal/fault-injection.ts";
import type { ItemState } from "./paypal/payouts.ts";
import type { Event, Forgery } from "./paypal/webhooks.ts";
import type { Money } from "./paypal/wire.ts";
import { type Remote, startChildServer } from "./start-child-server.ts";

/** The values for the child process. */
export interface Start {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  readonly stateFile: string | null;
  /** URL of the server that proxies `/sandbox/paypal` and receives webhooks; without it, browsers reach the process itself. */
  readonly site?: string;
}

export interface Controls {
  /** Approves an order as its buyer, or as `payer`, an address; optionally the next capture is declined. */
  approve(paypalOrderId: string, isToBeDeclined?: boolean, payer?: string, payerCountry?: string): void;
  /** Settles a pending capture. */
  settle(captureId: string, to: "COMPLETED" | "DECLINED"): void;
  refund(captureId: string, amount?: Money): void;
  reverse(captureId: string): void;
  expireOrder(paypalOrderId: string): void;
  order(paypalOrderId: string): unknown;
  /** The outcome of payouts to an address; `PENDING` waits for `settlePayout`. */
  setPayoutOutcome(email: string, outcome: ItemState | "PENDING"): void;
  /** By PayPal's id or the `sender_batch_id`. */
  settlePayout(id: string, to: ItemState): void;
  injectFault(request: FaultRequest): void;
  clearFaults(): void;
  /** Returns the number of released requests. */
  releaseHeld(): number;
  heldCount(): number;
  requestCount(call: CallName): number;
  expireTokens(): void;
  /** As PayPal does after a while. */
  expireRequestIds(): void;
  events(reference?: string): Omit<Event, "body">[];
  /** Delivers an event again, optionally forged. Returns the response status. */
  deliver(eventId: string, url: string, forgery?: Forgery): Promise<number>;
  /** Where events are delivered automatically; null, the default, delivers none. */
  sendWebhooksTo(url: string | null): void;
  /** The URL under which browsers reach it; default: its own. */
  setPublicUrl(url: string): void;
  ledger(): readonly Entry[];
}

/** A fake PayPal in a child process: orders, captures, payouts, webhooks and the buyer's page. */
export interface FakePayPal extends Remote<Controls> {
  readonly origin: string;
  /** For `config.paypal` of a server under test. */
  readonly account: { apiUrl: string; clientId: string; clientSecret: string; webhookId: string };
  /** The variables that point a server here. */
  readonly variables: Record<string, string>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

const CLIENT = { clientId: "AeA1QIZX-alcove", clientSecret: "ECYYrrSHdKfk", webhookId: "5GP028458E2496506" };
const NAMES = [
  "approve",
  "settle",
  "refund",
  "reverse",
  "expireOrder",
  "order",
  "setPayoutOutcome",
  "settlePayout",
  "injectFault",
  "clearFaults",
  "releaseHeld",
  "heldCount",
  "requestCount",
  "expireTokens",
  "expireRequestIds",
  "events",
  "deliver",
  "sendWebhooksTo",
  "setPublicUrl",
  "ledger",
] as const satisfies (keyof Controls)[];

export async function startPayPal({
  port = 0,
  stateFile = null,
}: Partial<Pick<Start, "port" | "stateFile">> = {}): Promise<FakePayPal> {
  const start: Start = { ...CLIENT, port, stateFile };
  const { origin, controls, kill, close } = await startChildServer<Controls>(
    "paypal-server.ts",
    start,
    NAMES,
  );
  return {
    ...controls,
    origin,
    account: { ...CLIENT, apiUrl: origin },
    variables: {
      PAYPAL_API_URL: origin,
      PAYPAL_CLIENT_ID: CLIENT.clientId,
      PAYPAL_CLIENT_SECRET: CLIENT.clientSecret,
      PAYPAL_WEBHOOK_ID: CLIENT.webhookId,
    },
    kill,
    close,
  };
}
