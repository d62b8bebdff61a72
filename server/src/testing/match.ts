import { onTestFinished } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { testService, type TestMember, type TestService } from "./test-service.ts";

/** Hanako and Taro, who like each other. */
export async function hanakoAndTaro({
  member,
}: TestService): Promise<{ hanako: TestMember; taro: TestMember }> {
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  await match(hanako, taro);
  return { hanako, taro };
}

/** Lets two members like each other. */
export async function match(a: TestMember, b: TestMember): Promise<void> {
  await a.ask(likeUser, { likedId: b.user_id });
  await b.ask(likeUser, { likedId: a.user_id });
}

/** A service of one test alone: closed when that test is done, so that a file of many does not hold all connections. */
export async function serviceOfTest(wishes?: Parameters<typeof testService>[0]): Promise<TestService> {
  const service = await testService(wishes);
  onTestFinished(service.close);
  return service;
}
