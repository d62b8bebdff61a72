import { expect, test } from "vitest";
import { isPublicAddress, lookupPublic } from "./web-push.ts";

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "fc00::1",
  "fe80::1",
  "ff02::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2001::1",
  "localhost",
])("rejects %s as a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "172.32.0.1", "142.250.1.95", "2a00:1450:4001::5f", "2600:1901::1"])(
  "accepts %s as a public address",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test("does not connect to a name of this machine or an unknown name", async () => {
  for (const all of [true, false]) {
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    lookupPublic("localhost", { all }, resolve);

    expect(await promise).toBeInstanceOf(Error);
  }
});
