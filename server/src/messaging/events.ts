import type { WebSocket } from "ws";
import type { Person } from "../profiles/index.ts";
import type { Message } from "./message.ts";
import type { Quotes } from "./quotes.ts";

/** The key of data for this process only: JSON omits symbols. */
export const LOCAL = Symbol("local");

export interface MessageSent {
  readonly low: number;
  readonly high: number;
  readonly id: string;
  /** The pair's message before; null for a first or repeated message. */
  readonly previousId: string | null;
  [LOCAL]?: {
    readonly message: Message;
    readonly people: Map<number, Person>;
    readonly quotes: Quotes;
    readonly replySocket: WebSocket | null;
  };
}

export type MessageImages = { ownerMemberId: number; mediaId: string }[];
