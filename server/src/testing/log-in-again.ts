import { openSession } from "../accounts/index.ts";
import type { TestMember, TestService } from "./test-service.ts";

/** For a member whose session expired. */
export async function logInAgain({ ctx, memberAt }: TestService, member: TestMember): Promise<TestMember> {
  const tokens = await openSession(ctx, member.memberId);
  return memberAt({ ...member, ...tokens });
}
