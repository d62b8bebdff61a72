import { onTestFinished } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { testService, type TestMember, type TestService } from "./test-service.ts";

export async function hanakoAndTaro({
  member,
}: TestService): Promise<{ hanako: TestMember; taro: TestMember }> {
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  await match(hanako, taro);
  return { hanako, taro };
}

export async function match(a: TestMember, b: TestMember): Promise<void> {
  await a.ask(likeUser, { likedId: b.user_id });
  await b.ask(likeUser, { likedId: a.user_id });
}

/** A service that closes when its test ends, so that a file does not use up all connections. */
export async function serviceOfTest(wishes?: Parameters<typeof testService>[0]): Promise<TestService> {
  const service = await testService(wishes);
  onTestFinished(service.close);
  return service;
}
