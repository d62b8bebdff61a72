import { getOwnUser } from "@alcove/contract/accounts";
import type { ResponseOf } from "@alcove/contract";
import { createMember, openSession } from "../accounts/index.ts";
import { sampleProfile, type ProfileOverrides } from "./profile.ts";
import type { TestMember, TestService } from "./test-service.ts";
import { fileOf } from "./sample-pictures.ts";

/** The member has no position. */
export async function memberWithIcon(
  service: TestService,
  name: string,
  picture: Uint8Array,
  options: ProfileOverrides & { iconProcess?: boolean } = {},
): Promise<TestMember> {
  const { iconProcess = false, ...profile } = options;
  const { memberId, userId } = await createMember(service.ctx, {
    userId: name,
    password: null,
    email: `${name}@example.com`,
    language: "en",
    profile: sampleProfile({ username: name, ...profile }),
    icon: fileOf(picture),
    iconProcess,
  });
  const { access, refresh } = await openSession(service.ctx, memberId);
  return service.memberAt({ user_id: userId, memberId, access, refresh } as TestMember);
}

export async function ownUser(member: TestMember): Promise<ResponseOf<typeof getOwnUser>["user"]> {
  return (await member.call(getOwnUser, {})).user;
}
