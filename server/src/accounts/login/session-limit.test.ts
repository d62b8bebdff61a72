import { expect, test } from "vitest";
import { getOwnUser, getSessions, refreshTokens } from "@alcove/contract/accounts";
import { SESSIONS_MAX } from "@alcove/contract/limits";
import { closeCodes } from "@alcove/contract/close-codes";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, expectError } from "../../testing/test-service.ts";

test("ends the least recently used session at once when a member opens one more than fifty", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  service.clock.advance(1);
  const second = await logInAgain(service, hanako);
  const socket = await second.socket("/ws/events");
  service.clock.advance(1);
  await service.call(refreshTokens, { refresh: hanako.refresh });
  for (let i = 0; i < SESSIONS_MAX - 2; i++) {
    service.clock.advance(1);
    await logInAgain(service, hanako);
  }
  await second.call(getOwnUser, {});

  service.clock.advance(1);
  const newest = await logInAgain(service, hanako);

  await expectError(second.call(getOwnUser, {}), "login_required");
  await expectError(service.call(refreshTokens, { refresh: second.refresh }), "login_required");
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  await hanako.call(getOwnUser, {});
  expect((await newest.call(getSessions, {})).sessions).toHaveLength(SESSIONS_MAX);
});

test("keeps fifty sessions and the newest one when many logins come at the same time", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  for (let i = 0; i < SESSIONS_MAX - 5; i++) await logInAgain(service, hanako);

  service.clock.advance(1);
  const logins = await Promise.all(Array.from({ length: 40 }, () => logInAgain(service, hanako)));

  for (const login of logins) await login.call(getOwnUser, {});
  expect((await logins[0]!.call(getSessions, {})).sessions).toHaveLength(SESSIONS_MAX);
});
