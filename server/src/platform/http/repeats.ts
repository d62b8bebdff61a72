import { createHash, hkdfSync, type KeyObject } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { BOT_CHECK_FIELD, IDEMPOTENCY_KEY } from "@alcove/contract/call";
import { RETENTION } from "@alcove/contract/retention";
import { floorTo, HOUR_MS, MINUTE_MS, SECOND_MS } from "../clock.ts";
import type { AppContext } from "../context.ts";
import { ApiError } from "../errors.ts";
import { decrypt, DecryptionError, encrypt, importKey, pad, unpad } from "../keys/cipher.ts";
import { networkOf } from "../security/client-network.ts";
import { setCookieAgain, setCookieOf } from "./cookies.ts";
import * as rows from "./repeats.sql.ts";
import type { CallResponse } from "./run-calls.ts";

const KEY = /^[!-~]{16,64}$/;
const REPEATABLE_MS = HOUR_MS;
/** The process of a request that runs longer has died. Calls of PayPal take a minute at most. */
const ABANDONED_MS = 2 * MINUTE_MS;
const MAX_WAIT_MS = 10 * SECOND_MS;
const POLL_MS = 50;
const RETRY_SECONDS = 5;
const MAX_BODY_BYTES = 64 * 1024;
/** Hides the lengths of outcomes. */
const STEP = 2 * 1024;
const NO_HEAD = Buffer.alloc(0);

const LIMIT = { name: "repeatable_requests", max: 3_600, windowMs: HOUR_MS, batch: 60 };
const LIMIT_OF_NETWORK = { ...LIMIT, name: "repeatable_requests_per_network" };

export interface Attempt {
  readonly id: Buffer;
  readonly cipherKey: KeyObject;
  readonly fields: string;
  readonly subject: string;
  readonly network: string;
}

/** A cookie that the call has set is given again. */
type Outcome = { readonly cookie: string | null } & (
  | { readonly response: StorableResponse }
  | { readonly error: Pick<ApiError, "code" | "details"> }
);

type StorableResponse = CallResponse & { readonly body: string | null };

/** `outcome` is null while the request runs. */
interface Entry {
  readonly fields: string;
  readonly startedAt: number;
  readonly outcome: Outcome | null;
}

type Deps = Pick<AppContext, "db" | "clock" | "encryption" | "secrets" | "rateLimits" | "log">;

/**
 * Gives a repeated request the outcome of the first one (docs/product-rules.md, Repeated requests). A row reveals nothing
 * without the key, which only the client has.
 */
export class Repeats {
  readonly #ctx: Deps;

  constructor(ctx: Deps) {
    this.#ctx = ctx;
  }

  /** @throws idempotency_key_invalid */
  keyOf({ method, headers }: FastifyRequest): string | null {
    const key = headers[IDEMPOTENCY_KEY];
    if (key === undefined || method === "GET" || method === "HEAD") return null;
    if (typeof key !== "string" || !KEY.test(key)) throw new ApiError("idempotency_key_invalid");
    return key;
  }

  async attempt(key: string, request: FastifyRequest, raw: Record<string, unknown>): Promise<Attempt> {
    const subject = subjectOf(request, raw);
    return {
      id: this.#idOf(key, subject),
      cipherKey: this.#cipherKeyOf(key, subject),
      fields: await digestOf(request, raw),
      subject,
      network: networkOf(request.ip),
    };
  }

