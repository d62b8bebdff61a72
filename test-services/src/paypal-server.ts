import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { Controls, Start } from "./paypal.ts";
import { Ledger, type Entry } from "./paypal/ledger.ts";
import { type CallName, type Fault, FaultInjection } from "./paypal/fault-injection.ts";
import { amountOf, Orders, payerIdOf, type Order } from "./paypal/orders.ts";
import { checkoutPage, closedPage, PAGE_POLICY } from "./paypal/page.ts";
import { type Batch, Payouts } from "./paypal/payouts.ts";
import { scriptOf } from "./paypal/script.ts";
import { type Event, Webhooks } from "./paypal/webhooks.ts";
import {
  type PayPalResponse,
  fieldAt,
  debugId,
  isObject,
  payPalError,
  payPalErrorV1,
  PayPalError,
} from "./paypal/wire.ts";
import { listen, handleControls, readStart } from "./child-server.ts";

const TOKEN_SECONDS = 32_400;
const MAX_BODY_BYTES = 512 * 1024;

const start = readStart<Start>();
let base = "";
const ledger = new Ledger();
const webhooks = new Webhooks(start.webhookId, start.clientSecret, () => base);
const orders = new Orders(ledger, webhooks, () => base);
const payouts = new Payouts(ledger, webhooks, () => base);
const faults = new FaultInjection();
const tokens = new Map<string, number>();
/** The response and body for each `PayPal-Request-Id`. */
const responsesByRequestId = new Map<string, { body: string; result: PayPalResponse }>();
const inProgress = new Set<string>();
const counts = new Map<CallName, number>();
let waiting: (() => void)[] = [];

interface State {
  orders: Order[];
  payouts: Batch[];
  responsesByRequestId: [string, { body: string; result: PayPalResponse }][];
  ledger: Entry[];
}

function loadState(): void {
  if (start.stateFile === null || !existsSync(start.stateFile)) return;
  const state = JSON.parse(readFileSync(start.stateFile, "utf8")) as State;
  for (const order of state.orders) orders.restore(order);
  for (const batch of state.payouts) payouts.all.set(batch.payoutBatchId, batch);
  for (const [key, value] of state.responsesByRequestId) responsesByRequestId.set(key, value);
  ledger.entries.push(...state.ledger);
}

/** Saves the state before the response, so that no response is lost by a restart. */
function saveState(): void {
  if (start.stateFile === null) return;
  const state: State = {
    orders: [...orders.all.values()],
    payouts: [...payouts.all.values()],
    responsesByRequestId: [...responsesByRequestId],
    ledger: ledger.entries,
  };
  writeFileSync(`${start.stateFile}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${start.stateFile}.new`, start.stateFile);
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: unknown;
}

interface Route {
  readonly call: CallName;
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  /** Runs once per `PayPal-Request-Id` if it changes state. */
  run(request: Request, id: string, fault: Fault | null): PayPalResponse;
}

