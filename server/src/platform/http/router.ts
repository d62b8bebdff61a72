import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Readable } from "node:stream";
import type { WebSocket } from "ws";
import * as z from "zod/mini";
import { calls, type ResponseOf, type Call, type ParsedOf } from "@alcove/contract";
import { fieldName, parseFields, type ValidationErrors } from "@alcove/contract/fields";
import type { Language } from "@alcove/i18n";
import { readBody } from "./parse-body.ts";
import type { AppContext, CurrentMember } from "../context.ts";
import { languageOfSegment } from "../i18n.ts";
import type { RateLimitName } from "../security/rate-limits.ts";
import type { Metrics } from "../metrics.ts";
import { networkOf } from "../security/client-network.ts";
import { validationErrorsOf, type FieldErrors, ApiError } from "../errors.ts";
import { keyedSemaphore } from "../lib/semaphore.ts";

/** What a handler of a call gets, whatever way it came. */
interface CallRequest<C extends Call> {
  readonly input: ParsedOf<C>;
  readonly lang: Language;
  /** The socket whose answer this is for; null for a request over HTTP. */
  readonly socket: WebSocket | null;
}

/** What a handler of a call gets that comes over HTTP alone. */
interface HttpCallRequest<C extends Call> extends CallRequest<C> {
  readonly ip: string;
  /** What the client says it is; empty if nothing. */
  readonly userAgent: string;
  /** The access token that came with it, good or not. */
  readonly accessToken: string | null;
  /** Where members reach the service: `PUBLIC_URL`, or where this one does. */
  readonly origin: string;
}

type CallHandler<C extends Call, Who> = (asked: HttpCallRequest<C> & Who) => Promise<ResponseOf<C>>;

/** What the shape of a form cannot tell, of the fields that are right by themselves: told beside what is wrong with others. */
type ExtraValidation<C extends Call, Who> = (
  asked: { readonly right: Partial<ParsedOf<C>> } & Who,
) => FieldErrors | Promise<FieldErrors>;

interface Options<C extends Call> {
  extraValidation?: ExtraValidation<C, unknown>;
  /** For the calls that tell faults of their fields in a normal answer (decisions, section 4, sign-up step 1). */
  whenInvalid?: (errors: ValidationErrors, lang: Language) => ResponseOf<C>;
}

interface MemberOptions<C extends Call> {
  extraValidation?: ExtraValidation<C, { me: CurrentMember }>;
  /** How often a member may make this call. */
  limit?: RateLimitName;
}

/** Answers a member's call that may come over its live connection, with what was prepared for it. */
type SocketCallHandler<C extends Call, Prepared> = (
  asked: CallRequest<C> & { me: CurrentMember; prepared: Prepared },
) => Promise<ResponseOf<C>>;

/** Looks up what a handler needs. It changes nothing, since it begins before the session is known to live. */
type Prepare<C extends Call, Prepared> = (
  asked: Pick<CallRequest<C>, "input"> & { me: CurrentMember },
) => Promise<Prepared>;

/** A call as the live connection has it. */
interface SocketCall {
  call: Call;
  limit: RateLimitName | null;
  prepare: Prepare<Call, unknown>;
  handle: SocketCallHandler<Call, unknown>;
}

interface RegisteredCall {
  call: Call;
  limit: RateLimitName | null;
  handle: (asked: HttpCallRequest<Call> & { me: CurrentMember }) => Promise<unknown>;
  whenInvalid: ((errors: ValidationErrors, lang: Language) => unknown) | null;
  extraValidation: ExtraValidation<Call, { me: CurrentMember }> | null;
}

declare module "fastify" {
  interface FastifyRequest {
    me?: CurrentMember;
  }
}

/**
 * How many forms that may hold a picture are in memory at once for a member, or a network of visitors. The others wait
 * unread: each may be ten megabytes, and nobody has looked yet whether its sender has a right code.
 */
