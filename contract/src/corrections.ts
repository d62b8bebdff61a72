import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { BirthDate, choice, fillable, hasBoth, text } from "./fields.ts";
import { CORRECTION_REASON_MAX } from "./limits.ts";
import { correctionStates, sexes } from "./users.ts";

export const correctedFields = ["sex", "date_of_birth"] as const;
export type CorrectedField = (typeof correctedFields)[number];

const Correction = z.object({
  field: z.enum(correctedFields),
  state: z.enum(correctionStates),
  changed_on: z.string(),
});
export type Correction = z.infer<typeof Correction>;

export const getCorrections = call({
  name: "getCorrections",
  summary: "Returns the caller's requests to correct sex or date of birth, one for each field.",
  method: "GET",
  path: "/users/api/correction",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ corrections: z.array(Correction) }),
});

export const requestCorrection = call({
  name: "requestCorrection",
  summary:
    "Asks to correct sex or date of birth, with a reason. An operator decides; each field can be corrected once. Returns `correction_waiting` while a request waits, and `already_corrected` after a correction of the field.",
  method: "POST",
  path: "/users/api/correction",
  access: "member",
  showsEverywhere: true,
  costs: write("corrections", { max: 20, per: "day" }),
  input: z
    .object({
      sex: fillable(choice(sexes)),
      date_of_birth: fillable(BirthDate),
      reason: text(CORRECTION_REASON_MAX),
    })
    .check(
      z.refine(({ sex, date_of_birth }) => sex != null || date_of_birth != null, {
        path: ["sex"],
        error: "required",
        when: hasBoth("sex", "date_of_birth"),
      }),
      z.refine(({ sex, date_of_birth }) => sex == null || date_of_birth == null, {
        path: ["date_of_birth"],
        error: "not_with_others",
        when: hasBoth("sex", "date_of_birth"),
      }),
    ),
  response: null,
  errors: ["invalid_input", "correction_waiting", "already_corrected", "too_many_requests"],
});
