import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE } from "./costs.ts";
import { text } from "./fields.ts";
import { CONSOLE_REASON_MAX } from "./limits.ts";

const Decision = z.object({ id: z.uuid({ error: "invalid" }), reason: text(CONSOLE_REASON_MAX) });

const OperatorRequest = z.object({
  id: z.string(),
  action: z.string(),
  details: z.nullable(z.string()),
  user_id: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  operator: z.nullable(z.string()),
  on: z.string(),
  until: z.string(),
  is_own: z.boolean(),
  is_approved: z.boolean(),
});
export type OperatorRequest = z.infer<typeof OperatorRequest>;

export const getRequests = call({
  name: "getRequests",
  summary: "Lists what other operators want to do and what needs a second one. Logged first.",
  method: "GET",
  path: "/api/requests",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ requests: z.array(OperatorRequest) }),
});

export const approveRequest = call({
  name: "approveRequest",
  summary:
    "Agrees to another operator's request. A deletion and a new address happen at once; the command line runs other actions again.",
  method: "POST",
  path: "/api/requests/approve",
  access: "operator",
  costs: FREE,
  input: Decision,
  response: null,
  errors: ["invalid_input", "not_found"],
});

export const rejectRequest = call({
  name: "rejectRequest",
  summary: "Rejects a request, or takes an own one back.",
  method: "POST",
  path: "/api/requests/reject",
  access: "operator",
  costs: FREE,
  input: Decision,
  response: null,
  errors: ["invalid_input", "not_found"],
});
