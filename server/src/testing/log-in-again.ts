import { openSession } from "../accounts/index.ts";
import type { TestMember, TestService } from "./test-service.ts";

/** A member who logs in again, after the clock has outlived the last login. */
export async function comeBack({ ctx, meet }: TestService, member: TestMember): Promise<TestMember> {
  const tokens = await openSession(ctx, { memberId: member.memberId, userId: member.user_id });
  return meet({ ...member, ...tokens });
}
