import { createHmac, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { fieldAt, isObject, newId, payPalErrorV1 } from "./wire.ts";

export interface Event {
  readonly id: string;
  readonly event_type: string;
  /** The id of an order, capture, refund or payout item. */
  readonly resourceId: string;
  readonly reference: string | null;
  readonly body: string;
}

export type Forgery = "body" | "signature" | "other webhook" | "certificate" | "no headers";

const ALGORITHM = "SHA256withRSA";
const PATIENCE_MS = 20_000;
const TRIES = 6;
const FIRST_WAIT_MS = 500;

export class Webhooks {
  readonly events = new Map<string, Event>();
  readonly #byReference = new Map<string, Event[]>();
  readonly #webhookId: string;
  readonly #key: string;
  readonly #base: () => string;
  /** Null holds events until they are delivered by a control. */
  #url: string | null = null;

  constructor(webhookId: string, key: string, base: () => string) {
    this.#webhookId = webhookId;
    this.#key = key;
    this.#base = base;
  }

  sendTo(url: string | null): void {
    this.#url = url;
  }

  say(event_type: string, resource_type: string, resource: object): void {
    const id = `WH-${newId()}-${newId()}`;
    const named = resource as {
      id?: string;
      custom_id?: string;
      purchase_units?: readonly { custom_id?: string | undefined }[];
      payout_item_id?: string;
      payout_item?: { sender_item_id: string };
    };
    // Formatted, so that a re-serialised body differs.
    const content = {
      id,
      event_version: "1.0",
      create_time: new Date().toISOString(),
      resource_type,
      resource_version: "2.0",
      event_type,
      summary: event_type,
      resource,
      links: [{ href: `${this.#base()}/v1/notifications/webhooks-events/${id}`, rel: "self", method: "GET" }],
    };
    const event = {
      id,
      event_type,
      resourceId: named.id ?? named.payout_item_id ?? "",
      reference:
        named.custom_id ?? named.purchase_units?.[0]?.custom_id ?? named.payout_item?.sender_item_id ?? null,
      body: JSON.stringify(content, null, 1),
    };
    this.events.set(id, event);
    const { reference } = event;
    if (reference !== null)
      this.#byReference.set(reference, [...(this.#byReference.get(reference) ?? []), event]);
    if (this.#url !== null) void this.#sendUntilTaken(event, this.#url);
  }

  list(reference?: string): readonly Event[] {
    return reference === undefined ? [...this.events.values()] : (this.#byReference.get(reference) ?? []);
  }

  async deliver(event: Event, url: string, forgery?: Forgery): Promise<number> {
    const time = new Date().toISOString();
    const transmissionId = randomUUID();
    const webhookId = forgery === "other webhook" ? "8PT597110X687430LKGECATA" : this.#webhookId;
    const signature = this.#sign(transmissionId, time, webhookId, event.body);
    const headers = {
      "paypal-auth-algo": ALGORITHM,
      "paypal-cert-url": forgery === "certificate" ? "https://paypal.example/cert" : this.#certificate(),
      "paypal-transmission-id": transmissionId,
      "paypal-transmission-sig":
        forgery === "signature" ? Buffer.from("forged".repeat(8)).toString("base64") : signature,
      "paypal-transmission-time": time,
    };
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(forgery === "no headers" ? {} : headers) },
      // Equal as JSON, but PayPal signs the exact bytes.
      body: forgery === "body" ? event.body.replace("{", "{ ") : event.body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Verifies a delivery as its receiver repeats it. */
  verify(text: string, body: unknown): { verification_status: "SUCCESS" | "FAILURE" } {
    const word = (name: string): string => {
      const value = fieldAt(body, name);
      if (typeof value === "string" && value !== "") return value;
      throw payPalErrorV1("VALIDATION_ERROR", "Invalid request - see details", [
        { field: name, issue: "Required field is missing" },
      ]);
    };
    const [algorithm, certificate, id, signature, time, webhookId] = [
      word("auth_algo"),
      word("cert_url"),
      word("transmission_id"),
      word("transmission_sig"),
      word("transmission_time"),
      word("webhook_id"),
    ];
    const event = memberOf(text, "webhook_event");
    if (event === null || !isObject(fieldAt(body, "webhook_event")))
      throw payPalErrorV1("VALIDATION_ERROR", "Invalid request - see details", [
        { field: "webhook_event", issue: "Required field is missing" },
      ]);
    const isOurs =
      algorithm === ALGORITHM &&
      certificate === this.#certificate() &&
      webhookId === this.#webhookId &&
      signature === this.#sign(id, time, webhookId, event);
    return { verification_status: isOurs ? "SUCCESS" : "FAILURE" };
  }

  #certificate(): string {
    return `${this.#base()}/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270`;
  }

  /** As PayPal: id, time, webhook id and CRC of the body. */
  #sign(id: string, time: string, webhookId: string, body: string): string {
    return createHmac("sha256", this.#key)
      .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
      .digest("base64");
  }

  async #sendUntilTaken(event: Event, url: string): Promise<void> {
    for (let turn = 0; turn < TRIES && this.#url === url; turn++) {
      const status = await this.deliver(event, url).catch(() => 0);
      if (status >= 200 && status < 300) return;
      await new Promise((done) => setTimeout(done, FIRST_WAIT_MS * 2 ** turn).unref());
    }
  }
}

/** The exact text of a member of a JSON object. */
function memberOf(text: string, name: string): string | null {
  const key = `"${name}":`;
  const from = text.indexOf(key);
  if (from < 0) return null;
  const start = from + key.length;
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted) {
      if (letter === "\\") at++;
      else if (letter === '"') isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === "{" || letter === "[") depth++;
    else if ((letter === "}" || letter === "]") && --depth === 0) return text.slice(start, at + 1).trim();
  }
  return null;
}