const routes: readonly Route[] = [
  {
    call: "create order",
    method: "POST",
    path: /^\/v2\/checkout\/orders$/,
    run: (request) => onceEach(request, () => orders.create(request.body)),
  },
  {
    call: "show order",
    method: "GET",
    path: /^\/v2\/checkout\/orders\/([^/]+)$/,
    run: (_, id) => orders.show(id),
  },
  {
    call: "capture order",
    method: "POST",
    path: /^\/v2\/checkout\/orders\/([^/]+)\/capture$/,
    run: (request, id, fault) =>
      onceEach(request, () =>
        orders.capture(id, fault === "pending" || fault === "declined" ? fault : "taken"),
      ),
  },
  {
    call: "show capture",
    method: "GET",
    path: /^\/v2\/payments\/captures\/([^/]+)$/,
    run: (_, id) => orders.showCapture(id),
  },
  {
    call: "refund",
    method: "POST",
    path: /^\/v2\/payments\/captures\/([^/]+)\/refund$/,
    run: (request, id) =>
      onceEach(request, () => {
        const isPart = fieldAt(request.body, "amount") !== undefined;
        return orders.refund(id, isPart ? amountOf(request.body, "amount") : null);
      }),
  },
  {
    call: "create payout",
    method: "POST",
    path: /^\/v1\/payments\/payouts$/,
    run: (request, _, fault) =>
      onceEach(request, () => {
        if (fault === "declined")
          throw payPalErrorV1("INSUFFICIENT_FUNDS", "Sender does not have sufficient funds.", []);
        return payouts.create(request.body);
      }),
  },
  {
    call: "show payout",
    method: "GET",
    path: /^\/v1\/payments\/payouts\/([^/]+)$/,
    run: (_, id) => payouts.show(id),
  },
  {
    call: "show payout item",
    method: "GET",
    path: /^\/v1\/payments\/payouts-item\/([^/]+)$/,
    run: (_, id) => payouts.showItem(id),
  },
  {
    call: "verify webhook",
    method: "POST",
    path: /^\/v1\/notifications\/verify-webhook-signature$/,
    run: (request) => ({ status: 200, body: webhooks.verify(request.text, request.body) }),
  },
];

/** A repeated request id gets the same response, also an error; another body is rejected. */
function onceEach(request: Request, run: () => PayPalResponse): PayPalResponse {
  const id = request.headers["paypal-request-id"];
  const key = `${request.path} ${String(id)}`;
  const before = id === undefined ? undefined : responsesByRequestId.get(key);
  if (before && before.body !== request.text)
    throw payPalError(
      "UNPROCESSABLE_ENTITY",
      "DUPLICATE_REQUEST_ID",
      "The value of PayPal-Request-Id header has already been used.",
    );
  if (before) return before.result;
  const result = responseOf(run);
  if (id !== undefined) responsesByRequestId.set(key, { body: request.text, result });
  saveState();
  return result;
}

function responseOf(run: () => PayPalResponse): PayPalResponse {
  try {
    return run();
  } catch (error) {
    if (error instanceof PayPalError) return error.response;
    throw error;
  }
}

async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? "/", "http://here.invalid");
  const text = await readLimited(incoming);
  if (url.pathname === "/checkoutnow") return checkout(incoming, url, text, response);
  if (url.pathname === "/v1/oauth2/token") return token(incoming, text, response);
  if (url.pathname === "/sdk/js") return script(url.searchParams, response);

  const { method = "GET", headers } = incoming;
  const path = decodeURIComponent(url.pathname);
  const route = routes.find((one) => one.method === method && one.path.test(path));
  if (!route) return json(response, { status: 404, body: { name: "NOT_FOUND", debug_id: debugId() } });
  counts.set(route.call, (counts.get(route.call) ?? 0) + 1);
  const [, id = ""] = route.path.exec(path) ?? [];
  const body = parse(text);
  const fault = faults.take(route.call, [
    id,
    orders.all.get(id)?.unit.custom_id,
    ...["purchase_units.0.custom_id", "sender_batch_header.sender_batch_id"].map(
      (name) => fieldAt(body, name) as string | undefined,
    ),
  ]);

  const error = errorBefore(headers, method, body);
  if (error) return json(response, error);
  const key = `${path} ${String(headers["paypal-request-id"])}`;
  const isGuarded = method === "POST" && headers["paypal-request-id"] !== undefined;
  if (isGuarded && inProgress.has(key))
    return json(
      response,
      payPalError("RESOURCE_CONFLICT", "PREVIOUS_REQUEST_IN_PROGRESS", "Try again a little later.").response,
    );
  if (isGuarded) inProgress.add(key);
  response.once("close", () => inProgress.delete(key));

  if (fault === "waiting") await released();
  if (isWrongBefore(fault, headers, response)) return;
  const result = responseOf(() => route.run({ method, path, headers, text, body }, id, fault));
  if (fault === "waiting after") await released();
  if (isWrongAfter(fault, result, response)) return;
  const isMinimal = route.call.endsWith(" order") && method === "POST" && !wantsAll(headers);
  json(response, isMinimal ? minimal(result) : result);
}

