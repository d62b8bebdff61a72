import { expect, test } from "vitest";
import { getOwnUser, logIn, refreshTokens } from "@alcove/contract/accounts";
import { saveLocation } from "@alcove/contract/discovery";
import { closeCodes } from "@alcove/contract/close-codes";
import { changePassword } from "@alcove/contract/passwords";
import { saveFilter } from "@alcove/contract/profiles";
import { rounds } from "../../testing/rounds.ts";
import { storedEmailJobs } from "../../testing/jobs.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, openSocket, expectError } from "../../testing/test-service.ts";

const OLD = "quiet-evenings-7";
const NEW = "louder-mornings-8";
const to = (newPassword: string, password = OLD) => ({
  password,
  newPassword,
  newPasswordConfirmation: newPassword,
});

test("ends all other sessions with their sockets when the password changes", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const hanako = await service.member("hanako", { at: null, password: OLD });
  const other = await service.call(logIn, { user_id: "hanako", password: OLD });
  const stays = await hanako.socket("/ws/events");
  const ends = await openSocket(`${beside.url.replace("http", "ws")}/ws/events?token=${other.access}`);
  await eventually(() => expect(service.ctx.sockets.count + beside.ctx.sockets.count).toBe(2));

  expect(await hanako.call(changePassword, to(NEW))).toBe(true);

  await eventually(() => expect(ends.closed).toBe(closeCodes.badToken));
  await expectError(service.call(refreshTokens, { refresh: other.refresh }), "login_required");
  await expectError(
    beside.memberAt({ ...hanako, access: other.access }).call(getOwnUser, {}),
    "login_required",
  );
  expect(stays.closed).toBeNull();
  await hanako.call(getOwnUser, {});
  await service.call(refreshTokens, { refresh: hanako.refresh });
  await service.call(logIn, { user_id: "hanako", password: NEW });
  await expectError(service.call(logIn, { user_id: "hanako", password: OLD }), "wrong_credentials");
});

test("returns false, changes nothing and sends no email when the current password is wrong", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: OLD });
  const other = await service.call(logIn, { user_id: "hanako", password: OLD });
  await service.ctx.jobs.stop();

  expect(await hanako.call(changePassword, to(NEW, "not this one"))).toBe(false);

  expect(await storedEmailJobs(service)).toEqual([]);
  await service.call(refreshTokens, { refresh: other.refresh });
  await service.call(logIn, { user_id: "hanako", password: OLD });
});

test("returns false when the member has no password", async () => {
  const service = await serviceForTest();
  const google = await service.member("google", { at: null });

  expect(await google.call(changePassword, to(NEW))).toBe(false);
});

test("returns field errors of the new password before it checks the current one", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: OLD });
  const errors = async (form: { password: string; newPassword: string; newPasswordConfirmation: string }) =>
    (await expectError(hanako.call(changePassword, form, "ja"), "invalid_input")).body["validation_errors"];

  expect(await errors({ ...to(NEW, "wrong"), newPasswordConfirmation: "other" })).toEqual({
    new_password_confirmation: ["confirmation_differs"],
  });
  expect(await errors(to("short"))).toEqual({ new_password: ["password_length"] });
  expect(await errors(to("Password123"))).toEqual({ new_password: ["password_common"] });
  expect(await errors(to("xx-HANAKO-99"))).toEqual({ new_password: ["password_contains_user_id"] });
  const unlike = { newPasswordConfirmation: "other" };
  for (const [newPassword, fault] of [
    ["short", "password_length"],
    ["Password123", "password_common"],
    ["xx-HANAKO-99", "password_contains_user_id"],
  ] as const) {
    expect(await errors({ ...to(newPassword, ""), ...unlike })).toEqual({
      password: ["required"],
      new_password: [fault],
      new_password_confirmation: ["confirmation_differs"],
    });
  }
  expect(await errors({ password: "", newPassword: "", newPasswordConfirmation: "" })).toEqual({
    password: ["required"],
    new_password: ["required"],
    new_password_confirmation: ["required"],
  });
  await service.call(logIn, { user_id: "hanako", password: OLD });
});

test("changes the password once when many changes arrive at the same time, and keeps that session", async () => {
  const service = await serviceForTest();
  for (let round = 0; round < rounds(5); round++) {
    const name = `many${round}`;
    await service.member(name, { at: null, password: OLD });
    const sessions = await Promise.all(
      Array.from({ length: 5 }, () => service.call(logIn, { user_id: name, password: OLD })),
    );
    const member = (access: string) =>
      service.memberAt({ user_id: name, memberId: 0, access, refresh: "" } as never);

    const responses = await Promise.all(
      sessions.map(({ access }, i) =>
        member(access)
          .call(changePassword, to(`${NEW}-${i}`))
          .catch(() => false),
      ),
    );

    expect(responses.filter(Boolean)).toHaveLength(1);
    const winner = responses.indexOf(true);
    await service.call(logIn, { user_id: name, password: `${NEW}-${winner}` });
    for (const [i, { access }] of sessions.entries()) {
      const pending = member(access).call(getOwnUser, {});
      if (i === winner) await pending;
      else await expectError(pending, "login_required");
    }
  }
});

test("separates position, filter and password at their shared URL", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, password: OLD });

  const placed = await hanako.call(saveLocation, { location: "139.7,35.6" });
  const filtered = await hanako.call(saveFilter, { search_max_age: 60 });
  const changed = await hanako.call(changePassword, to(NEW));

  expect(placed).toHaveProperty("user.location");
  expect(filtered).toHaveProperty("user.search_max_age", 60);
  expect(changed).toBe(true);
});
