import { onTestFinished } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { testService, type TestMember, type TestService } from "./test-service.ts";

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

/** The service closes when its test ends, so that connections remain for the file's other tests. */
export async function serviceForTest(options?: Parameters<typeof testService>[0]): Promise<TestService> {
  const service = await testService(options);
  onTestFinished(service.close);
  return service;
}
