import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { ImageFile } from "./fields.ts";

/** `expired`: no operator decided within 7 days. `unreadable` and `different`: the operator's decision about the last picture. */
export const ageCheckStates = [
  "missing",
  "waiting",
  "approved",
  "unreadable",
  "different",
  "expired",
] as const;
export type AgeCheckState = (typeof ageCheckStates)[number];

export const getAgeCheck = call({
  name: "getAgeCheck",
  summary: "Returns the state of the caller's age check.",
  method: "GET",
  path: "/users/api/age-check",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ state: z.enum(ageCheckStates) }),
  errors: ["not_found"],
});

export const sendAgeCheck = call({
  name: "sendAgeCheck",
  summary:
    "Sends a picture of a document for the age check, in place of one that waits. An operator looks at it; it is destroyed at the decision, after 7 days at the latest. `not_found` with `AGE_CHECK=off`.",
  method: "POST",
  path: "/users/api/age-check",
  access: "member",
  costs: write("age_checks", { max: 10, per: "day" }),
  input: z.object({ file: ImageFile }),
  response: null,
  errors: ["invalid_input", "not_found", "not_an_image", "too_large", "media_unavailable"],
});
