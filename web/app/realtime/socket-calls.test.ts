import { expect, test } from "vitest";
import { closeCodes } from "@alcove/contract/close-codes";
import {
  CALL_PONG_TIMEOUT_MS,
  CALL_SILENCE_MS,
  fakeConnection,
  openConnection,
  RESPONSE_TIMEOUT_MS,
  responseTo,
  SILENCE_MS,
} from "./fake-connection.ts";

const reading = { call: "readDm", lang: "ja", input: { friendId: "taro" } };
test("resolves each call with its own response when responses arrive in another order", async () => {
  const { connection, socket, events } = await openConnection();

  const first = connection.request(reading);
  const second = connection.request({ ...reading, input: { friendId: "jiro" } });
  expect(socket.sent.map((text) => JSON.parse(text) as unknown)).toEqual([
    { ask: { no: 1, ...reading } },
    { ask: { no: 2, ...reading, input: { friendId: "jiro" } } },
  ]);
  socket.receive(responseTo(2, 200, "second"));
  socket.receive(responseTo(1, 200, "first"));
  socket.receive(responseTo(7));

  expect(await first).toMatchObject({ status: 200, body: "first" });
  expect(await second).toMatchObject({ status: 200, body: "second" });
  expect(events).toEqual([]);
});

test("returns null and never reuses a number when the connection ends", async () => {
  const { connection, sockets, socket, runTimer, settled } = await openConnection();

  const responses = [connection.request(reading), connection.request(reading)];
  socket.close();
  expect(await Promise.all(responses)).toEqual([null, null]);

  runTimer();
  await settled();
  sockets[1]!.open();
  await settled();
  void connection.request(reading);
  expect(sockets[1]!.sent).toEqual([JSON.stringify({ ask: { no: 3, ...reading } })]);
});

test("returns null when the connection is displaced", async () => {
  const { connection, socket } = await openConnection();

  const response = connection.request(reading);
  socket.close(closeCodes.tooMany);

  expect(await response).toBeNull();
});

test("pings sooner and returns null when no frame follows a call", async () => {
  const { connection, sockets, socket, runTimer, settled } = await openConnection();

  const response = connection.request(reading);
  expect(runTimer()).toBe(CALL_SILENCE_MS);
  expect(socket.sent.at(-1)).toBe('{"ping":true}');
  expect(runTimer()).toBe(CALL_PONG_TIMEOUT_MS);

  expect(await response).toBeNull();
  expect(socket.readyState).toBe(3);
  runTimer();
  await settled();
  expect(sockets).toHaveLength(2);
});

test("returns null after 15 seconds when a live server does not respond", async () => {
  const { connection, socket, timers, runTimer } = await openConnection();

  const response = connection.request(reading);
  for (let i = 0; i < 5; i++) {
    expect(runTimer()).toBe(CALL_SILENCE_MS);
    socket.receive({ pong: true });
  }
  timers.find(({ ms, isOver }) => ms === RESPONSE_TIMEOUT_MS && !isOver)!.act();

  expect(await response).toBeNull();
  expect(socket.readyState).toBe(1);
  socket.receive(responseTo(1));
  expect(runTimer()).toBe(SILENCE_MS);
});

test("keeps the first call's silence timer when a second call follows", async () => {
  const { connection, timers } = await openConnection();

  void connection.request(reading);
  const waiting = timers.filter(({ ms, isOver }) => ms === CALL_SILENCE_MS && !isOver);
  void connection.request(reading);

  expect(waiting).toHaveLength(1);
  expect(timers.filter(({ ms, isOver }) => ms === CALL_SILENCE_MS && !isOver)).toEqual(waiting);
});

test("waits the usual silence again when all calls have responses", async () => {
  const { connection, socket, runTimer } = await openConnection();

  const response = connection.request(reading);
  socket.receive(responseTo(1));
  await response;

  expect(runTimer()).toBe(SILENCE_MS);
});

test("throws OfflineError when the connection is stopped during a call", async () => {
  const { connection } = await openConnection();

  const response = connection.request(reading);
  connection.stop();

  await expect(response).rejects.toMatchObject({ name: "OfflineError" });
});

test("returns null when the connection is not open or has too many pending calls", async () => {
  const { connection, sockets, settled } = fakeConnection();
  expect(await connection.request(reading)).toBeNull();
  connection.start();
  await settled();
  expect(await connection.request(reading)).toBeNull();
  sockets[0]!.open();
  await settled();

  for (let i = 0; i < 8; i++) void connection.request(reading);

  expect(await connection.request(reading)).toBeNull();
  expect(sockets[0]!.sent).toHaveLength(8);
});
