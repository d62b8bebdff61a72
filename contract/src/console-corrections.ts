import * as z from "zod/mini";
import { call } from "./call.ts";
import { correctedFields } from "./corrections.ts";
import { FREE } from "./costs.ts";
import { choice } from "./fields.ts";

const Id = z.uuid({ error: "invalid" });
const Field = z.enum(correctedFields);

export const getCorrections = call({
  name: "getCorrections",
  summary:
    "Lists up to 100 requests to correct sex or date of birth, the oldest first, without members. Logged first.",
  method: "GET",
  path: "/api/corrections",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ corrections: z.array(z.object({ id: z.string(), on: z.string(), field: Field })) }),
});

const OpenCorrection = z.object({
  id: z.string(),
  on: z.string(),
  user_id: z.string(),
  field: Field,
  now: z.string(),
  wanted: z.string(),
  reason: z.string(),
});

export const openCorrection = call({
  name: "openCorrection",
  summary: "Returns a request with its reason. Logged first.",
  method: "POST",
  path: "/api/correction/open",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: z.object({ correction: OpenCorrection }),
  errors: ["invalid_input", "case_taken"],
});

export const correctionOutcomes = ["done", "rejected"] as const;

export const decideCorrection = call({
  name: "decideCorrection",
  summary: "Decides a request. `done` changes the profile and the search at once. Logged first.",
  method: "POST",
  path: "/api/correction/decide",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id, outcome: choice(correctionOutcomes) }),
  response: null,
  errors: ["invalid_input", "case_taken"],
});
