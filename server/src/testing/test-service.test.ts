import { beforeAll, expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { testService, type TestService } from "./test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

let attempts = 0;

test("makes a member anew when a failed test of a shared service is repeated", { retry: 1 }, async () => {
  attempts++;

  const hanako = await service.member("hanako");

  expect((await hanako.call(getOwnUser, {})).user.user_id).toBe("hanako");
  expect(attempts).toBe(2);
});
