import * as z from "zod/mini";
import { SECOND_MS, type Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { PaymentRejectedError, PaymentUnknownError, type PayPalRejection } from "./payments.ts";
import type { PayPalAccount } from "../../config.ts";
import { fetchJson } from "../json-request.ts";

/** PayPal asks the buyer's bank during a capture. A longer request has an unknown result. */
const TIMEOUT_MS = 30 * SECOND_MS;
const TOKEN_MARGIN_MS = 60 * SECOND_MS;
/** These states are about credentials and rates, so the request is not rejected. */
const UNCLEAR_STATUSES = new Set([401, 403, 408, 409, 425, 429]);
export const DESCRIPTION = "Online services";

export const Link = z.object({ href: z.string(), rel: z.string() });
const Token = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.number() });
const Detail = z.object({ issue: z.string(), description: z.optional(z.string()) });
const Rejection = z.object({
  name: z.string(),
  details: z._default(z.array(Detail), []),
  debug_id: z.optional(z.string()),
});

export interface RequestDeps {
  readonly account: PayPalAccount;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs?: number;
  /** PayPal is up if it responded without an error of its own. */
  readonly recordHealth?: (isUp: boolean) => void;
}

export interface RequestOptions {
  readonly body?: string;
  /** PayPal executes each id once. */
  readonly requestId?: string;
}

interface PayPalResponse {
  readonly status: number;
  readonly body: unknown;
}

export type PayPalRequests = ReturnType<typeof createRequests>;

export function createRequests(deps: RequestDeps) {
  const { log } = deps;
  const send = createSender(deps);

  async function request<Schema extends z.ZodMiniType>(
    operation: string,
    schema: Schema,
    path: string,
    options: RequestOptions = {},
  ): Promise<z.output<Schema>> {
    const response = await send(operation, path, options);
    const rejection = rejectionOf(response);
    if (rejection) throw new PaymentRejectedError(rejection);
    return parse(operation, schema, response);
  }

  /** Only a clear rejection means that nothing was done. */
  function parse<Schema extends z.ZodMiniType>(
    operation: string,
    schema: Schema,
    response: PayPalResponse,
  ): z.output<Schema> {
    const read = isSuccess(response) ? z.safeParse(schema, response.body) : null;
    if (read?.success) return read.data;
    log.warn({ operation, status: response.status }, "PayPal sent an unexpected response");
    throw new PaymentUnknownError(`unexpected response from PayPal for ${operation}: ${response.status}`);
  }

  return { send, request, parse };
}

function createSender({ account, log, clock, timeoutMs = TIMEOUT_MS, recordHealth }: RequestDeps) {
  const sendOnce = async (operation: string, path: string, init: RequestInit): Promise<PayPalResponse> => {
    try {
      const response = await fetchJson(new URL(account.apiUrl + path), init, timeoutMs);
      recordHealth?.(response.status < 500);
      return response;
    } catch (error) {
      recordHealth?.(false);
      const { name, cause } = error as Error & { cause?: { code?: string } };
      log.warn({ operation, reason: cause?.code ?? name }, "PayPal did not respond");
      throw new PaymentUnknownError(`no response from PayPal for ${operation}`);
    }
  };
  const tokens = createTokenCache(clock, async () => {
    const credentials = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString("base64");
    const response = await sendOnce("token", "/v1/oauth2/token", {
      method: "POST",
      headers: {
        authorization: `Basic ${credentials}`,
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: "grant_type=client_credentials",
    });
    const read = isSuccess(response) ? z.safeParse(Token, response.body) : null;
    if (read?.success) return read.data;
    log.error(
      { status: response.status },
      "PayPal issues no token, check PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET",
    );
    // The request itself was not sent, so it may succeed later.
    throw new PaymentUnknownError(`PayPal issues no token: ${response.status}`);
  });

  return async (
    operation: string,
    path: string,
    { body, requestId }: RequestOptions,
  ): Promise<PayPalResponse> => {
    const sendWith = (token: string): Promise<PayPalResponse> =>
      sendOnce(operation, path, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json",
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", prefer: "return=representation" }),
          ...(requestId === undefined ? {} : { "paypal-request-id": requestId }),
        },
        ...(body === undefined ? {} : { body }),
      });
    const token = await tokens.get();
    const response = await sendWith(token);
    return response.status === 401 ? sendWith(await tokens.renew(token)) : response;
  };
}

/** Simultaneous callers share one request for a new token. */
function createTokenCache(clock: Clock, fetchToken: () => Promise<z.output<typeof Token>>) {
  let current: { token: string; until: number } | null = null;
  let pending: Promise<string> | null = null;
  const fetchNew = (): Promise<string> => {
    pending ??= fetchToken()
      .then(({ access_token: token, expires_in: seconds }) => {
        current = { token, until: clock.now().getTime() + seconds * SECOND_MS - TOKEN_MARGIN_MS };
        return token;
      })
      .finally(() => (pending = null));
    return pending;
  };
  return {
    get: async (): Promise<string> =>
      current && current.until > clock.now().getTime() ? current.token : fetchNew(),
    renew: async (rejected: string): Promise<string> => {
      if (current?.token === rejected) current = null;
      return current?.token ?? fetchNew();
    },
  };
}

const isSuccess = ({ status }: PayPalResponse): boolean => status >= 200 && status < 300;

export function rejectionOf({ status, body }: PayPalResponse): PayPalRejection | null {
  if (status < 400 || status >= 500 || UNCLEAR_STATUSES.has(status)) return null;
  const read = z.safeParse(Rejection, body);
  if (!read.success) return null;
  // This concerns only the repeated request; the result of the first one is unknown.
  const isRepetition = read.data.details.some(({ issue }) => issue === "DUPLICATE_REQUEST_ID");
  return isRepetition ? null : read.data;
}
