import { expect, test } from "vitest";
import { getOwnUser, logIn, refreshTokens } from "@alcove/contract/accounts";
import { getOptions, getUser } from "@alcove/contract/discovery";
import { closeCodes } from "@alcove/contract/close-codes";
import { rounds } from "../testing/rounds.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError } from "../testing/test-service.ts";
import { openSession, restoreMember, suspendMember } from "./index.ts";

test("rejects refresh and calls, closes sockets and hides the member when they are suspended", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { password: "quiet-evenings-7" });
  const taro = await service.member("taro");
  const socket = await hanako.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  await suspendMember(service.ctx, hanako.memberId);

  const login = service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  expect(await login).toMatchObject({ scope: "case" });
  await expectError(service.call(logIn, { user_id: "hanako", password: "wrong" }), "wrong_credentials");
  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "account_suspended");
  await expectError(hanako.call(getOwnUser, {}), "account_suspended");
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  await expectError(taro.call(getUser, { userId: "hanako" }), "user_not_found");
  expect((await taro.call(getOptions, {})).options).toEqual([]);
});

test("admits and shows a member again when they are restored", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { password: "quiet-evenings-7" });
  const taro = await service.member("taro");
  await suspendMember(service.ctx, hanako.memberId);

  await restoreMember(service.ctx, hanako.memberId);

  await service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" });
  await expectError(hanako.call(getOwnUser, {}), "login_required");
  expect((await taro.call(getOptions, {})).options.map(({ user_id }) => user_id)).toEqual(["hanako"]);
});

test("opens at most a session of the case when a login races a suspension", async () => {
  const service = await serviceForTest();
  for (let round = 0; round < rounds(20); round++) {
    const member = await service.member(`both${round}`, { at: null });

    const [opened] = await Promise.allSettled([
      openSession(service.ctx, member.memberId),
      suspendMember(service.ctx, member.memberId),
    ]);

    if (opened.status === "fulfilled") {
      await expect(service.ctx.authenticate(opened.value.access)).rejects.toMatchObject({
        code: "account_suspended",
      });
    }
  }
});
