export interface Party {
  readonly userId: string;
  readonly token: string;
}

export type Pair = readonly [Party, Party];

/** A chat under test. */
export interface Chat {
  /** `hear` gets the text of each message to this party. */
  open(party: Party, hear: (text: string) => void): Promise<void>;
  /** Resolves when the chat has acknowledged the message. */
  send(from: Party, to: Party, text: string): Promise<void>;
}

export type ChatName = "alcove" | "posted" | "least" | "socketio" | "echo";

/** Orders to a client process, each with one `CrowdAnswer`. */
export type ClientOrder =
  | { readonly open: readonly Pair[] }
  | { readonly inFlight: number; readonly seconds: number }
  | { readonly perSecond: number; readonly seconds: number };

/** The delivery time of each message, and the seconds until the last delivery. */
export interface ClientReply {
  readonly arrivalsMs: readonly number[];
  readonly seconds: number;
}