const UPLOADS_AT_ONCE = 4;

/** The calls that the features have mounted; `register` turns them into routes, one for each address. */
export class App {
  readonly ctx: AppContext;
  readonly http: FastifyInstance;
  readonly metrics: Metrics;
  readonly #mounted = new Map<Call, RegisteredCall>();
  readonly #eventBus = new Map<string, SocketCall>();
  readonly #takeUploadTurn = keyedSemaphore(UPLOADS_AT_ONCE);

  constructor(ctx: AppContext, http: FastifyInstance, metrics: Metrics) {
    this.ctx = ctx;
    this.http = http;
    this.metrics = metrics;
  }

  add(mounted: RegisteredCall): void {
    if (this.#mounted.has(mounted.call)) throw new Error(`${mounted.call.name} is mounted twice`);
    this.#mounted.set(mounted.call, mounted);
  }

  /** Registers a route for each address of the contract, below a language and without one. */
  registerRoutes(): void {
    const addresses = Map.groupBy(calls, (call) => `${call.method} ${call.path}`);
    for (const group of addresses.values()) {
      const mounted = group.map((call) => {
        const found = this.#mounted.get(call);
        if (!found) throw new Error(`${call.name} is in the contract but not mounted`);
        return found;
      });
      this.#route(mounted);
    }
  }

  addSocketCall(eventBus: SocketCall): void {
    this.#eventBus.set(eventBus.call.name, eventBus);
  }

  /** A call that may come over a live connection, by its name. */
  findSocketCall(name: string): SocketCall | undefined {
    return this.#eventBus.get(name);
  }

  /**
   * Makes a call that came over a member's live connection. Answers what HTTP would, and refuses like it; the session must
   * live, as for every request (decisions, section 4).
   */
  async runSocketCall(
    { call, limit, prepare, handle }: SocketCall,
    me: CurrentMember,
    { raw, lang, socket }: { raw: Record<string, unknown>; lang: Language; socket: WebSocket },
  ): Promise<unknown> {
    const { ctx } = this;
    const reading = parseFields(call.input, raw);
    if (!reading.ok) {
      await ctx.confirmSession(me.session);
      throw new ApiError("invalid_input", { errors: reading.errors });
    }
    const asked = { me, lang, socket, input: reading.value };
    const preparing = prepare(asked);
    preparing.catch(() => undefined); // told below, to a session that lives
    await ctx.confirmSession(me.session);
    if (limit) await ctx.rateLimits.consume(limit, me.memberId);
    const prepared = await preparing;
    const result = await ctx.eventBus.withFlush(() => handle({ ...asked, prepared }));
    return presentResponse(call, result);
  }

  /** A browser that saves a file sends no header, so that a ticket in the address stands in for it there. */
  async #whoAsks(request: FastifyRequest, call: Call): Promise<CurrentMember> {
    const { ticket } = request.query as { ticket?: unknown };
    const isByAddress = call.file && request.headers.authorization === undefined;
    if (isByAddress && typeof ticket === "string") return this.ctx.redeemFileTicket(ticket);
    return this.ctx.authenticate(bearerOf(request));
  }

  #route(group: RegisteredCall[]): void {
    const { method, path, access } = group[0]!.call;
    if (group.some(({ call }) => call.access !== access))
      throw new Error(`${path}: one address, one kind of access`);
    const known = new Set(group.flatMap(({ call }) => Object.keys(call.input._zod.def.shape)));
    const files = new Set(group.flatMap(({ call }) => fileFields(call)));

