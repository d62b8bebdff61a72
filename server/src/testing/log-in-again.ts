import { openSession } from "../accounts/index.ts";
import type { TestMember, TestService } from "./test-service.ts";

/** For a member whose session expired. */
export async function logInAgain({ ctx, meet }: TestService, member: TestMember): Promise<TestMember> {
  const tokens = await openSession(ctx, member.memberId);
  return meet({ ...member, ...tokens });
}
