import type { AppContext } from "../platform/context.ts";
import { findAreaMates, isOnCards, loadPeople, type Person } from "../profiles/index.ts";
import { readHiddenBySetting } from "../safety/index.ts";
import type { Viewer } from "./search/viewer.ts";

export async function loadShown(
  ctx: AppContext,
  viewer: Pick<Viewer, "memberId" | "hasAreas">,
  memberIds: readonly number[],
): Promise<Map<number, Person>> {
  const people = await loadPeople(ctx, memberIds);
  const withSetting = [...people.values()].filter(({ isPaused, onlyLiked }) => isPaused || onlyLiked);
  const hidden = await readHiddenBySetting(
    ctx.db,
    viewer.memberId,
    withSetting.map(({ memberId }) => memberId),
  );
  const concerned = [...people.values()].filter((person) => viewer.hasAreas || person.hasAreas);
  const mates =
    concerned.length === 0
      ? new Set<number>()
      : await findAreaMates(
          ctx,
          viewer.memberId,
          concerned.map(({ memberId }) => memberId),
        );
  for (const person of people.values()) {
    const { memberId } = person;
    if (!isOnCards(person) || hidden.has(memberId) || mates.has(memberId)) people.delete(memberId);
  }
  return people;
}
