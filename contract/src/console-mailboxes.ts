import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE } from "./costs.ts";
import { choice, text } from "./fields.ts";
import { CONSOLE_REASON_MAX } from "./limits.ts";

const Id = z.uuid({ error: "invalid" });

const Waiting = z.object({
  id: z.string(),
  asked_on: z.string(),
  /** The first day on which the address can be set. */
  due_on: z.string(),
  told: z.number(),
  is_due: z.boolean(),
});

export const getMailboxRequests = call({
  name: "getMailboxRequests",
  summary: "Lists open requests for a new address, oldest first, without members and proofs. Logged first.",
  method: "GET",
  path: "/api/mailboxes",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ requests: z.array(Waiting) }),
});

const MailboxRequest = z.object({
  ...Waiting.shape,
  user_id: z.string(),
  email: z.string(),
  order: z.nullable(z.string()),
  text: z.string(),
});
export type MailboxRequest = z.infer<typeof MailboxRequest>;

export const openMailboxRequest = call({
  name: "openMailboxRequest",
  summary: "Returns a request with its proofs. Logged first.",
  method: "POST",
  path: "/api/mailbox/open",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: z.object({ request: MailboxRequest }),
  errors: ["invalid_input", "not_found"],
});

export const decideMailboxRequest = call({
  name: "decideMailboxRequest",
  summary:
    "Rejects a request, or sets its address once it is due. What passed between the member and others is destroyed then. Needs a second operator if there is one; `waiting` until they agree.",
  method: "POST",
  path: "/api/mailbox/decide",
  access: "operator",
  costs: FREE,
  input: z.object({
    id: Id,
    outcome: choice(["set", "reject"]),
    reason: text(CONSOLE_REASON_MAX),
  }),
  response: z.object({ outcome: z.enum(["set", "rejected", "waiting"]) }),
  errors: ["invalid_input", "not_found", "conflict"],
});
