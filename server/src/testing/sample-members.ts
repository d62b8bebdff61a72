import { createMember, openSession } from "../accounts/index.ts";
import { sampleProfile, type ProfileOverrides } from "./profile.ts";
import type { TestMember, TestService } from "./test-service.ts";
import { fileOf } from "./sample-pictures.ts";

/** A member with a picture and without a position. */
export async function memberWithIcon(
  service: TestService,
  name: string,
  picture: Uint8Array,
  wish: ProfileOverrides & { iconProcess?: boolean } = {},
): Promise<TestMember> {
  const { iconProcess = false, ...profile } = wish;
  const { memberId, userId } = await createMember(service.ctx, {
    userId: name,
    password: null,
    email: `${name}@example.com`,
    language: "en",
    profile: sampleProfile({ username: name, ...profile }),
    icon: fileOf(picture),
    iconProcess,
  });
  const { access, refresh } = await openSession(service.ctx, { memberId, userId });
  return service.meet({ user_id: userId, memberId, access, refresh } as TestMember);
}