/** Returns an error that does not depend on the call. */
function errorBefore(
  headers: IncomingMessage["headers"],
  method: string,
  body: unknown,
): PayPalResponse | null {
  const [, given = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if ((tokens.get(given) ?? 0) <= Date.now())
    return {
      status: 401,
      body: { error: "invalid_token", error_description: "Token signature verification failed" },
    };
  if (method === "GET") return null;
  if (!/^application\/json\b/.test(headers["content-type"] ?? ""))
    return payPalError("UNSUPPORTED_MEDIA_TYPE", "CONTENT_TYPE_INVALID", "JSON is expected.").response;
  return isObject(body)
    ? null
    : payPalError("INVALID_REQUEST", "MALFORMED_REQUEST_JSON", "The request JSON is not well formed.")
        .response;
}

function isWrongBefore(
  fault: Fault | null,
  headers: IncomingMessage["headers"],
  response: ServerResponse,
): boolean {
  if (fault === "failing") json(response, FAILURE());
  else if (fault === "hanging up") response.destroy();
  else if (fault === "garbled") response.writeHead(200).end("<html>Sorry...</html>");
  else if (fault === "too many requests")
    json(response, { status: 429, body: { name: "RATE_LIMIT_REACHED", message: "Too many requests." } });
  else if (fault === "forgetting the token") {
    tokens.delete((headers.authorization ?? "").replace("Bearer ", ""));
    json(response, errorBefore(headers, "GET", null)!);
  } else return fault === "silent";
  return true;
}

function isWrongAfter(fault: Fault | null, result: PayPalResponse, response: ServerResponse): boolean {
  if (fault === "failing after") json(response, FAILURE());
  else if (fault === "hanging up after") response.destroy();
  else if (fault === "garbled after")
    response.writeHead(result.status).end(JSON.stringify(result.body).slice(0, -10));
  else return fault === "silent after";
  return true;
}

const FAILURE = (): PayPalResponse => ({
  status: 500,
  body: { name: "INTERNAL_SERVER_ERROR", message: "An internal server error occurred.", debug_id: debugId() },
});

const released = (): Promise<void> => new Promise((done) => void waiting.push(done));

/** Without `Prefer: return=representation` PayPal returns few fields. */
function minimal({ status, body }: PayPalResponse): PayPalResponse {
  if (status >= 300 || !isObject(body)) return { status, body };
  return { status, body: { id: body["id"], status: body["status"], links: body["links"] } };
}

const wantsAll = (headers: IncomingMessage["headers"]): boolean =>
  headers["prefer"] === "return=representation";

function token(incoming: IncomingMessage, text: string, response: ServerResponse): void {
  counts.set("token", (counts.get("token") ?? 0) + 1);
  const fault = faults.take("token", []);
  if (isWrongBefore(fault, incoming.headers, response)) return;
  const expected = Buffer.from(`${start.clientId}:${start.clientSecret}`).toString("base64");
  const isForm = incoming.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (incoming.method !== "POST" || incoming.headers.authorization !== `Basic ${expected}`) {
    json(response, {
      status: 401,
      body: { error: "invalid_client", error_description: "Client Authentication failed" },
    });
  } else if (!isForm || new URLSearchParams(text).get("grant_type") !== "client_credentials") {
    json(response, {
      status: 400,
      body: { error: "unsupported_grant_type", error_description: "unsupported grant_type" },
    });
  } else {
    const access_token = `A21AA${randomBytes(48).toString("base64url")}`;
    tokens.set(access_token, Date.now() + TOKEN_SECONDS * 1_000);
    json(response, {
      status: 200,
      body: {
        scope: "https://uri.paypal.com/services/payments",
        access_token,
        token_type: "Bearer",
        expires_in: TOKEN_SECONDS,
      },
    });
  }
}

/** The buyer's page: approves or cancels, then redirects. */
function checkout(incoming: IncomingMessage, url: URL, text: string, response: ServerResponse): void {
  const order = orders.all.get(url.searchParams.get("token") ?? "");
  if (!order || (order.status !== "CREATED" && order.status !== "APPROVED")) {
    page(response, order ? 410 : 404, closedPage(order ? "This was paid." : "There is no such order."));
  } else if (incoming.method === "GET") {
    page(response, 200, checkoutPage(order, `${base}/checkoutnow?token=${order.id}`));
  } else {
    const form = new URLSearchParams(text);
    const choice = form.get("choice");
    const [payer, country] = [form.get("payer") ?? undefined, form.get("country") || undefined];
    if (choice !== "cancel") orders.approve(order.id, choice === "decline", payer, country);
    saveState();
    const back = choice === "cancel" ? order.cancelUrl : order.returnUrl;
    if (back === undefined) return page(response, 200, closedPage("You can close this page."));
    const to = new URL(back);
    to.searchParams.set("token", order.id);
    if (choice !== "cancel") to.searchParams.set("PayerID", payerIdOf(order));
    response.writeHead(303, { location: to.href, "cache-control": "no-store" }).end();
  }
}

function script(query: URLSearchParams, response: ServerResponse): void {
  const isKnown =
    query.get("client-id") === start.clientId && /^(USD|JPY|TWD)$/.test(query.get("currency") ?? "");
  if (isKnown) response.writeHead(200, { "content-type": "text/javascript" }).end(scriptOf(base));
  else
    response
      .writeHead(400, { "content-type": "text/javascript" })
      .end("throw new Error('SDK Validation error');");
}

function page(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      "cache-control": "no-store",
    })
    .end(html);
}

