import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createEncryption, DecryptionError } from "./encryption.ts";

const key = (id: string) => ({ id, key: randomBytes(32) });

test("decrypts an encrypted value, which shows nothing of its content", () => {
  const encryption = createEncryption([key("k1")], "index secret");

  const encrypted = encryption.encrypt("hanako@example.com 花子 🌸", "members.encrypted_email:1");

  expect(encryption.decrypt(encrypted, "members.encrypted_email:1")).toBe("hanako@example.com 花子 🌸");
  expect(encrypted.toString("latin1")).not.toContain("hanako");
  expect(encryption.encrypt("same", "a")).not.toEqual(encryption.encrypt("same", "a"));
});

test("throws when an encrypted value was moved to another row or changed in one bit", () => {
  const encryption = createEncryption([key("k1")], "index secret");
  const encrypted = encryption.encrypt("text", "members.encrypted_email:1");

  expect(() => encryption.decrypt(encrypted, "members.encrypted_email:2")).toThrow(DecryptionError);
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted);
    changed[at] = changed[at]! ^ 1;
    expect(() => encryption.decrypt(changed, "members.encrypted_email:1")).toThrow(DecryptionError);
  }
  expect(() => encryption.decrypt(encrypted.subarray(0, 10), "members.encrypted_email:1")).toThrow(
    DecryptionError,
  );
});

test("encrypts with the new key and decrypts with the old one after a rotation", () => {
  const [older, newer] = [key("k1"), key("k2")];
  const before = createEncryption([older], "index secret").encrypt("text", "here");
  const rotated = createEncryption([newer, older], "index secret");

  expect(rotated.decrypt(before, "here")).toBe("text");
  const after = rotated.encrypt("text", "here");
  expect(() => createEncryption([older], "index secret").decrypt(after, "here")).toThrow(DecryptionError);
});

test("returns one blind index per value, purpose and secret", () => {
  const encryption = createEncryption([key("k1")], "index secret");
  const rotated = createEncryption([key("k2")], "index secret");

  expect(rotated.blindIndex("a@b.example", "email")).toEqual(encryption.blindIndex("a@b.example", "email"));
  expect(encryption.blindIndex("a@b.example", "code")).not.toEqual(
    encryption.blindIndex("a@b.example", "email"),
  );
  expect(createEncryption([key("k1")], "other").blindIndex("a@b.example", "email")).not.toEqual(
    encryption.blindIndex("a@b.example", "email"),
  );
});
