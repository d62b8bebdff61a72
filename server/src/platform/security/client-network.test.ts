import { expect, test } from "vitest";
import { TestClock } from "../../testing/test-service.ts";
import { DAY_MS } from "../clock.ts";
import { createBlindIndex } from "../keys/encryption.ts";
import { networkOf, networkTag, UNKNOWN_NETWORK, widerNetworksOf } from "./client-network.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2"],
  ["2001:db8::6", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8:1:2::6]", "2001:db8:1:2"],
  ["[2001:db8:1:2::6]:51234", "2001:db8:1:2"],
  ["unix:", UNKNOWN_NETWORK],
  ["_hidden", UNKNOWN_NETWORK],
  ["203.0.113.700:80", UNKNOWN_NETWORK],
  ["", UNKNOWN_NETWORK],
])("counts %s as network %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

test("tags a network alike for one UTC day, and unlike another network or day", () => {
  const clock = new TestClock();
  clock.set("2026-03-04T00:00:00Z");
  const encryption = { blindIndex: createBlindIndex("index secret") };
  const tag = (ip: string) => networkTag({ encryption, clock }, ip);
  const before = tag("2001:db8:1:2::1");

  expect(before).toMatch(/^[0-9a-f]{12}$/);
  expect(tag("2001:db8:1:2::2")).toBe(before);
  expect(tag("2001:db8:1:3::1")).not.toBe(before);
  clock.advance(DAY_MS - 1);
  expect(tag("2001:db8:1:2::1")).toBe(before);
  clock.advance(1);
  expect(tag("2001:db8:1:2::1")).not.toBe(before);
});

test("widens an IPv6 network twice, and an IPv4 address once", () => {
  expect(widerNetworksOf("2001:db8:1:2")).toEqual([
    { network: "2001:db8", factor: 64 },
    { network: "2001:db8:1", factor: 8 },
  ]);
  expect(widerNetworksOf("203.0.113.7")).toEqual([{ network: "203.0.113", factor: 8 }]);
  expect(widerNetworksOf(UNKNOWN_NETWORK)).toEqual([]);
});
