import { expect, test } from "vitest";
import { hashPassword, isPassword, passwordProblem } from "./passwords.ts";

const secrets = {
  token: "t",
  media: "m",
  pepper: "pepper",
  sealingKeys: [],
  vapid: { publicKey: "", privateKey: "" },
};

test.each([
  "password",
  "Passw0rd!",
  "p@$$w0rd",
  "12345678",
  "qwertyuiop",
  "1q2w3e4r",
  "11223344",
  "aaaa1111",
  "iloveyou2",
  "qwer1234",
  "abcabcabc",
  "sakura123",
  "woaini1314",
  "a123456789",
  "ｐａｓｓｗｏｒｄ1",
  "passwordpassword",
  "87654321",
])("%s is among the first that others would try", (password) => {
  expect(passwordProblem(password, "hanako")).toBe("password_common");
});

test.each([
  "quiet-evenings-7",
  "correct horse battery staple",
  "x7k2m9qp",
  "夜はゆっくり過ごしたい",
  "loveletter77",
])("%s can be a password", (password) => expect(passwordProblem(password, "hanako")).toBeNull());

test("a password built around the user id is refused, in whatever case", () => {
  expect(passwordProblem("xxHANAKOxx9", "Hanako")).toBe("password_contains_user_id");
});

test("whoever has the hash but not the pepper cannot try passwords", async () => {
  const stored = await hashPassword(secrets, "quiet-evenings-7");

  expect(await isPassword(secrets, stored, "quiet-evenings-7")).toBe(true);
  expect(await isPassword(secrets, stored, "quiet-evenings-8")).toBe(false);
  expect(await isPassword({ ...secrets, pepper: "other" }, stored, "quiet-evenings-7")).toBe(false);
});

test("full width letters of an input method are the same letters", async () => {
  const stored = await hashPassword(secrets, "ｑｕｉｅｔ-evenings-７");

  expect(await isPassword(secrets, stored, "quiet-evenings-7")).toBe(true);
});
