import type { Call } from "@alcove/contract/call";
import {
  showTyping,
  type Dm,
  type Reaction,
  type ReactionName,
  type TakenBack,
} from "@alcove/contract/messaging";
import type { api } from "../../../lib/api/api.ts";
import { ApiError } from "../../../lib/api/errors.ts";
import { Conversation } from "./conversation.ts";
import type { StoredMessage } from "./outbox.ts";
import { createTransport } from "./transport.ts";

export const me = { user_id: "hanako", username: "Hanako", icon: "/media/h" };
export const friend = { user_id: "taro", username: "Taro", icon: "/media/t" };
const PAGE = 3;

/** A conversation and its server, whose responses the test can delay or replace by errors. */
export class FakeChat {
  readonly dms: Dm[] = [];
  readonly failures: unknown[] = [];
  /** Texts that came back to be changed. */
  readonly returned: string[] = [];
  readonly announced: string[] = [];
  reconnects = 0;
  isConnectionOpen = true;
  readonly revoked: string[] = [];
  readonly read: string[] = [];
  /** The member's choices, in the order of the calls. */
  readonly reacted: (ReactionName | null)[] = [];
  /** How often the friend was notified of typing. */
  typed = 0;
  now = new Date("2026-11-21T10:00:00Z");
  /** Waiting timers, in milliseconds. */
  readonly timers = new Map<() => void, number>();
  friendReadId: string | null = null;
  readonly #changes: { id: string; isUnsent: boolean }[] = [];
  takenBack: TakenBack[] = [];
  /** Thrown instead of the next responses. */
  readonly errors: unknown[] = [];
  readonly lateResponses: Promise<unknown>[] = [];
  /** While set, responses wait for it. */
  gate: Promise<void> | null = null;
  #clientIds = 0;
  stored: readonly StoredMessage[];
  readonly conversation: Conversation;

  /** `stored` are the messages of before a reload. */
  constructor(stored: readonly StoredMessage[] = []) {
    this.stored = stored;
    const call = (async (each: Call, input: never) => this.#respond(each, input)) as unknown as typeof api;
    this.conversation = new Conversation("taro", {
      api: call,
      showTyping: () => call(showTyping, { friendId: "taro" }),
      transport: createTransport({
        call,
        announce: (id) => this.announced.push(id),
        isLocked: () => false,
      }),
      now: () => this.now,
      setTimer: (act, ms) => {
        this.timers.set(act, ms);
        return () => this.timers.delete(act);
      },
      newId: () => `client-${++this.#clientIds}`,
      createPreview: (file) => ({ url: `blob:${file.name}`, revoke: () => this.revoked.push(file.name) }),
      loadOutbox: () => this.stored,
      storeOutbox: (_, messages) => void (this.stored = messages),
      reconnect: () => this.reconnects++,
      isConnectionOpen: () => this.isConnectionOpen,
      returnText: (_, text) => this.returned.push(text),
      showError: (error) => this.failures.push(error),
    });
  }

  store(text: string, from = friend, clientId?: string): Dm {
    const id = `0000-${String(this.dms.length + this.unsent.length).padStart(4, "0")}`;
    const dm: Dm = {
      id,
      sender: from,
      receiver: from === friend ? me : friend,
      description: text,
      file: null,
      voice: null,
      voice_seconds: null,
      created_at: "2026-11-21T10:00:00.000Z",
      reactions: [],
      ...(clientId ? { clientId } : {}),
    };
    this.dms.push(dm);
    return dm;
  }

  /** Without an event. */
  react(id: string, reactions: Reaction[]): void {
    this.dms.splice(
      this.dms.findIndex((dm) => dm.id === id),
      1,
      { ...this.dms.find((dm) => dm.id === id)!, reactions },
    );
    this.#changes.push({ id, isUnsent: false });
  }

  unsend(id: string): void {
    this.dms.splice(
      this.dms.findIndex((dm) => dm.id === id),
      1,
    );
    this.#changes.push({ id, isUnsent: true });
  }

  get unsent(): string[] {
    return this.#changes.filter(({ isUnsent }) => isUnsent).map(({ id }) => id);
  }

  get shown(): string[] {
    return this.conversation.getState().items.map(({ text, delivery }) => `${text} ${delivery}`);
  }

  /** Runs the timers that end within this time. */
  advance(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
    for (const [act, leftMs] of this.timers) {
      this.timers.set(act, leftMs - ms);
      if (leftMs > ms) continue;
      this.timers.delete(act);
      act();
    }
  }

  async #respond(call: Call, input: Record<string, string>): Promise<unknown> {
    const late = this.lateResponses.shift();
    if (late) return late;
    await this.gate;
    if (this.errors.length > 0) throw this.errors.shift();
    if (call.name === "showTyping") return this.typed++;
    if (call.name === "readDm") return this.read.push(input["dmId"]!);
    if (call.name === "unsendDm") return this.unsend(input["dmId"]!);
    if (call.name === "reactToDm") {
      const { dmId, reaction } = input as { dmId: string; reaction: ReactionName | null };
      this.reacted.push(reaction);
      return this.react(dmId, reaction === null ? [] : [{ reaction, mine: true }]);
    }
    if (call.name === "sendDm") {
      const known = this.dms.find((dm) => dm.clientId === input["clientId"]);
      return { dm: known ?? this.store(input["description"] ?? "", me, input["clientId"]) };
    }
    if (call.name !== "getDms") throw new Error(`unexpected call ${call.name}`);
    return this.#page(input);
  }

  #page({ lastId, afterId, unsentAfter }: Record<string, string | number>): unknown {
    const since = unsentAfter == null ? this.#changes.length : Number(unsentAfter);
    const changes = this.#changes.slice(since, since + PAGE);
    const ids = new Set(changes.filter(({ isUnsent }) => !isUnsent).map(({ id }) => id));
    const state = {
      read_id: this.friendReadId,
      unsent: changes.filter(({ isUnsent }) => isUnsent).map(({ id }) => id),
      reacted: this.dms.filter(({ id }) => ids.has(id)).map(({ id, reactions }) => ({ id, reactions })),
      unsent_no: since + changes.length,
      taken_back: this.takenBack,
    };
    if (afterId) {
      const newer = this.dms.filter(({ id }) => id > String(afterId));
      const hasMore = newer.length > PAGE || this.#changes.length > state.unsent_no;
      return { ...state, dms: newer.slice(0, PAGE), has_more: hasMore };
    }
    const older = this.dms.filter(({ id }) => !lastId || id < String(lastId));
    return { ...state, dms: older.slice(-PAGE), has_more: older.length > PAGE };
  }
}

export const apiError = (code: string, status = 400) => new ApiError(status, { code });

export function newGate(): { gate: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: promise, open: resolve };
}