    const onRequest = async (request: FastifyRequest) => {
      if (access !== "member") return;
      request.me = await this.#whoAsks(request, group[0]!.call);
      if (method === "GET") await this.ctx.rateLimits.consume("reads", request.me.memberId);
    };
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const raw = await readBody(request, files);
      const filled = new Set(Object.keys(raw).filter((name) => known.has(name)));
      const accepting = group.filter(({ call }) => call.when === null || call.when(filled));
      const meant = method === "PATCH" ? accepting : accepting.slice(0, 1);
      if (meant.length === 0) throw new ApiError("invalid_input");
      return respond(this.ctx, meant, request, reply, raw);
    };
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (files.size === 0 || !request.isMultipart()) return handle(request, reply);
      const sender = request.me ? `member ${request.me.memberId}` : networkOf(request.ip);
      return this.#takeUploadTurn(sender, () => handle(request, reply));
    };
    // Who asks for the head of a file would use up the ticket for it, and have it made for nobody.
    const exposeHeadRoute = group.every(({ call }) => call.file === null);
    for (const url of [path, `/:lang${path}`])
      this.http.route({ method, url, exposeHeadRoute, onRequest, handler });
  }
}

/** Makes all calls that are meant, once the fields of each are right; answers as the last one does. */
async function respond(
  { rateLimits, eventBus, config }: AppContext,
  meant: readonly RegisteredCall[],
  request: FastifyRequest,
  reply: FastifyReply,
  raw: Record<string, unknown>,
) {
  const { call, whenInvalid } = meant.at(-1)!;
  const lang = languageOf(request);
  const reading = parseAll(meant, raw);
  void reply.header("cache-control", "no-store");
  if ((!reading.ok && !whenInvalid) || meant.length > 1) {
    const found = reading.ok ? {} : reading.errors;
    const errors = { ...(await runExtraValidation(meant, request.me!, reading.right)), ...found };
    if (Object.keys(errors).length > 0) throw new ApiError("invalid_input", { errors });
  }

  for (const { limit } of meant) if (limit) await rateLimits.consume(limit, request.me!.memberId);
  const userAgent = request.headers["user-agent"] ?? "";
  const origin = config.publicUrl ?? `${request.protocol}://${request.host}`;
  const asked = {
    me: request.me!,
    lang,
    socket: null,
    ip: request.ip,
    userAgent,
    accessToken: tokenOf(request),
    origin,
  };
  const result = reading.ok
    ? await eventBus.withFlush(async () => {
        let last: unknown;
        for (const [at, { handle }] of meant.entries())
          last = await handle({ ...asked, input: reading.inputs[at] as ParsedOf<Call> });
        return last;
      })
    : whenInvalid!(reading.errors, lang);
  if (call.file) {
    const { type, name } = call.file;
    return reply.header("content-disposition", `attachment; filename="${name}"`).type(type).send(result);
  }
  if (call.response === null) return reply.code(204).send();
  const body = JSON.stringify(presentResponse(call, result));
  return reply.code(call.status).type("application/json; charset=utf-8").send(body);
}

/** What the contract does not name cannot leave the server. */
function presentResponse({ response: shape }: Call, result: unknown): unknown {
  return shape && z.core.parse(shape, result);
}

type AllRead = { right: Partial<ParsedOf<Call>>[] } & (
  | { ok: true; inputs: unknown[] }
  | { ok: false; errors: ValidationErrors }
);

/** What each of these calls was sent, or what is wrong with any of it and what is right for each. */
function parseAll(meant: readonly RegisteredCall[], raw: Record<string, unknown>): AllRead {
  const inputs: ParsedOf<Call>[] = [];
  const right: Partial<ParsedOf<Call>>[] = [];
  const errors: ValidationErrors = {};
  for (const { call } of meant) {
    const reading = parseFields(call.input, raw);
    if (reading.ok) inputs.push(reading.value);
    else Object.assign(errors, reading.errors);
    right.push(reading.ok ? reading.value : reading.valid);
    if (meant.length === 1) continue;
    for (const name of call.exclusiveFields)
      if (Object.hasOwn(raw, name)) errors[fieldName(name)] = ["not_with_others"];
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors, right } : { ok: true, inputs, right };
}

