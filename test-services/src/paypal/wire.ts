import { randomBytes } from "node:crypto";

export interface PayPalResponse {
  readonly status: number;
  readonly body: unknown;
}

export class PayPalError extends Error {
  override name = "PayPalError";
  readonly response: PayPalResponse;

  constructor(response: PayPalResponse) {
    super(JSON.stringify(response.body));
    this.response = response;
  }
}

const SENTENCES: Record<string, [status: number, message: string]> = {
  INVALID_REQUEST: [400, "Request is not well-formed, syntactically incorrect, or violates schema."],
  RESOURCE_NOT_FOUND: [404, "The specified resource does not exist."],
  RESOURCE_CONFLICT: [409, "The server has detected a conflict while processing this request."],
  UNSUPPORTED_MEDIA_TYPE: [415, "The server does not support the request payload's media type."],
  UNPROCESSABLE_ENTITY: [
    422,
    "The requested action could not be performed, semantically incorrect, or failed business validation.",
  ],
};

/** An error of Orders v2 and Payments v2. */
export function payPalError(
  name: keyof typeof SENTENCES,
  issue: string,
  description: string,
  field?: string,
) {
  const [status, message] = SENTENCES[name]!;
  const details = [{ ...(field ? { field } : {}), issue, description }];
  return new PayPalError({ status, body: { name, message, debug_id: debugId(), details, links: [] } });
}

/** An error of Payouts v1 and webhook verification. */
export function payPalErrorV1(
  name: string,
  message: string,
  details: readonly { field: string; issue: string }[],
  links: readonly Link[] = [],
) {
  const body = {
    name,
    message,
    debug_id: debugId(),
    information_link: `https://developer.paypal.com/docs/api/payments.payouts-batch/#errors`,
    details: details.map((detail) => ({ ...detail, location: "body" })),
    links,
  };
  return new PayPalError({ status: name === "INVALID_RESOURCE_ID" ? 404 : 400, body });
}

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly method: string;
}

export const debugId = (): string => randomBytes(7).toString("hex").slice(0, 13);

const LETTERS = "0123456789ABCDEFGHJKLMNPRSTUVWXY";

export function newId(length = 17): string {
  return toPayPalId(randomBytes(length), length);
}

export function toPayPalId(bytes: Buffer, length: number): string {
  return [...bytes.subarray(0, length)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

/** In cents, whole yen or whole Taiwan dollars. */
export function toUnits({ currency_code, value }: Money): number {
  return Math.round(Number(value) * (currency_code === "USD" ? 100 : 1));
}

export function toMoney(currency: string, units: number): Money {
  return { currency_code: currency, value: currency === "USD" ? (units / 100).toFixed(2) : String(units) };
}

type Fields = Record<string, unknown>;

export function fieldAt(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((here, name) => (isObject(here) ? here[name] : undefined), body);
}

export function textField(
  body: unknown,
  path: string,
  { most, like = /^[^\p{Cc}]*$/u, isNeeded = false }: { most: number; like?: RegExp; isNeeded?: boolean },
): string | undefined {
  const value = fieldAt(body, path);
  const field = `/${path.replaceAll(".", "/")}`;
  if (value === undefined && !isNeeded) return undefined;
  if (value === undefined || value === "")
    throw payPalError("INVALID_REQUEST", "MISSING_REQUIRED_PARAMETER", "A required field is missing.", field);
  if (typeof value !== "string" || !like.test(value))
    throw payPalError(
      "INVALID_REQUEST",
      "INVALID_PARAMETER_SYNTAX",
      "The value of a field is malformed.",
      field,
    );
  if (value.length > most)
    throw payPalError("INVALID_REQUEST", "INVALID_STRING_LENGTH", "The value of a field is too long.", field);
  return value;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
