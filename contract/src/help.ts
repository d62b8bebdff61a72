import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { text } from "./fields.ts";
import { CONTACT_MAX } from "./limits.ts";

export const HelpMessage = z.object({
  id: z.string(),
  from: z.enum(["me", "operator"]),
  text: z.string(),
  created_at: z.string(),
});
export type HelpMessage = z.infer<typeof HelpMessage>;

export const getHelp = call({
  name: "getHelp",
  method: "GET",
  path: "/users/api/help",
  access: "member",
  summary: "Returns the member's latest 200 questions and the operators' answers, oldest first.",
  costs: READ,
  input: z.object({}),
  response: z.object({ messages: z.array(HelpMessage) }),
});

export const askHelp = call({
  name: "askHelp",
  method: "POST",
  path: "/users/api/help",
  access: "member",
  summary: "Sends a question to the operators, who answer in the same place.",
  costs: write("help", { max: 20, per: "day" }),
  input: z.object({ text: text(CONTACT_MAX) }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});
