import { expect, test } from "vitest";
import { confirmPassword, getOwnUser } from "@alcove/contract/accounts";
import { serviceOfTest } from "../../testing/match.ts";
import { refused } from "../../testing/test-service.ts";

test("confirms only the member's own password", async () => {
  const { member } = await serviceOfTest();
  const hanako = await member("Hanako", { at: null, password: "quiet-evenings-7" });
  await member("taro", { at: null, password: "marmalade-at-six" });

  expect(await hanako.ask(confirmPassword, { password: "quiet-evenings-7" })).toBe(true);
  expect(await hanako.ask(confirmPassword, { password: "ｑｕｉｅｔ-evenings-7" })).toBe(true);
  expect(await hanako.ask(confirmPassword, { password: "Quiet-Evenings-7" })).toBe(false);
  expect(await hanako.ask(confirmPassword, { password: "marmalade-at-six" })).toBe(false);
  expect((await hanako.ask(getOwnUser, {})).user.has_password).toBe(true);
});

test("returns false and has_password false when the member has no password", async () => {
  const { member } = await serviceOfTest();
  const hanako = await member("hanako", { at: null });

  expect((await hanako.ask(getOwnUser, {})).user.has_password).toBe(false);
  expect(await hanako.ask(confirmPassword, { password: "quiet-evenings-7" })).toBe(false);
  expect(await hanako.ask(confirmPassword, { password: "null" })).toBe(false);
});

test("rejects logged-out callers, and returns a field error when the password is empty", async () => {
  const { ask, member } = await serviceOfTest();
  const hanako = await member("hanako", { at: null, password: "quiet-evenings-7" });

  await refused(ask(confirmPassword, { password: "quiet-evenings-7" }), "login_required");
  const { body } = await refused(hanako.ask(confirmPassword, { password: "" }), "invalid_input");
  expect(body["validation_errors"]).toEqual({ password: ["required"] });
});
