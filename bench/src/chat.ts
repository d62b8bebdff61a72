/** A member of a chat that is measured: `token` is what opens its socket and signs what it sends. */
export interface Party {
  readonly userId: string;
  readonly token: string;
}

/** Two who write to each other. */
export type Couple = readonly [Party, Party];

/** A chat as the crowd of `crowd.ts` uses it. */
export interface Chat {
  /** Opens a party's socket; `hear` gets the text of each message that arrives for that party. */
  open(party: Party, hear: (text: string) => void): Promise<void>;
  /** Sends a text and answers once the chat says that it has it. */
  send(from: Party, to: Party, text: string): Promise<void>;
}

/** The chats that are measured side by side. */
export type ChatName = "alcove" | "posted" | "least" | "socketio" | "echo";

/** What is asked of a crowd; it answers each order once, with what stands in `CrowdAnswer`. */
export type CrowdOrder =
  | { readonly open: readonly Couple[] }
  | { readonly inFlight: number; readonly seconds: number }
  | { readonly perSecond: number; readonly seconds: number };

/** How long each message took from being sent to its arrival, and the seconds until the last was there. */
export interface CrowdAnswer {
  readonly arrivalsMs: readonly number[];
  readonly seconds: number;
}
