import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeSealing, SealBroken } from "./encryption.ts";

const key = (id: string) => ({ id, key: randomBytes(32) });

test("what was sealed opens again, and shows nothing of itself", () => {
  const sealing = makeSealing([key("k1")], "index secret");

  const sealed = sealing.seal("hanako@example.com 花子 🌸", "members.sealed_email:1");

  expect(sealing.open(sealed, "members.sealed_email:1")).toBe("hanako@example.com 花子 🌸");
  expect(sealed.toString("latin1")).not.toContain("hanako");
  expect(sealing.seal("same", "a")).not.toEqual(sealing.seal("same", "a"));
});

test("a sealed value moved to another row, or changed in one bit, does not open", () => {
  const sealing = makeSealing([key("k1")], "index secret");
  const sealed = sealing.seal("text", "members.sealed_email:1");

  expect(() => sealing.open(sealed, "members.sealed_email:2")).toThrow(SealBroken);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = changed[at]! ^ 1;
    expect(() => sealing.open(changed, "members.sealed_email:1")).toThrow(SealBroken);
  }
  expect(() => sealing.open(sealed.subarray(0, 10), "members.sealed_email:1")).toThrow(SealBroken);
});

test("after a rotation the new key seals and the old one still opens", () => {
  const [older, newer] = [key("k1"), key("k2")];
  const before = makeSealing([older], "index secret").seal("text", "here");
  const rotated = makeSealing([newer, older], "index secret");

  expect(rotated.open(before, "here")).toBe("text");
  const after = rotated.seal("text", "here");
  expect(() => makeSealing([older], "index secret").open(after, "here")).toThrow(SealBroken);
});

test("a blind index finds the same value again, apart for each use and each secret", () => {
  const sealing = makeSealing([key("k1")], "index secret");
  const rotated = makeSealing([key("k2")], "index secret");

  expect(rotated.blindIndex("a@b.example", "email")).toEqual(sealing.blindIndex("a@b.example", "email"));
  expect(sealing.blindIndex("a@b.example", "code")).not.toEqual(sealing.blindIndex("a@b.example", "email"));
  expect(makeSealing([key("k1")], "other").blindIndex("a@b.example", "email")).not.toEqual(
    sealing.blindIndex("a@b.example", "email"),
  );
});
