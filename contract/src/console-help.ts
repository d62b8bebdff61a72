import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE } from "./costs.ts";
import { text } from "./fields.ts";
import { HelpMessage } from "./help.ts";
import { CONTACT_MAX } from "./limits.ts";

const Id = z.uuid({ error: "invalid" });

const OpenHelp = z.object({
  id: z.string(),
  since: z.string(),
  questions: z.number(),
});
export type OpenHelp = z.infer<typeof OpenHelp>;

export const getHelpQueue = call({
  name: "getHelpQueue",
  summary: "Lists members' threads that wait for an answer, oldest first, without members and texts.",
  method: "GET",
  path: "/api/help",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ threads: z.array(OpenHelp) }),
});

export const openHelp = call({
  name: "openHelp",
  summary: "Returns a thread by one of its messages. `id` becomes the newest one. Logged first.",
  method: "POST",
  path: "/api/help/open",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: z.object({ id: z.string(), user_id: z.string(), messages: z.array(HelpMessage) }),
  errors: ["invalid_input", "not_found"],
});

export const answerHelp = call({
  name: "answerHelp",
  summary:
    "Answers a thread, whose newest message is `id`. The member gets a neutral notification. Logged first.",
  method: "POST",
  path: "/api/help/answer",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id, text: text(CONTACT_MAX) }),
  response: null,
  errors: ["invalid_input", "not_found", "conflict"],
});

export const closeHelp = call({
  name: "closeHelp",
  summary: "Takes a thread, whose newest message is `id`, off the list without an answer. Logged first.",
  method: "POST",
  path: "/api/help/close",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: null,
  errors: ["invalid_input", "not_found", "conflict"],
});
