import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Call, Limit, ParsedOf, ResponseOf } from "@alcove/contract";
import { UserId, type ValidationErrors } from "@alcove/contract/fields";
import type { Language } from "@alcove/i18n";
import type { CurrentMember } from "../context.ts";
import type { FieldErrors } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock.ts";
import type { RateLimit } from "../security/rate-limits.ts";
import type { BrowserCookie } from "./cookies.ts";
import type { Repeats } from "./repeats.ts";

/** The calls of one port, and who may make them. */
export interface Port {
  readonly calls: readonly Call[];
  /** Null if the port ignores the header of repeated requests. */
  readonly repeats: Repeats | null;
  /** Reads the token alone. Null for visitors. */
  identify(request: FastifyRequest, calls: readonly Call[]): number | null;
  /** Throws unless the caller may make each of the calls. Returns fields for their handlers. The request has its turn. */
  authorize(request: FastifyRequest, reply: FastifyReply, calls: readonly Call[]): Promise<object>;
  originOf(request: FastifyRequest): string;
}

interface CallRequest<C extends Call> {
  readonly input: ParsedOf<C>;
  readonly lang: Language;
  readonly ip: string;
  readonly userAgent: string;
  readonly accessToken: string | null;
  readonly origin: string;
  readonly browser: BrowserCookie;
}

export type CallHandler<C extends Call, Caller> = (
  request: CallRequest<C> & Caller,
) => Promise<ResponseOf<C>>;

export type FileHandler<C extends Call> = (
  request: CallRequest<C> & { me: CurrentMember },
) => Promise<Readable>;

/** Checks that need data. Their errors join those of the other fields. */
type ExtraValidation<C extends Call, Caller> = (
  request: { readonly valid: Partial<ParsedOf<C>> } & Pick<CallRequest<C>, "ip" | "browser"> & Caller,
) => FieldErrors | Promise<FieldErrors>;

export interface Proven<Proof> {
  /** What `prove` returned. Null if the form has no file, or if its file precedes the proof. */
  readonly proof: Proof | null;
}

type Prove<C extends Call, Proof> = (
  request: { readonly valid: Partial<ParsedOf<C>> } & Pick<CallRequest<C>, "ip" | "browser">,
) => Promise<Proof | null>;

export interface PublicOptions<C extends Call, Proof = never> {
  /**
   * Runs before a file is read, with the fields before it, so that strangers cannot fill the memory. Returns null if
   * they hold no proof, and throws if it is wrong.
   */
  prove?: Prove<C, Proof>;
  extraValidation?: ExtraValidation<C, Proven<Proof>>;
  whenInvalid?: (errors: ValidationErrors, lang: Language) => ResponseOf<C>;
  headers?: Readonly<Record<string, string>>;
}

export interface MemberOptions<C extends Call> {
  extraValidation?: ExtraValidation<C, { me: CurrentMember }>;
}

interface Lookup {
  readonly field: string;
  readonly learns: "user_id" | "profile";
}

export interface RegisteredCall {
  call: Call;
  limit: RateLimit | null;
  lookup: Lookup | null;
  handle: (request: CallRequest<Call> & { me: CurrentMember }) => Promise<unknown>;
  whenInvalid: ((errors: ValidationErrors, lang: Language) => unknown) | null;
  extraValidation: ExtraValidation<Call, { me: CurrentMember } & Proven<unknown>> | null;
  prove: Prove<Call, unknown> | null;
  headers: Readonly<Record<string, string>>;
}

export function registeredCall<C extends Call, Caller, Proof>(
  call: C,
  handle: CallHandler<C, Caller> | FileHandler<C>,
  {
    whenInvalid,
    extraValidation,
    prove,
    headers,
  }: Omit<MemberOptions<C> & PublicOptions<C, Proof>, "extraValidation"> & {
    extraValidation?: MemberOptions<C>["extraValidation"] | PublicOptions<C, Proof>["extraValidation"];
  } = {},
): RegisteredCall {
  return {
    call,
    limit: call.costs.limit && rateLimitOf(call.costs.limit),
    lookup: lookupOf(call),
    handle: handle as unknown as RegisteredCall["handle"],
    whenInvalid: whenInvalid ?? null,
    extraValidation: (extraValidation as RegisteredCall["extraValidation"] | undefined) ?? null,
    prove: (prove as Prove<Call, unknown> | undefined) ?? null,
    headers: headers ?? {},
  };
}

const WINDOWS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

function rateLimitOf({ name, max, per, batch = 1 }: Limit): RateLimit {
  return { name, max, windowMs: WINDOWS[per], batch };
}

function isUserId(type: unknown): boolean {
  const { innerType } = (type as typeof UserId)._zod.def as { innerType?: unknown };
  return type === UserId || (innerType !== undefined && isUserId(innerType));
}

function lookupOf({ name, costs: { learns }, input }: Call): Lookup | null {
  if (learns !== "user_id" && learns !== "profile") return null;
  const [field] = Object.entries(input._zod.def.shape).find(([, type]) => isUserId(type)) ?? [];
  if (field === undefined) throw new Error(`${name} has no field with a user id`);
  return { field, learns };
}
