import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ } from "./costs.ts";

/** After the end of a case without a decision against the member. */
export const LOOKS_AFTER_DAYS = 90;

export const lookKinds = [
  "account",
  "network",
  "content",
  "picture",
  "payments",
  "help",
  "log",
  "change",
] as const;
export type LookKind = (typeof lookKinds)[number];

/** A rule of the terms for looks of a case, the member's question, or `other`. */
export const lookReasons = [
  "harassment",
  "spam",
  "fraud",
  "underage",
  "picture",
  "threat",
  "help",
  "other",
] as const;
export type LookReason = (typeof lookReasons)[number];

const Look = z.object({
  /** `YYYY-MM-DD` in UTC; `YYYY-MM` for a look of a case that led to nothing. */
  day: z.string(),
  kind: z.enum(lookKinds),
  reason: z.enum(lookReasons),
});
export type Look = z.infer<typeof Look>;

export const getLooks = call({
  name: "getLooks",
  method: "GET",
  path: "/users/api/looks",
  access: "member",
  summary:
    "Returns the operators' looks at the caller's account in the last year, newest first. Looks of a case appear with a decision against the caller, or, where it led to nothing, 90 days after its end by their month.",
  costs: READ,
  input: z.object({}),
  response: z.object({ looks: z.array(Look) }),
});
