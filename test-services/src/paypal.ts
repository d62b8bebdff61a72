import type { Entry } from "./paypal/ledger.ts";
import type { CallName, Wish } from "./paypal/fault-injection.ts";
import type { ItemState } from "./paypal/payouts.ts";
import type { Event, Forgery } from "./paypal/webhooks.ts";
import type { Money } from "./paypal/wire.ts";
import { type Remote, startStandIn } from "./start-child-server.ts";

/** What the process is started with, as JSON. */
export interface Start {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Where everything is kept from one process to the next; null for a process that forgets. */
  readonly stateFile: string | null;
  /** URL of the server that proxies `/sandbox/paypal` and receives webhooks; without it, browsers reach the process itself. */
  readonly site?: string;
}

/** What may be done to PayPal besides asking it, as the process itself does it. */
export interface Controls {
  /** What a buyer does on the page, without a browser; the next capture is declined where told so. */
  approve(paypalOrderId: string, isToBeDeclined?: boolean): void;
  /** What a pending capture becomes. */
  settle(captureId: string, to: "COMPLETED" | "DECLINED"): void;
  /** Gives back all that is left of a capture, or so much. */
  refund(captureId: string, amount?: Money): void;
  /** A chargeback of all that is left. */
  reverse(captureId: string): void;
  /** Forgets an order that nobody approved in time. */
  forget(paypalOrderId: string): void;
  /** An order as `show` answers it, without a request; null where there is none. */
  order(paypalOrderId: string): unknown;
  /** What becomes of payouts to an address; `PENDING` leaves them until `settlePayout`. */
  payoutFate(email: string, fate: ItemState | "PENDING"): void;
  /** By PayPal's id or the `sender_batch_id`. */
  settlePayout(id: string, to: ItemState): void;
  /** Lets something go wrong. */
  wish(wish: Wish): void;
  /** Takes back all wishes. */
  calmDown(): void;
  /** Lets all requests go on that wait, and tells how many. */
  release(): number;
  waiting(): number;
  /** How often something was asked so far. */
  asked(call: CallName): number;
  forgetTokens(): void;
  /** Forgets every `PayPal-Request-Id`, as PayPal does in time. */
  forgetRequests(): void;
  /** Everything that happened and is to be told, in order; of one order or payout of ours alone where named. */
  events(reference?: string): Omit<Event, "body">[];
  /** Tells of one event, again if it was told before, or forged; answers the status that came back. */
  deliver(eventId: string, url: string, forgery?: Forgery): Promise<number>;
  /** Where events are told as they happen; null, as at the start, tells none by itself. */
  sendWebhooksTo(url: string | null): void;
  /** The address under which browsers reach it; its own unless told. */
  standAt(url: string): void;
  /** Every cent that was taken, given back, paid out and came back. */
  book(): readonly Entry[];
}

/** PayPal as far as we use it, in a process of its own: orders, captures, payouts, webhooks, and the page of the buyer. */
export interface PayPalStandIn extends Remote<Controls> {
  readonly origin: string;
  /** For `settings.paypal` of a server under test. */
  readonly account: { apiUrl: string; clientId: string; clientSecret: string; webhookId: string };
  /** The variables that make a server use this stand-in. */
  readonly variables: Record<string, string>;
  /** Ends the process at once. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const CLIENT = { clientId: "AeA1QIZX-alcove", clientSecret: "ECYYrrSHdKfk", webhookId: "5GP028458E2496506" };
const NAMES = [
  "approve",
  "settle",
  "refund",
  "reverse",
  "forget",
  "order",
  "payoutFate",
  "settlePayout",
  "wish",
  "calmDown",
  "release",
  "waiting",
  "asked",
  "forgetTokens",
  "forgetRequests",
  "events",
  "deliver",
  "sendWebhooksTo",
  "standAt",
  "book",
] as const satisfies (keyof Controls)[];

/** Starts it on loopback. */
export async function startPayPal({
  port = 0,
  stateFile = null,
}: Partial<Pick<Start, "port" | "stateFile">> = {}): Promise<PayPalStandIn> {
  const start: Start = { ...CLIENT, port, stateFile };
  const { origin, controls, kill, close } = await startStandIn<Controls>(
    "paypal-server.ts",
    [JSON.stringify(start)],
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
