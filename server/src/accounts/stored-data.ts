import type { ResponseOf } from "@alcove/contract";
import type { getStoredData } from "@alcove/contract/stored-data";
import { STORED_KINDS, type Period, periodUnits, RETENTION } from "@alcove/contract/retention";
import type { AppContext } from "../platform/context.ts";

/** The table of the privacy policy, which is the same for every member. */
export async function listStoredData({
  config,
}: Pick<AppContext, "config">): Promise<ResponseOf<typeof getStoredData>> {
  const amounts = { ...RETENTION, unusedMonths: config.unusedMonths };
  const present = (name: Period) => ({ name, amount: amounts[name], unit: unitOf(name) });
  return {
    kinds: Object.entries(STORED_KINDS).map(([kind, { lasts, reasons, periods }]) => ({
      kind: kind as keyof typeof STORED_KINDS,
      lasts,
      reasons: [...reasons],
      periods: periods.map(present),
    })),
  };
}

function unitOf(name: Period): (typeof periodUnits)[number] {
  return periodUnits.find((unit) => name.toLowerCase().endsWith(unit))!;
}
