export interface Party {
  readonly userId: string;
  readonly token: string;
}

export type Pair = readonly [Party, Party];

export interface Chat {
  open(party: Party, onMessage: (text: string) => void): Promise<void>;
  send(from: Party, to: Party, text: string): Promise<void>;
}

export type ChatName = "alcove" | "socketio";

/** Orders to a client process, each with one `ClientReply`. */
export type ClientOrder =
  | { readonly open: readonly Pair[] }
  | { readonly inFlight: number; readonly seconds: number }
  | { readonly perSecond: number; readonly seconds: number };

/** The delivery time of each message, and the seconds until the last delivery. */
export interface ClientReply {
  readonly deliveriesMs: readonly number[];
  readonly seconds: number;
}
