/** Requests of one turn run a few at a time (docs/product-rules.md, Rate limits). */
export type Turn = "member" | "address" | "none";

/** Per member. Calls with the same name share the count. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly per: "minute" | "hour" | "day";
  /** The server counts so many requests at once. */
  readonly batch?: number;
}

/** The response may reveal it about members whom the account never met. A limit of its own counts it. */
export type Learned = "nothing" | "user_id" | "profile" | "faces";

export interface Costs {
  readonly turn: Turn;
  readonly limit: Limit | null;
  readonly learns: Learned;
}

/** Calls of visitors without an email address, and of the console. */
export const FREE: Costs = { turn: "none", limit: null, learns: "nothing" };

/** Calls of visitors about an email address that asks for a code. */
export const OF_ADDRESS: Costs = { ...FREE, turn: "address" };

export const READ: Costs = {
  turn: "member",
  limit: { name: "reads", max: 600, per: "minute", batch: 20 },
  learns: "nothing",
};

export function write(
  name: string,
  { max = 60, per = "minute", ...batch }: Partial<Omit<Limit, "name">> = {},
): Costs {
  return { turn: "member", limit: { name, max, per, ...batch }, learns: "nothing" };
}
