import type { ResponseOf } from "@alcove/contract";
import type { getPlaceAdvice } from "@alcove/contract/discovery";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import { loadPeople } from "../../profiles/index.ts";
import { SEX_BIT } from "../search/mutual-filter.ts";
import { loadCellCounts } from "../search/cell-counts.ts";
import { FAR, parentOf, regionOf } from "./cells.ts";
import { placeOf } from "./places.ts";

/** In 1,800 square kilometres. */
const FEW_MEMBERS = 30;

export async function placeAdvice(
  ctx: AppContext,
  { memberId }: MemberRef,
): Promise<ResponseOf<typeof getPlaceAdvice>> {
  const cell = (await loadPeople(ctx, [memberId])).get(memberId)?.cell;
  if (cell == null) return { suggestion: null };
  const place = placeOf(ctx, { memberId, cell });
  const count = await loadCellCounts(ctx, [regionOf(place.cell)]);
  const far = parentOf(place.cell, FAR);
  const members = Object.values(SEX_BIT).reduce((all, sex) => all + count(far, sex), 0);
  return { suggestion: members < FEW_MEMBERS ? "region" : null };
}
