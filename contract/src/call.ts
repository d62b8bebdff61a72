import type * as z from "zod/mini";
import type { Costs } from "./costs.ts";
import type { ErrorCode } from "./errors.ts";

/** Header of a request that may be repeated after a lost response (docs/product-rules.md, Repeated requests). */
export const IDEMPOTENCY_KEY = "idempotency-key";

/** The field with the solution of a bot check. It is new at each attempt, so a repeated request may have another one. */
export const BOT_CHECK_FIELD = "recaptchaToken";

/** Header of responses to members whose consent is due: the day from which a version holds that they have not agreed to. */
export const CONSENT_REQUIRED_FROM = "consent-required-from";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** `operator` calls exist in the console only. */
export type Access = "visitor" | "member" | "operator";

type Fields = z.core.$ZodObject;

export interface FileResponse {
  readonly type: "application/zip";
  readonly name: string;
}

export interface Call<Input extends Fields = Fields, Response extends z.core.$ZodType = z.core.$ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /** Below `/{lang}`. */
  readonly path: string;
  readonly access: Access;
  /** Whether a browser completes the request after the member has left the page. */
  readonly keepalive: boolean;
  readonly costs: Costs;
  readonly input: Input;
  readonly response: Response | null;
  /** Returned instead of JSON. A browser may download it by URL with a ticket. */
  readonly file: FileResponse | null;
  readonly status: 200 | 201;
  /** Bytes that the response is filled to with spaces, so that its size in encrypted traffic reveals nothing. */
  readonly padTo: number;
  readonly errors: readonly ErrorCode[];
  /** Allowed too for the browser that the native app logged in to buy. */
  readonly forPurchases: boolean;
  /** The call needs no agreement to the terms and privacy policy in force. */
  readonly withoutConsent: boolean;
  /** With `AGE_CHECK=document`, only after an operator has approved the member's document. */
  readonly needsAgeCheck: boolean;
  /** Allowed too for a suspended member, whose session has the scope `case`. */
  readonly forCase: boolean;
  /** The caller's other tabs and devices load their screens again. */
  readonly showsEverywhere: boolean;
  /**
   * Selects among calls that share method and path, by the names of the filled fields. The first match is called; a
   * PATCH calls all matches and returns the last response.
   */
  readonly when: ((filled: ReadonlySet<string>) => boolean) | null;
  /** Fields that may not be sent together with another change (PATCH). */
  readonly exclusiveFields: readonly string[];
}

interface Definition<Input extends Fields, Response extends z.core.$ZodType | null> {
  name: string;
  summary: string;
  method: Method;
  path: string;
  access: Access;
  costs: Costs;
  input: Input;
  response: Response;
  file?: FileResponse;
  status?: 200 | 201;
  padTo?: number;
  errors?: readonly ErrorCode[];
  when?: (filled: ReadonlySet<string>) => boolean;
  exclusiveFields?: readonly string[];
  forPurchases?: boolean;
  /** Reading is allowed unless this is false. */
  withoutConsent?: boolean;
  needsAgeCheck?: boolean;
  forCase?: boolean;
  showsEverywhere?: boolean;
  keepalive?: boolean;
}

export function call<Input extends Fields, Response extends z.core.$ZodType | null>(
  definition: Definition<Input, Response>,
): Call<Input, Response extends z.core.$ZodType ? Response : never> {
  const {
    file = null,
    status = 200,
    padTo = 0,
    errors = [],
    when = null,
    exclusiveFields = [],
    forPurchases = false,
    withoutConsent = definition.method === "GET",
    needsAgeCheck = false,
    forCase = false,
    showsEverywhere = false,
    keepalive = false,
  } = definition;
  const defaults = {
    file,
    status,
    padTo,
    errors,
    when,
    exclusiveFields,
    forPurchases,
    withoutConsent,
    needsAgeCheck,
    forCase,
    showsEverywhere,
    keepalive,
  };
  // The cast keeps `null` out of the type parameter, so that ResponseOf is `void` for a 204.
  return { ...definition, ...defaults } as unknown as Call<
    Input,
    Response extends z.core.$ZodType ? Response : never
  >;
}

export type InputOf<C extends Call> = z.input<C["input"]>;

export type ParsedOf<C extends Call> = z.output<C["input"]>;

export type ResponseOf<C> =
  C extends Call<Fields, infer Response> ? ([Response] extends [never] ? void : z.output<Response>) : never;