  /** Whether the key came before. Its proof of the address may be spent. */
  async isKnown(key: string, request: FastifyRequest, before: Record<string, unknown>): Promise<boolean> {
    return (await rows.read(this.#ctx.db, this.#idOf(key, subjectOf(request, before)))) !== null;
  }

  /**
   * An ended session gets only outcomes without content, such as that of its account's deletion.
   *
   * @throws idempotency_key_reused, idempotency_key_in_use
   */
  async run(
    attempt: Attempt,
    reply: FastifyReply,
    authorize: () => Promise<void>,
    run: () => Promise<CallResponse>,
  ): Promise<CallResponse> {
    try {
      await authorize();
    } catch (error) {
      const stored = await this.#read(attempt);
      const outcome = stored?.entry.fields === attempt.fields ? stored.entry.outcome : null;
      if (outcome === null || !("response" in outcome) || outcome.response.status !== 204) throw error;
      return outcome.response;
    }
    await this.#count(attempt);
    const claim = this.#rowOf(attempt, null);
    const outcome = await this.#claim(attempt, claim);
    return outcome ? replay(outcome, reply) : this.#record(attempt, claim, reply, run);
  }

  async deleteExpired(): Promise<void> {
    await rows.deleteExpired(this.#ctx.db, this.#ctx.clock.now());
  }

  async #count({ subject, network }: Attempt): Promise<void> {
    const { rateLimits } = this.#ctx;
    await (isMember(subject)
      ? rateLimits.consume(LIMIT, subject)
      : rateLimits.consume(LIMIT_OF_NETWORK, network));
  }

  /** Returns null after storing the claim. Waits while the first request runs. */
  async #claim(attempt: Attempt, claim: rows.OutcomeRow): Promise<Outcome | null> {
    const { db, clock } = this.#ctx;
    const waitsUntil = performance.now() + MAX_WAIT_MS;
    do {
      if (await rows.insert(db, claim)) return null;
      const stored = await this.#read(attempt);
      if (stored === null) continue;
      if (isOver(stored.entry, clock.now().getTime())) {
        if (await rows.replace(db, claim, stored.encrypted)) return null;
        continue;
      }
      if (stored.entry.fields !== attempt.fields) throw new ApiError("idempotency_key_reused");
      if (stored.entry.outcome) return stored.entry.outcome;
      await wait(POLL_MS);
    } while (performance.now() < waitsUntil);
    throw new ApiError("idempotency_key_in_use", { retryAfterSeconds: RETRY_SECONDS });
  }

  async #record(
    attempt: Attempt,
    claim: rows.OutcomeRow,
    reply: FastifyReply,
    run: () => Promise<CallResponse>,
  ): Promise<CallResponse> {
    try {
      const response = await run();
      const cookie = setCookieOf(reply);
      await this.#settle(attempt, claim, isStorable(response) ? { cookie, response } : null);
      return response;
    } catch (error) {
      const cookie = setCookieOf(reply);
      const result = error instanceof ApiError && isResult(error) ? error : null;
      await this.#settle(
        attempt,
        claim,
        result && { cookie, error: { code: result.code, details: result.details } },
      );
      throw error;
    }
  }

  /** The change is made: a failure here must not hide its outcome. A claim that stays is abandoned. */
  async #settle(attempt: Attempt, claim: rows.OutcomeRow, outcome: Outcome | null): Promise<void> {
    const { db, log } = this.#ctx;
    const settling = outcome
      ? rows.replace(db, this.#rowOf(attempt, outcome), claim.encrypted_outcome)
      : rows.remove(db, claim);
    await settling.catch((error: unknown) => log.warn({ err: error }, "an outcome was not stored"));
  }

  async #read({ id, cipherKey }: Attempt): Promise<{ encrypted: Buffer; entry: Entry } | null> {
    const encrypted = await rows.read(this.#ctx.db, id);
    return encrypted && { encrypted, entry: open(encrypted, cipherKey, id) };
  }

  #rowOf({ id, cipherKey, fields }: Attempt, outcome: Outcome | null): rows.OutcomeRow {
    const now = this.#ctx.clock.now();
    const entry: Entry = { fields, startedAt: now.getTime(), outcome };
    const plain = pad(Buffer.from(JSON.stringify(entry)), STEP);
    const lifeMs = RETENTION.repeatableResponseHours * HOUR_MS;
    return {
      key_digest: id,
      encrypted_outcome: encrypt(cipherKey, NO_HEAD, plain, contextOf(id)),
      expires_at: floorTo(new Date(now.getTime() + lifeMs), HOUR_MS),
    };
  }

  #idOf(key: string, subject: string): Buffer {
    return this.#ctx.encryption.blindIndex(`${subject}\0${key}`, "call_outcome");
  }

  #cipherKeyOf(key: string, subject: string): KeyObject {
    const { token } = this.#ctx.secrets;
    return importKey(
      Buffer.from(hkdfSync("sha256", `${token}\0${key}`, "", `alcove call outcome ${subject}`, 32)),
    );
  }
}

const contextOf = (id: Buffer): string => `call_outcomes.encrypted_outcome:${id.toString("hex")}`;

/** A row under an earlier secret counts as over. */
function open(encrypted: Buffer, cipherKey: KeyObject, id: Buffer): Entry {
  try {
    return JSON.parse(unpad(decrypt(cipherKey, 0, encrypted, contextOf(id))).toString()) as Entry;
  } catch (error) {
    if (error instanceof DecryptionError) return { fields: "", startedAt: -Infinity, outcome: null };
    throw error;
  }
}

const isOver = ({ startedAt, outcome }: Entry, now: number): boolean =>
  now - startedAt >= (outcome ? REPEATABLE_MS : ABANDONED_MS);

function replay({ cookie, ...outcome }: Outcome, reply: FastifyReply): CallResponse {
  if (cookie !== null) setCookieAgain(reply, cookie);
  if ("response" in outcome) return outcome.response;
  throw new ApiError(outcome.error.code, { details: outcome.error.details });
}

function isStorable(response: CallResponse): response is StorableResponse {
  const { body } = response;
  return body === null || (typeof body === "string" && Buffer.byteLength(body) <= MAX_BODY_BYTES);
}

/** After other errors the same request may succeed. */
function isResult({ code, status }: ApiError): boolean {
  return status < 500 && status !== 413 && status !== 429 && code !== "invalid_input";
}

/** The account, or the address that a form without account names. */
function subjectOf({ memberId }: FastifyRequest, { email }: Record<string, unknown>): string {
  if (memberId !== null) return `member ${memberId}`;
  return typeof email === "string" ? `address ${email.trim().toLowerCase()}` : "visitor";
}

const isMember = (subject: string): boolean => subject.startsWith("member ");

async function digestOf({ method, routeOptions }: FastifyRequest, raw: Record<string, unknown>) {
  const hash = createHash("sha256").update(`${method} ${routeOptions.url?.replace(/^\/:lang/, "")}`);
  for (const [name, value] of Object.entries(raw).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (name === BOT_CHECK_FIELD) continue;
    hash.update(`\n${JSON.stringify(name)} `);
    hash.update(value instanceof File ? await digestOfFile(value) : JSON.stringify(value));
  }
  return hash.digest("base64");
}

async function digestOfFile(file: File): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of file.stream()) hash.update(chunk as Uint8Array);
  return hash.digest();
}
