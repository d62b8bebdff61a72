import { readUserIds } from "../members/user-ids.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";

export async function withUserIds<Member extends MemberRef>(
  { db, encryption }: AppContext,
  members: readonly Member[],
): Promise<(Member & { userId: string })[]> {
  const userIds = await readUserIds(
    db,
    encryption,
    members.map(({ memberId }) => memberId),
  );
  return members.flatMap((member) => {
    const userId = userIds.get(member.memberId);
    return userId === undefined ? [] : [{ ...member, userId }];
  });
}
