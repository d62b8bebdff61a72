import { expect, onTestFinished, test, vi } from "vitest";
import { checkSignUpCode, getOwnUser } from "@alcove/contract/accounts";
import { saveFilter } from "@alcove/contract/profiles";
import { openClient } from "../../testing/browser.ts";
import { hold } from "../../testing/hold.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { countLockWaits } from "../../testing/statements.ts";
import { eventually } from "../../testing/test-service.ts";
import { Turns, type Sender } from "./turns.ts";

const withLimits = { config: { hasRateLimits: true, trustProxy: true } };
const AT_WORK = 4;
const WAITING = 64;

test("leaves the other connections to others when one member sends three hundred changes of a locked row", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const row = await hold(service.db, `select from profiles where member_no = ${hanako.memberId} for update`);

  const changes = Array.from({ length: 300 }, (_, i) =>
    hanako.fetch("/en/users/api/user", {
      method: "PATCH",
      body: new URLSearchParams({ search_min_age: String(18 + (i % 40)) }),
    }),
  );
  await eventually(async () => expect(await countLockWaits(service)).toBe(AT_WORK));
  await taro.call(getOwnUser, {});
  expect(await countLockWaits(service)).toBeLessThanOrEqual(AT_WORK);
  await row.release();

  const responses = await Promise.all(changes);
  const rejected = responses.filter(({ headers }) => headers.get("retry-after") === "10");
  expect(rejected.length).toBeGreaterThan(100);
  for (const { status } of rejected) expect(status).toBe(429);
  expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(60);
});

test("lets any number wait when limits are off, and still takes turns", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const row = await hold(service.db, `select from profiles where member_no = ${hanako.memberId} for update`);

  const changes = Array.from({ length: 100 }, () => hanako.call(saveFilter, { search_min_age: 30 }));
  await eventually(async () => expect(await countLockWaits(service)).toBe(AT_WORK));
  await row.release();

  expect(await Promise.all(changes)).toHaveLength(100);
});

test("leaves the other connections to others when forty networks send codes for one address", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await service.member("hanako", { at: null });
  const code = { email: "hanako@example.com", code: "000000" };
  const browsers = Array.from({ length: 40 }, (_, i) => openClient(service, { network: `198.51.100.${i}` }));
  const table = await hold(service.db, "lock table codes in access exclusive mode");

  const wrong = browsers.flatMap((browser) => [
    browser.call(checkSignUpCode, code),
    browser.call(checkSignUpCode, { ...code, email: "Hanako@example.com" }),
  ]);
  await eventually(async () => expect(await countLockWaits(service)).toBe(AT_WORK));
  await hanako.call(getOwnUser, {});
  expect(await countLockWaits(service)).toBeLessThanOrEqual(AT_WORK);
  await table.release();

  await Promise.allSettled(wrong);
});

/** Tasks that run until `finish`. */
function startTurns() {
  const turns = new Turns({ hasRateLimits: true });
  const running: string[] = [];
  const rejected: string[] = [];
  const finishers: (() => void)[] = [];
  const add = (name: string, sender: Sender) => {
    const task = async () => {
      running.push(name);
      await new Promise<void>((resolve) => finishers.push(resolve));
    };
    turns.run(sender, task).catch(() => rejected.push(name));
  };
  return { add, running, rejected, finishOne: () => finishers.shift()!() };
}

const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i}`);

test("runs thirty-two requests of a network at once, and those of other networks beside them", async () => {
  const { add, running, finishOne } = startTurns();

  for (const name of names("visitor", 40)) add(name, { subject: null, ip: "192.0.2.1" });
  add("other", { subject: null, ip: "192.0.2.2" });
  await eventually(() => expect(running).toEqual([...names("visitor", 32), "other"]));

  finishOne();
  await eventually(() => expect(running.at(-1)).toBe("visitor 32"));
});

test("takes no turns of a network for requests that wait for their own member", async () => {
  const { add, running } = startTurns();

  for (const name of names("member", 60)) add(name, { subject: "member 1", ip: "192.0.2.1" });
  for (const name of names("neighbour", 28)) add(name, { subject: null, ip: "192.0.2.1" });

  await eventually(() => expect(running).toEqual([...names("member", 4), ...names("neighbour", 28)]));
});

test("admits a member before the waiting visitors of the same network, and rejects a visitor instead", async () => {
  const { add, running, rejected, finishOne } = startTurns();
  const ip = "192.0.2.1";

  for (const name of names("visitor", 282)) add(name, { subject: null, ip });
  for (const name of names("address", 250)) add(name, { subject: `address ${name}`, ip });
  await eventually(() => expect(running).toHaveLength(32));
  add("member", { subject: "member 1", ip });
  await eventually(() => expect(rejected).toEqual(["address 249"]));
  finishOne();

  await eventually(() => expect(running.at(-1)).toBe("member"));
});

test("admits the first request about an address of a network before the many of another", async () => {
  const { add, running, rejected, finishOne } = startTurns();

  for (const name of names("attacker", AT_WORK + WAITING))
    add(name, { subject: "address a@example.com", ip: "192.0.2.1" });
  add("owner", { subject: "address a@example.com", ip: "198.51.100.1" });
  await eventually(() => expect(rejected).toEqual([`attacker ${AT_WORK + WAITING - 1}`]));
  finishOne();

  await eventually(() => expect(running).toEqual([...names("attacker", AT_WORK), "owner"]));
});

test("admits a member before the many requests that their network sends with another token of theirs", async () => {
  const { add, running, rejected, finishOne } = startTurns();

  for (const name of names("thief", AT_WORK + WAITING))
    add(name, { subject: "member 1", ip: "192.0.2.1", token: "ended" });
  add("owner", { subject: "member 1", ip: "192.0.2.1", token: "open" });
  await eventually(() => expect(rejected).toEqual([`thief ${AT_WORK + WAITING - 1}`]));
  finishOne();

  await eventually(() => expect(running).toEqual([...names("thief", AT_WORK), "owner"]));
});

test("ends the turn of a request that does not respond", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { add, running } = startTurns();

  for (const name of names("silent", AT_WORK)) add(name, { subject: "member 1", ip: "192.0.2.1" });
  await vi.advanceTimersByTimeAsync(5_000);
  add("later", { subject: "member 1", ip: "192.0.2.1" });
  await vi.advanceTimersByTimeAsync(5_000);

  expect(running.at(-1)).toBe("later");
});
