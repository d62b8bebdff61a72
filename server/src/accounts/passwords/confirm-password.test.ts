import { expect, test } from "vitest";
import { confirmPassword, getOwnUser } from "@alcove/contract/accounts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError } from "../../testing/test-service.ts";

test("confirms only the member's own password", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("Hanako", { at: null, password: "quiet-evenings-7" });
  await member("taro", { at: null, password: "marmalade-at-six" });

  expect(await hanako.call(confirmPassword, { password: "quiet-evenings-7" })).toBe(true);
  expect(await hanako.call(confirmPassword, { password: "ｑｕｉｅｔ-evenings-7" })).toBe(true);
  expect(await hanako.call(confirmPassword, { password: "Quiet-Evenings-7" })).toBe(false);
  expect(await hanako.call(confirmPassword, { password: "marmalade-at-six" })).toBe(false);
  expect((await hanako.call(getOwnUser, {})).user.has_password).toBe(true);
});

test("returns false and has_password false when the member has no password", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { at: null });

  expect((await hanako.call(getOwnUser, {})).user.has_password).toBe(false);
  expect(await hanako.call(confirmPassword, { password: "quiet-evenings-7" })).toBe(false);
  expect(await hanako.call(confirmPassword, { password: "null" })).toBe(false);
});

test("rejects logged-out callers, and returns a field error when the password is empty", async () => {
  const { call, member } = await serviceForTest();
  const hanako = await member("hanako", { at: null, password: "quiet-evenings-7" });

  await expectError(call(confirmPassword, { password: "quiet-evenings-7" }), "login_required");
  const { body } = await expectError(hanako.call(confirmPassword, { password: "" }), "invalid_input");
  expect(body["validation_errors"]).toEqual({ password: ["required"] });
});