function json(response: ServerResponse, { status, body }: PayPalResponse): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readLimited(incoming: IncomingMessage): Promise<string> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw new Error("too long");
  return readText(incoming);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function eventOf(id: string): Event {
  const event = webhooks.events.get(id);
  if (!event) throw new Error(`there is no event ${id}`);
  return event;
}

const controls: Controls = {
  approve: (id, ...how) => void orders.approve(id, ...how),
  settle: (captureId, to) => orders.settle(captureId, to),
  refund: (captureId, amount) => void orders.refund(captureId, amount ?? null),
  reverse: (captureId) => void orders.refund(captureId, null, true),
  expireOrder: (id) => orders.delete(id),
  order: (id) => (orders.all.has(id) ? orders.present(orders.find(id)) : null),
  setPayoutOutcome: (email, outcome) => void payouts.outcomes.set(email, outcome),
  settlePayout: (payoutBatchId, to) => payouts.settle(payoutBatchId, to),
  injectFault: (request) => faults.add(request),
  clearFaults: () => faults.clear(),
  releaseHeld: () => {
    const all = waiting;
    waiting = [];
    for (const go of all) go();
    return all.length;
  },
  heldCount: () => waiting.length,
  requestCount: (call) => counts.get(call) ?? 0,
  expireTokens: () => tokens.clear(),
  expireRequestIds: () => responsesByRequestId.clear(),
  events: (reference) =>
    webhooks.list(reference).map(({ id, event_type, resourceId, reference: of }) => ({
      id,
      event_type,
      resourceId,
      reference: of,
    })),
  deliver: (id, url, forgery) => webhooks.deliver(eventOf(id), url, forgery),
  sendWebhooksTo: (url) => webhooks.sendTo(url),
  setPublicUrl: (url) => void (base = url),
  ledger: () => ledger.entries,
};

handleControls(controls, saveState);

loadState();
const server = createServer((incoming, response) => {
  handle(incoming, response).catch(() => {
    if (!response.headersSent) json(response, FAILURE());
  });
});
const origin = await listen(server, start.port);
base = start.site === undefined ? origin : `${start.site}/sandbox/paypal`;
if (start.site !== undefined) webhooks.sendTo(`${start.site}/webhooks/paypal`);
