import { expect, test } from "vitest";
import { endOf } from "@alcove/contract/calendar";
import { termOf } from "./term.ts";

const deviceZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

test.each([
  ["Asia/Tokyo", "Asia/Tokyo"],
  // No browser knows it yet.
  ["America/Coyhaique_2040", deviceZone],
])("counts the months of a term that began in %s as a clock of %s shows them", (time_zone, timeZone) => {
  const paid_account_term = { started_at: "2027-01-30T15:30:00.000Z", months: 1, time_zone };

  const term = termOf({ paid_account_term })!;

  expect(endOf(term)).toEqual(endOf({ start: new Date("2027-01-30T15:30:00.000Z"), months: 1, timeZone }));
});
