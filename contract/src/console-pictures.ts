import * as z from "zod/mini";
import { call } from "./call.ts";
import { caseRules } from "./cases.ts";
import { FREE } from "./costs.ts";
import { choice, text } from "./fields.ts";
import { CONSOLE_REASON_MAX } from "./limits.ts";

const Id = z.uuid({ error: "invalid" });

export const pictureRisks = ["near_banned", "reports", "new", "usual"] as const;

const NewPicture = z.object({
  id: z.string(),
  on: z.string(),
  risk: z.enum(pictureRisks),
  waits: z.boolean(),
});
export type NewPicture = z.infer<typeof NewPicture>;

export const getNewPictures = call({
  name: "getNewPictures",
  summary: "Lists new profile pictures without the pictures and their members, riskiest first.",
  method: "GET",
  path: "/api/pictures",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ pictures: z.array(NewPicture) }),
});

export const openPicture = call({
  name: "openPicture",
  summary: "Returns a new picture as others see it, as base64 of a JPEG. Logged first.",
  method: "POST",
  path: "/api/pictures/open",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: z.object({ user_id: z.string(), jpeg: z.string() }),
  errors: ["invalid_input", "not_found", "media_unavailable"],
});

export const approvePicture = call({
  name: "approvePicture",
  summary: "Takes a picture off the list. Others see it from now on, if it waited.",
  method: "POST",
  path: "/api/pictures/approve",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: null,
  errors: ["invalid_input", "not_found"],
});

export const removeNewPicture = call({
  name: "removeNewPicture",
  summary: "Removes a picture from the profile, with a rule and a reason.",
  method: "POST",
  path: "/api/pictures/remove",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id, rule: choice(caseRules), reason: text(CONSOLE_REASON_MAX) }),
  response: null,
  errors: ["invalid_input", "not_found"],
});
