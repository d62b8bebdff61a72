import { expect, test } from "vitest";
import { closeCodes } from "@alcove/contract/close-codes";
import { fakeConnection, OPENING_TIMEOUT_MS, PONG_TIMEOUT_MS, SILENCE_MS } from "./fake-connection.ts";

const match = { user_id: "taro", username: "Taro", icon: "/media/x" };

test("publishes the server's events to its listeners", async () => {
  const { connection, sockets, events, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();

  sockets[0]!.receive({ match });
  sockets[0]!.receive({ match_ended: { user_id: "taro" } });

  expect(events).toEqual([{ kind: "connected" }, { kind: "match", match }, { kind: "lost", userId: "taro" }]);
});

test("publishes connected each time it opens", async () => {
  const { connection, sockets, events, runTimer, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();
  sockets[0]!.close();
  runTimer();
  await settled();
  sockets[1]!.open();
  await settled();

  expect(events).toEqual([{ kind: "connected" }, { kind: "connected" }]);
});

test("doubles its pauses up to 30 seconds and resets them when it opens", async () => {
  const { connection, sockets, pauses, runTimer, setOffline, settled } = fakeConnection();
  setOffline(true);
  connection.start();
  for (let i = 0; i < 9; i++) {
    await settled();
    runTimer();
  }
  await settled();
  expect(pauses()).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);

  setOffline(false);
  runTimer();
  await settled();
  sockets[0]!.open();
  await settled();
  sockets[0]!.close();
  expect(pauses().at(-1)).toBe(500);
});

test("spreads its pauses over the second half of their length", async () => {
  const values = [0, 0.5, 0.25];
  const { connection, pauses, runTimer, setOffline, settled } = fakeConnection({
    random: () => values.shift() ?? 1,
  });
  setOffline(true);
  connection.start();
  for (let i = 0; i < 2; i++) {
    await settled();
    runTimer();
  }
  await settled();

  expect(pauses()).toEqual([250, 750, 1_250]);
});

test("reconnects at once when the device is online again", async () => {
  const { connection, sockets, setOffline, settled } = fakeConnection();
  setOffline(true);
  connection.start();
  await settled();
  setOffline(false);

  connection.wake();
  await settled();

  expect(sockets).toHaveLength(1);
});

test("replaces its socket once when it is renewed twice", async () => {
  const { connection, sockets, events, runTimer, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();

  connection.renew();
  connection.renew();
  runTimer();
  await settled();
  sockets[1]!.open();
  await settled();

  expect(sockets).toHaveLength(2);
  expect(sockets[0]!.readyState).toBe(3);
  expect(events).toEqual([{ kind: "connected" }, { kind: "connected" }]);
});

test("reopens a displaced connection only when the page is visible again", async () => {
  const { connection, sockets, pauses, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();

  sockets[0]!.close(closeCodes.tooMany);
  await settled();
  expect(sockets).toHaveLength(1);
  expect(pauses()).toEqual([]);

  connection.wake();
  await settled();
  expect(sockets).toHaveLength(2);
});

test("opens nothing after a stop", async () => {
  const { connection, sockets, pauses, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();

  connection.stop();
  connection.wake();
  await settled();

  expect(sockets).toHaveLength(1);
  expect(pauses()).toEqual([]);
});

test("pings a silent connection and replaces it when no pong arrives", async () => {
  const { connection, sockets, events, runTimer, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();

  expect(runTimer()).toBe(SILENCE_MS);
  expect(sockets[0]!.sent).toEqual(['{"ping":true}']);
  sockets[0]!.receive({ pong: true });
  expect(runTimer()).toBe(SILENCE_MS);
  expect(runTimer()).toBe(PONG_TIMEOUT_MS);

  expect(sockets[0]!.readyState).toBe(3);
  runTimer();
  await settled();
  expect(sockets).toHaveLength(2);
  expect(events).toEqual([{ kind: "connected" }]);
});

test("pings an open connection when the page becomes visible", async () => {
  const { connection, sockets, runTimer, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();

  connection.wake();

  expect(sockets[0]!.sent).toEqual(['{"ping":true}']);
  expect(runTimer()).toBe(PONG_TIMEOUT_MS);
  expect(sockets[0]!.readyState).toBe(3);
});

test("replaces a socket that does not open and ignores its later frames", async () => {
  const { connection, sockets, events, runTimer, settled } = fakeConnection();
  connection.start();
  await settled();

  expect(runTimer()).toBe(OPENING_TIMEOUT_MS);
  runTimer();
  await settled();
  sockets[1]!.open();
  sockets[0]!.open();
  await settled();
  sockets[0]!.receive({ match });
  sockets[1]!.receive({ match });

  expect(events).toEqual([{ kind: "connected" }, { kind: "match", match }]);
});

test("publishes reads and unsent messages and ignores unknown frames", async () => {
  const { connection, sockets, events, settled } = fakeConnection();
  connection.start();
  await settled();
  sockets[0]!.open();
  await settled();
  events.length = 0;

  sockets[0]!.receive({ read: { user_id: "taro", reader_id: "hanako", dm_id: "1" } });
  sockets[0]!.receive({ unsent: { user_id: "taro", dm_id: "2" } });
  sockets[0]!.receive({ something: "new" });

  expect(events).toEqual([
    { kind: "read", userId: "taro", readerId: "hanako", dmId: "1" },
    { kind: "unsent", userId: "taro", dmId: "2" },
  ]);
});

test("publishes at growing intervals that no connection opens, until one does", async () => {
  const { connection, sockets, timers, events, settled } = fakeConnection();
  const runOf = (ms: number) => {
    const timer = timers.find((one) => one.ms === ms && !one.isOver)!;
    timer.isOver = true;
    timer.act();
  };
  connection.start();
  await settled();
  sockets[0]!.close(1011);
  expect([connection.isMissing(), connection.isOpen()]).toEqual([false, false]);

  for (const ms of [11_000, 16_500, 24_750, 37_125, 55_687.5, 60_000, 60_000]) {
    events.length = 0;
    runOf(ms);
    expect(events, String(ms)).toEqual([{ kind: "missing" }]);
  }
  expect(connection.isMissing()).toBe(true);
  events.length = 0;
  connection.wake();
  await settled();
  sockets.at(-1)!.open();
  await settled();

  expect(events).toEqual([{ kind: "missing" }, { kind: "connected" }]);
  expect([connection.isMissing(), connection.isOpen()]).toEqual([false, true]);
  expect(timers.some(({ ms, isOver }) => ms === 60_000 && !isOver)).toBe(false);
});

test.each([
  ["it stops", (connection: ReturnType<typeof fakeConnection>) => connection.connection.stop()],
  ["another page displaces it", ({ sockets }: ReturnType<typeof fakeConnection>) => sockets[0]!.close(4429)],
])("publishes no missing connection after %s", async (_, end) => {
  const fake = fakeConnection();
  fake.connection.start();
  await fake.settled();
  end(fake);

  expect(fake.timers.filter(({ isOver }) => !isOver)).toEqual([]);
});
