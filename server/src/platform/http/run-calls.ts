import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Call, ParsedOf } from "@alcove/contract";
import { fieldName } from "@alcove/contract/field-name";
import { parseFields, type ValidationErrors } from "@alcove/contract/fields";
import type { AppContext, CurrentMember } from "../context.ts";
import { ApiError, mergeErrors, validationErrorsOf } from "../errors.ts";
import { KeyDestroyedError } from "../keys/data-keys.ts";
import { type BrowserCookie, browserCookie } from "./cookies.ts";
import { originForNative, withAbsolutePictures } from "./native-pictures.ts";
import type { RegisteredCall } from "./registered-call.ts";
import { languageOf, tokenOf } from "./request.ts";

export interface CallResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream for a file. Null for 204. */
  readonly body: string | Readable | null;
}

/** Runs the calls after all their fields are valid. Returns the response of the last one. */
export async function runCalls(
  { rateLimits, lookups, eventBus, config }: AppContext,
  calls: readonly RegisteredCall[],
  request: FastifyRequest,
  reply: FastifyReply,
  { raw, origin, proof }: { raw: Record<string, unknown>; origin: string; proof: unknown },
): Promise<CallResponse> {
  const { call, whenInvalid, headers } = calls.at(-1)!;
  for (const { limit } of calls) if (limit) await rateLimits.consume(limit, request.me!.memberId);
  const lang = languageOf(request);
  const parsed = parseAll(calls, raw);
  const browser = browserCookie(request, reply, origin);
  const caller = { me: request.me!, ...request.caller, ip: request.ip, browser, proof };
  if ((!parsed.ok && !whenInvalid) || calls.length > 1) {
    const shapeErrors = parsed.ok ? {} : parsed.errors;
    const errors = mergeErrors(shapeErrors, await runExtraValidation(calls, caller, parsed.valid));
    if (Object.keys(errors).length > 0) throw new ApiError("invalid_input", { errors });
  }

  const callRequest = {
    ...caller,
    lang,
    userAgent: request.headers["user-agent"] ?? "",
    accessToken: tokenOf(request),
    origin,
  };
  const result = parsed.ok
    ? await eventBus.withFlush(async () => {
        let last: unknown;
        for (const [at, { handle, lookup }] of calls.entries()) {
          const input = parsed.inputs[at] as ParsedOf<Call>;
          const run = async () => handle({ ...callRequest, input });
          const running =
            lookup && input[lookup.field] != null
              ? lookups.count(caller.me.memberId, { ...lookup, userId: String(input[lookup.field]) }, run)
              : run();
          last = await running.catch((error: unknown) => throwForCaller(error, request.me));
        }
        if (calls.some((each) => each.call.showsEverywhere))
          eventBus.publish("account_changed", { memberId: caller.me.memberId, language: null });
        return last;
      })
    : whenInvalid!(parsed.errors, lang);
  if (isRejection(result)) request.rejection = { code: `${call.name} rejected`, memberId: null };
  const response = presentResult(call, result, originForNative(config, request));
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** Returns null if the fields before a file hold no proof. */
export async function proveCaller(
  { call, prove }: RegisteredCall,
  before: Record<string, unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
): Promise<unknown> {
  const parsed = parseFields(call.input, before);
  const valid: Partial<ParsedOf<Call>> = parsed.ok ? parsed.value : parsed.valid;
  return prove!({ valid, ip: request.ip, browser: browserCookie(request, reply, origin) });
}

/** A caller whose own key is destroyed has deleted their account since the request began. */
function throwForCaller(error: unknown, me: CurrentMember | null | undefined): never {
  if (error instanceof KeyDestroyedError && error.keyId === me?.memberId)
    throw new ApiError("login_required");
  throw error;
}

function presentResponse({ response }: Call, result: unknown): unknown {
  return response && z.core.parse(response, result);
}

/** Some calls report a wrong code or password, or a limit, with status 200. */
function isRejection(result: unknown): boolean {
  return result === false || (typeof result === "object" && result !== null && "error_message" in result);
}

function presentResult(call: Call, result: unknown, pictureOrigin: string | null): CallResponse {
  if (call.file) {
    const { type, name } = call.file;
    const headers = { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
    return { status: 200, headers, body: result as Readable };
  }
  if (call.response === null) return { status: 204, headers: {}, body: null };
  const body = withAbsolutePictures(JSON.stringify(presentResponse(call, result)), pictureOrigin);
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status: call.status, headers, body: body.padEnd(call.padTo) };
}

export function sendResponse(reply: FastifyReply, { status, headers, body }: CallResponse): FastifyReply {
  return reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body ?? undefined);
}

type Parsed = { valid: Partial<ParsedOf<Call>>[] } & (
  | { ok: true; inputs: unknown[] }
  | { ok: false; errors: ValidationErrors }
);

function parseAll(calls: readonly RegisteredCall[], raw: Record<string, unknown>): Parsed {
  const inputs: ParsedOf<Call>[] = [];
  const valid: Partial<ParsedOf<Call>>[] = [];
  const errors: ValidationErrors = {};
  for (const { call } of calls) {
    const parsed = parseFields(call.input, raw);
    if (parsed.ok) inputs.push(parsed.value);
    else Object.assign(errors, parsed.errors);
    valid.push(parsed.ok ? parsed.value : parsed.valid);
    if (calls.length === 1) continue;
    for (const name of call.exclusiveFields)
      if (Object.hasOwn(raw, name)) errors[fieldName(name)] = ["not_with_others"];
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors, valid } : { ok: true, inputs, valid };
}

async function runExtraValidation(
  calls: readonly RegisteredCall[],
  caller: { me: CurrentMember; ip: string; browser: BrowserCookie; proof: unknown },
  valid: readonly Partial<ParsedOf<Call>>[],
): Promise<ValidationErrors> {
  const errors: ValidationErrors = {};
  for (const [at, { extraValidation }] of calls.entries())
    Object.assign(
      errors,
      validationErrorsOf((await extraValidation?.({ ...caller, valid: valid[at]! })) ?? {}),
    );
  return errors;
}
