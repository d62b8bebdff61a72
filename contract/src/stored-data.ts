import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ } from "./costs.ts";
import {
  STORED_KINDS,
  legalGrounds,
  type StoredKind,
  type Period,
  periodUnits,
  RETENTION,
} from "./retention.ts";

export const getStoredData = call({
  name: "getStoredData",
  summary:
    "Returns which kinds of data the service keeps, for how long and why, from the table of the privacy policy. `lasts` is `account` for what stays while the account exists, except for the `periods`.",
  method: "GET",
  path: "/users/api/kept",
  access: "member",
  forCase: true,
  costs: READ,
  input: z.object({}),
  response: z.object({
    kinds: z.array(
      z.object({
        kind: z.enum(Object.keys(STORED_KINDS) as StoredKind[]),
        lasts: z.enum(["account", "period"]),
        reasons: z.array(z.enum(legalGrounds)),
        periods: z.array(
          z.object({
            name: z.enum(Object.keys(RETENTION) as Period[]),
            amount: z.int(),
            unit: z.enum(periodUnits),
          }),
        ),
      }),
    ),
  }),
});
