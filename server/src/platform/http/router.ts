import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import type { Call } from "@alcove/contract";
import { VoiceFile } from "@alcove/contract/fields";
import { foldTyped } from "@alcove/contract/text-rules";
import type { AppContext, CurrentMember } from "../context.ts";
import { ApiError } from "../errors.ts";
import { networkOf } from "../security/client-network.ts";
import { isMultipart, readBody } from "./parse-body.ts";
import {
  registeredCall,
  type CallHandler,
  type FileHandler,
  type MemberOptions,
  type Port,
  type Proven,
  type PublicOptions,
  type RegisteredCall,
} from "./registered-call.ts";
import { proveCaller, runCalls, sendResponse } from "./run-calls.ts";
import { tokenOf } from "./request.ts";
import type { Sender } from "./turns.ts";
import { UnfinishedBodies } from "./unfinished-bodies.ts";
import { type FormMemory, UploadMemory } from "./upload-memory.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the token, before its session is checked. */
    memberId: number | null;
    me?: CurrentMember;
    caller?: object;
  }
}

export class App {
  readonly ctx: AppContext;
  readonly http: FastifyInstance;
  readonly #port: Port;
  readonly #calls = new Map<Call, RegisteredCall>();
  readonly #uploads = new UploadMemory();
  readonly #unfinishedBodies = new UnfinishedBodies();

  constructor(ctx: AppContext, http: FastifyInstance, port: Port) {
    this.ctx = ctx;
    this.http = http;
    this.#port = port;
    http.addHook("onRequest", async (request) => this.#unfinishedBodies.add(request));
  }

  add(registered: RegisteredCall): void {
    if (this.#calls.has(registered.call)) throw new Error(`${registered.call.name} is routed twice`);
    this.#calls.set(registered.call, registered);
  }

  registerRoutes(): void {
    for (const group of Map.groupBy(this.#port.calls, ({ method, path }) => `${method} ${path}`).values()) {
      const registered = group.map((call) => {
        const found = this.#calls.get(call);
        if (!found) throw new Error(`${call.name} is in the contract but has no route`);
        return found;
      });
      this.#registerUrl(registered);
    }
  }

  #registerUrl(group: RegisteredCall[]): void {
    const { method, path, access } = group[0]!.call;
    if (group.some(({ call }) => call.access !== access))
      throw new Error(`${path}: calls of one URL have one kind of access`);
    if (group.some(({ call }) => call.costs.turn !== group[0]!.call.costs.turn))
      throw new Error(`${path}: calls of one URL take one kind of turn`);
    const fields = new Set(group.flatMap(({ call }) => Object.keys(call.input._zod.def.shape)));
    const fieldsOf = (wanted: string | z.core.$ZodType) =>
      new Set(group.flatMap(({ call }) => fieldsOfType(call, wanted)));
    const fileFields = fieldsOf("file");
    const cutFields = fieldsOf(VoiceFile);
    const taken = { fields, objectFields: fieldsOf("record") };
    const groupCalls = group.map(({ call }) => call);

    const onRequest = async (request: FastifyRequest) => {
      request.memberId = this.#port.identify(request, groupCalls);
    };
    const prover = group.find(({ prove }) => prove !== null) ?? null;
    const handle = async (request: FastifyRequest, reply: FastifyReply, memory: FormMemory | null) => {
      const origin = this.#port.originOf(request);
      const authorize = async () => {
        request.caller = await this.#port.authorize(request, reply, groupCalls);
      };
      let proof: unknown = null;
      const { repeats } = this.#port;
      const key = repeats?.keyOf(request) ?? null;
      const admitTo = (form: FormMemory) => async (before: Record<string, unknown>) => {
        const sender = senderOf(request, groupCalls[0]!, before);
        await this.ctx.turns.run(sender, async () => {
          await authorize();
          if (prover && !(key && (await repeats!.isKnown(key, request, before))))
            proof = await proveCaller(prover, before, request, reply, origin);
        });
        const isKnown = request.me !== undefined || proof !== null;
        await form.begin(placesOf(sender, isKnown));
        this.#unfinishedBodies.delete(request.raw);
        return isKnown;
      };
      const files = memory && { fileFields, cutFields, memory, admit: admitTo(memory) };
      const raw = await readBody(request, taken, files);
      const filled = new Set(Object.keys(raw).filter((name) => fields.has(name)));
      const matching = group.filter(({ call }) => call.when === null || call.when(filled));
      const selected = method === "PATCH" ? matching : matching.slice(0, 1);
      const run = async () => {
        if (selected.length === 0) throw new ApiError("invalid_input");
        return runCalls(this.ctx, selected, request, reply, { raw, origin, proof });
      };
      const attempt = key && (await repeats!.attempt(key, request, raw));
      return this.ctx.turns.run(senderOf(request, groupCalls[0]!, raw), async () => {
        if (attempt) return sendResponse(reply, await repeats!.run(attempt, reply, authorize, run));
        await authorize();
        return sendResponse(reply, await run());
      });
    };
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (fileFields.size === 0 || !isMultipart(request)) return handle(request, reply, null);
      return this.#uploads.run((memory) => handle(request, reply, memory));
    };
    // A HEAD request of a file would spend its ticket.
    const exposeHeadRoute = group.every(({ call }) => call.file === null);
    for (const url of [path, `/:lang${path}`])
      this.http.route({ method, url, exposeHeadRoute, onRequest, handler });
  }
}

export function route<C extends Call>(
  app: App,
  call: C,
  handle: CallHandler<C, { me: CurrentMember }>,
  options: MemberOptions<C> = {},
): void {
  if (call.access !== "member") throw new Error(`${call.name} is for visitors: use routePublic`);
  app.add(registeredCall(call, handle, options));
}

export function routeFile<C extends Call>(app: App, call: C, handle: FileHandler<C>): void {
  if (call.access !== "member" || !call.file) throw new Error(`${call.name} returns no file of a member`);
  app.add(registeredCall(call, handle));
}

export function routePublic<C extends Call, Proof = never>(
  app: App,
  call: C,
  handle: CallHandler<C, Proven<Proof>>,
  options: PublicOptions<C, Proof> = {},
): void {
  if (call.access !== "visitor") throw new Error(`${call.name} is for members: use route`);
  app.add(registeredCall(call, handle, options));
}

function senderOf(
  request: FastifyRequest,
  { costs: { turn } }: Call,
  { email }: Record<string, unknown>,
): Sender {
  const { memberId, ip } = request;
  if (turn === "member" && memberId !== null)
    return { subject: `member ${memberId}`, ip, token: tokenOf(request) };
  const isOfAddress = turn === "address" && typeof email === "string";
  return { subject: isOfAddress ? `address ${foldTyped(email).toLowerCase()}` : null, ip };
}

/** Unknown senders may name any address, so they share the places of their network. */
function placesOf({ subject, ip }: Sender, isKnown: boolean): string {
  const network = networkOf(ip);
  return isKnown ? (subject ?? `known in ${network}`) : network;
}

function fieldsOfType(call: Call, wanted: string | z.core.$ZodType): string[] {
  return Object.entries(call.input._zod.def.shape)
    .filter(([, type]) => isOfType(type, wanted))
    .map(([name]) => name);
}

function isOfType(type: z.core.$ZodType, wanted: string | z.core.$ZodType): boolean {
  const def = type._zod.def as { type: string; innerType?: z.core.$ZodType };
  return (
    type === wanted || def.type === wanted || (def.innerType !== undefined && isOfType(def.innerType, wanted))
  );
}
