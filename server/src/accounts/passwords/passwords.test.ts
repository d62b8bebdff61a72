import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./passwords.ts";

const secrets = {
  token: "t",
  media: "m",
  pepper: "pepper",
  encryptionKeys: [],
  vapid: { publicKey: "", privateKey: "" },
};

const origin = { account: "hanako", isKnown: false };

test("rejects a correct password when the pepper differs", async () => {
  const stored = await hashPassword(secrets, "quiet-evenings-7", origin);

  expect(await verifyPassword(secrets, stored, "quiet-evenings-7", origin)).toBe(true);
  expect(await verifyPassword(secrets, stored, "quiet-evenings-8", origin)).toBe(false);
  expect(await verifyPassword({ ...secrets, pepper: "other" }, stored, "quiet-evenings-7", origin)).toBe(
    false,
  );
});

test("accepts full-width characters as their half-width form", async () => {
  const stored = await hashPassword(secrets, "ｑｕｉｅｔ-evenings-７", origin);

  expect(await verifyPassword(secrets, stored, "quiet-evenings-7", origin)).toBe(true);
});
