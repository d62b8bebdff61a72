import * as z from "zod/mini";
import { SECOND_MS, type Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { PaymentRejectedError, PaymentUnknownError, type PayPalRejection } from "./payments.ts";
import type { PayPalAccount } from "../../config.ts";
import { fetchJson } from "../json-request.ts";

/** PayPal asks a buyer's bank while a capture waits; what takes longer is unknown, and asked again. */
const PATIENCE_MS = 30 * SECOND_MS;
/** A token is renewed this long before PayPal forgets it. */
const TOKEN_MARGIN_MS = 60 * SECOND_MS;
/** What PayPal calls a refusal of ours that is about who asks or how often: nothing is decided by it. */
const SAYS_NOTHING = new Set([401, 403, 408, 409, 425, 429]);
/** Whatever is bought or sent: PayPal shows it to people, in its own letters too. */
export const DESCRIPTION = "Online services";

/** An address that PayPal points at. */
export const Link = z.object({ href: z.string(), rel: z.string() });
const Token = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.number() });
const Detail = z.object({ issue: z.string(), description: z.optional(z.string()) });
const ApiError = z.object({
  name: z.string(),
  details: z._default(z.array(Detail), []),
  debug_id: z.optional(z.string()),
});

/** What asking PayPal needs. */
export interface RequestDeps {
  readonly account: PayPalAccount;
  readonly clock: Clock;
  readonly log: Log;
  readonly patienceMs?: number;
}

/** A question with a body is a POST, one without a GET. */
export interface RequestOptions {
  readonly body?: string;
  /** PayPal does what has the same one only once. */
  readonly requestId?: string;
}

interface Said {
  readonly status: number;
  readonly body: unknown;
}

/** How PayPal is asked, whatever it is about. */
export type PayPalRequests = ReturnType<typeof createRequests>;

/** Asks PayPal with a live token: `ask` for whatever it answers, `askFor` for what must be there, which `understood` reads. */
export function createRequests(parts: RequestDeps) {
  const { log } = parts;
  const ask = makeAsk(parts);

  /** Asks for what must be there, in the shape that is expected. */
  async function askFor<Schema extends z.ZodMiniType>(
    what: string,
    schema: Schema,
    path: string,
    asking: RequestOptions = {},
  ): Promise<z.output<Schema>> {
    const said = await ask(what, path, asking);
    const apiError = rejectionOf(said);
    if (apiError) throw new PaymentRejectedError(apiError);
    return understood(what, schema, said);
  }

  /** What was not understood may have been done: only what PayPal refuses clearly was not. */
  function understood<Schema extends z.ZodMiniType>(
    what: string,
    schema: Schema,
    said: Said,
  ): z.output<Schema> {
    const read = isWell(said) ? z.safeParse(schema, said.body) : null;
    if (read?.success) return read.data;
    log.warn({ status: said.status }, `PayPal's ${what} did not answer as it should`);
    throw new PaymentUnknownError(`PayPal's ${what} answered ${said.status}`);
  }

  return { ask, askFor, understood };
}

/** Makes what sends a request with a live token. It answers whatever came, and throws where nothing did. */
function makeAsk({ account, log, clock, patienceMs = PATIENCE_MS }: RequestDeps) {
  const send = async (what: string, path: string, init: RequestInit): Promise<Said> => {
    try {
      return await fetchJson(new URL(account.apiUrl + path), init, patienceMs);
    } catch (error) {
      // Only how it failed: neither an address nor what was sent.
      const { name, cause } = error as Error & { cause?: { code?: string } };
      log.warn({ reason: cause?.code ?? name }, `PayPal's ${what} did not answer`);
      throw new PaymentUnknownError(`PayPal's ${what} did not answer`);
    }
  };
  const tokens = makeTokens(clock, async () => {
    const credentials = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString("base64");
    const said = await send("token", "/v1/oauth2/token", {
      method: "POST",
      headers: {
        authorization: `Basic ${credentials}`,
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: "grant_type=client_credentials",
    });
    const read = isWell(said) ? z.safeParse(Token, said.body) : null;
    if (read?.success) return read.data;
    log.error({ status: said.status }, "PayPal gives no token: look at PAYPAL_CLIENT_ID and its secret");
    // Nothing of what was wanted has been sent; it may well go the next time.
    throw new PaymentUnknownError(`PayPal's token answered ${said.status}`);
  });

  return async (what: string, path: string, { body, requestId }: RequestOptions): Promise<Said> => {
    const sendWith = (token: string): Promise<Said> =>
      send(what, path, {
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
    const said = await sendWith(token);
    return said.status === 401 ? sendWith(await tokens.renew(token)) : said;
  };
}

/** Keeps one token until shortly before it ends; those who need a new one at the same moment share one question. */
function makeTokens(clock: Clock, fetchToken: () => Promise<z.output<typeof Token>>) {
  let current: { token: string; until: number } | null = null;
  let coming: Promise<string> | null = null;
  const fresh = (): Promise<string> => {
    coming ??= fetchToken()
      .then(({ access_token: token, expires_in: seconds }) => {
        current = { token, until: clock.now().getTime() + seconds * SECOND_MS - TOKEN_MARGIN_MS };
        return token;
      })
      .finally(() => (coming = null));
    return coming;
  };
  return {
    get: async (): Promise<string> =>
      current && current.until > clock.now().getTime() ? current.token : fresh(),
    /** A token in place of one that PayPal does not take any more, unless there is another one already. */
    renew: async (refused: string): Promise<string> => {
      if (current?.token === refused) current = null;
      return current?.token ?? fresh();
    },
  };
}

const isWell = ({ status }: Said): boolean => status >= 200 && status < 300;

/** What PayPal refuses in so many words; null for everything else, what is unclear too. */
export function rejectionOf({ status, body }: Said): PayPalRejection | null {
  if (status < 400 || status >= 500 || SAYS_NOTHING.has(status)) return null;
  const read = z.safeParse(ApiError, body);
  if (!read.success) return null;
  // That is about the words of this request: what became of the first one it does not tell.
  const isOfWords = read.data.details.some(({ issue }) => issue === "DUPLICATE_REQUEST_ID");
  return isOfWords ? null : read.data;
}
