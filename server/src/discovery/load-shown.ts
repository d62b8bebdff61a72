import type { AppContext } from "../platform/context.ts";
import { isOnCards, loadPeople, type Person } from "../profiles/index.ts";
import { readHiddenBySetting } from "../safety/index.ts";

export async function loadShown(
  ctx: AppContext,
  viewerMemberId: number,
  memberIds: readonly number[],
): Promise<Map<number, Person>> {
  const people = await loadPeople(ctx, memberIds);
  const withSetting = [...people.values()].filter(({ isPaused, onlyLiked }) => isPaused || onlyLiked);
  const hidden = await readHiddenBySetting(
    ctx.db,
    viewerMemberId,
    withSetting.map(({ memberId }) => memberId),
  );
  for (const person of people.values())
    if (!isOnCards(person) || hidden.has(person.memberId)) people.delete(person.memberId);
  return people;
}
