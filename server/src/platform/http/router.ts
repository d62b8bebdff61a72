import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import type { Call } from "@alcove/contract";
import type { AppContext, CurrentMember } from "../context.ts";
import { ApiError } from "../errors.ts";
import { keyedSemaphore } from "../lib/semaphore.ts";
import { networkOf } from "../security/client-network.ts";
import { isMultipart, readBody } from "./parse-body.ts";
import {
  registeredCall,
  type CallHandler,
  type FileHandler,
  type MemberOptions,
  type Port,
  type PublicOptions,
  type RegisteredCall,
} from "./registered-call.ts";
import { runCalls } from "./run-calls.ts";

declare module "fastify" {
  interface FastifyRequest {
    me?: CurrentMember;
    caller?: object;
  }
}

/** Further uploads wait unread: each may have ten megabytes. */
const CONCURRENT_UPLOADS = 4;

/** The calls of one port: of members, or of the operators' console. */
export class App {
  readonly ctx: AppContext;
  readonly http: FastifyInstance;
  readonly #port: Port;
  readonly #calls = new Map<Call, RegisteredCall>();
  readonly #uploadQueue = keyedSemaphore(CONCURRENT_UPLOADS);

  constructor(ctx: AppContext, http: FastifyInstance, port: Port) {
    this.ctx = ctx;
    this.http = http;
    this.#port = port;
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
    const fields = new Set(group.flatMap(({ call }) => Object.keys(call.input._zod.def.shape)));
    const files = new Set(group.flatMap(({ call }) => fileFieldsOf(call)));
    const groupCalls = group.map(({ call }) => call);

    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      request.caller = await this.#port.authorize(request, reply, groupCalls);
    };
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const raw = await readBody(request, files);
      const filled = new Set(Object.keys(raw).filter((name) => fields.has(name)));
      const matching = group.filter(({ call }) => call.when === null || call.when(filled));
      const selected = method === "PATCH" ? matching : matching.slice(0, 1);
      if (selected.length === 0) throw new ApiError("invalid_input");
      return runCalls(this.ctx, selected, request, reply, { raw, origin: this.#port.originOf(request) });
    };
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (files.size === 0 || !isMultipart(request)) return handle(request, reply);
      const sender = request.me ? `member ${request.me.memberId}` : networkOf(request.ip);
      return this.#uploadQueue(sender, () => handle(request, reply));
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

export function routeFile<C extends Call>(
  app: App,
  call: C,
  handle: FileHandler<C>,
  options: Pick<MemberOptions<C>, "limit"> = {},
): void {
  if (call.access !== "member" || !call.file) throw new Error(`${call.name} returns no file of a member`);
  app.add(registeredCall(call, handle, options));
}

export function routePublic<C extends Call>(
  app: App,
  call: C,
  handle: CallHandler<C, unknown>,
  options: PublicOptions<C> = {},
): void {
  if (call.access !== "visitor") throw new Error(`${call.name} is for members: use route`);
  app.add(registeredCall(call, handle, options));
}

function fileFieldsOf(call: Call): string[] {
  return Object.entries(call.input._zod.def.shape)
    .filter(([, type]) => isFile(type))
    .map(([name]) => name);
}

function isFile(type: z.core.$ZodType): boolean {
  const def = type._zod.def as { type: string; innerType?: z.core.$ZodType };
  return def.type === "file" || (def.innerType !== undefined && isFile(def.innerType));
}
