import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Entry } from "./paypal/book.ts";
import type { CallName, Wish } from "./paypal/moods.ts";
import type { ItemState } from "./paypal/payouts.ts";
import type { Event, Forgery } from "./paypal/webhooks.ts";
import type { Money } from "./paypal/wire.ts";

/** What the process is started with, as JSON. */
export interface Start {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Where everything is kept from one process to the next; null for a process that forgets. */
  readonly stateFile: string | null;
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

/** The same, once the process has done it. */
type Remote = {
  [Name in keyof Controls]: (
    ...values: Parameters<Controls[Name]>
  ) => Promise<Awaited<ReturnType<Controls[Name]>>>;
};

/** A message to the process, which answers it under the same id. */
export interface Asked {
  readonly id: number;
  readonly name: keyof Controls;
  readonly values: readonly unknown[];
}

interface Answered {
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: string;
}

/** PayPal as far as we use it, in a process of its own: orders, captures, payouts, webhooks, and the page of the buyer. */
export interface PayPalStandIn extends Remote {
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
  const child = fork(join(import.meta.dirname, "paypal-server.ts"), [JSON.stringify(start)], {
    serialization: "advanced",
  });
  const origin = `http://127.0.0.1:${await portOf(child)}`;
  const tell = controlOf(child);
  const controls = Object.fromEntries(
    NAMES.map((name) => [name, (...values: unknown[]) => tell(name, values)]),
  ) as unknown as Remote;
  const end = async (how: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    how();
    await ended;
  };
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
    kill: () => end(() => child.kill("SIGKILL")),
    close: () => end(() => child.disconnect()),
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the stand-in for PayPal ended with ${code}`)));
  });
}

/** Makes what sends a message to the process and waits for its answer. */
function controlOf(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on("message", ({ id, value, problem }: Answered) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (problem === undefined) resolve(value);
    else reject(new Error(problem));
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`the stand-in for PayPal ended with ${code}`));
    waiting.clear();
  });
  return (name: keyof Controls, values: readonly unknown[]): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    const id = ++last;
    waiting.set(id, answer);
    const asked: Asked = { id, name, values };
    child.send(asked);
    return answer.promise;
  };
}
