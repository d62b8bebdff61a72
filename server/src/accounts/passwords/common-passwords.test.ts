import { expect, test } from "vitest";
import { commonPasswordError } from "./common-passwords.ts";

test.each([
  "password",
  "Password123",
  "iloveyou2",
  "1q2w3e4r",
  "a123456789",
  "LetMeInNow",
  "ｐａｓｓｗｏｒｄ1",
  "passwordpassword",
  "87654321",
  "abcdefgh",
  "aaaaaaaa",
  "abcabcabc",
])("rejects the common password %s", async (password) => {
  expect(await commonPasswordError(password)).toBe("password_common");
});

test.each([
  "quiet-evenings-7",
  "correct horse battery staple",
  "x7k2m9qp",
  "夜はゆっくり過ごしたい",
  "loveletter77",
])("accepts the password %s", async (password) => {
  expect(await commonPasswordError(password)).toBeNull();
});