/** What the features find wrong beyond the shape, all of it before anything is changed. */
async function runExtraValidation(
  meant: readonly RegisteredCall[],
  me: CurrentMember,
  right: readonly Partial<ParsedOf<Call>>[],
): Promise<ValidationErrors> {
  const errors: ValidationErrors = {};
  for (const [at, { extraValidation }] of meant.entries())
    Object.assign(errors, validationErrorsOf((await extraValidation?.({ me, right: right[at]! })) ?? {}));
  return errors;
}

/** Answers a member's call. `me` is the member whose session lives; anybody else is refused before. */
export function route<C extends Call>(
  app: App,
  call: C,
  handle: CallHandler<C, { me: CurrentMember }>,
  { limit, extraValidation }: MemberOptions<C> = {},
): void {
  if (call.access !== "member") throw new Error(`${call.name} is for visitors: use mountPublic`);
  app.add({
    call,
    limit: limit ?? null,
    handle: handle as unknown as RegisteredCall["handle"],
    whenInvalid: null,
    extraValidation: extraValidation ?? null,
  });
}

/**
 * Answers a member's call over HTTP, and over its live connection too; the contract says which ones may come that way.
 * `prepare` looks up what `handle` needs, and changes nothing.
 */
export function routeWithSocket<C extends Call, Prepared>(
  app: App,
  call: C,
  {
    prepare,
    handle,
    limit,
  }: { prepare: Prepare<C, Prepared>; handle: SocketCallHandler<C, Prepared>; limit?: RateLimitName },
): void {
  if (!call.allowOverSocket) throw new Error(`${call.name} comes over HTTP alone`);
  const both = async (asked: CallRequest<C> & { me: CurrentMember }) =>
    handle({ ...asked, prepared: await prepare(asked) });
  route(app, call, both, limit === undefined ? {} : { limit });
  app.addSocketCall({ call, limit: limit ?? null, prepare, handle } as unknown as SocketCall);
}

/** Answers a member's call with a file. What is answered is read as fast as the member takes it, and destroyed if it leaves. */
export function routeFile<C extends Call>(
  app: App,
  call: C,
  handle: (asked: HttpCallRequest<C> & { me: CurrentMember }) => Promise<Readable>,
  { limit }: Pick<MemberOptions<C>, "limit"> = {},
): void {
  if (call.access !== "member" || !call.file) throw new Error(`${call.name} is no file of a member`);
  app.add({
    call,
    limit: limit ?? null,
    handle: handle as unknown as RegisteredCall["handle"],
    whenInvalid: null,
    extraValidation: null,
  });
}

/** Answers a visitor's call. */
export function routePublic<C extends Call>(
  app: App,
  call: C,
  handle: CallHandler<C, unknown>,
  { whenInvalid, extraValidation }: Options<C> = {},
): void {
  if (call.access !== "visitor") throw new Error(`${call.name} is for members: use mount`);
  app.add({
    call,
    limit: null,
    handle,
    whenInvalid: whenInvalid ?? null,
    extraValidation: extraValidation ?? null,
  });
}

/** The language in which a request is answered: that of its address, though there be nothing at that address. */
export function languageOf(request: FastifyRequest): Language {
  return languageOfSegment(/^\/([a-z-]+)(?=[/?]|$)/.exec(request.url)?.[1]);
}

function bearerOf(request: FastifyRequest): string {
  const token = tokenOf(request);
  if (token === null) throw new ApiError("login_required");
  return token;
}

function tokenOf(request: FastifyRequest): string | null {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return token ?? null;
}

function fileFields(call: Call): string[] {
  return Object.entries(call.input._zod.def.shape)
    .filter(([, type]) => isFile(type))
    .map(([name]) => name);
}

function isFile(type: z.core.$ZodType): boolean {
  const def = type._zod.def as { type: string; innerType?: z.core.$ZodType };
  return def.type === "file" || (def.innerType !== undefined && isFile(def.innerType));
}
