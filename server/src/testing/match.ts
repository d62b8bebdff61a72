import { likeUser } from "@alcove/contract/discovery";
import type { TestMember, TestService } from "./test-service.ts";

/** Another number names another pair of the same service. */
export async function hanakoAndTaro(
  { member }: TestService,
  number = 0,
): Promise<{ hanako: TestMember; taro: TestMember }> {
  const hanako = await member(`hanako${number || ""}`, { paid: true });
  const taro = await member(`taro${number || ""}`, { paid: true });
  await match(hanako, taro);
  return { hanako, taro };
}

export async function match(a: TestMember, b: TestMember): Promise<void> {
  await a.call(likeUser, { likedId: b.user_id });
  await b.call(likeUser, { likedId: a.user_id });
}
