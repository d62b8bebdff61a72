import { expect, test, vi } from "vitest";
import { FairQueue, type Turn } from "./fair-queue.ts";

function startQueue(options: { permits: number; maxWaiting: number; maxWaitMs?: number }) {
  const queue = new FairQueue({ ...options, whenFull: () => new Error("full") });
  const started: string[] = [];
  const finishers: (() => void)[] = [];
  const rejected: string[] = [];
  const add = (name: string, groups: readonly string[], more: Partial<Turn> = {}) => {
    const task = async () => {
      started.push(name);
      await new Promise<void>((resolve) => finishers.push(resolve));
    };
    queue.run({ groups, isFirst: false, ...more }, task).catch(() => rejected.push(name));
  };
  /** Finishes running tasks until none is left. */
  const drain = async () => {
    for (let idle = 0; idle < 3; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (finishers.length > 0) idle = 0;
      finishers.shift()?.();
    }
  };
  return { add, drain, started, rejected, running: () => finishers.length };
}

test("runs no more tasks at a time than it has permits", async () => {
  const { add, drain, started, running } = startQueue({ permits: 2, maxWaiting: 10 });

  for (let i = 0; i < 5; i++) add(`${i}`, ["network a"]);
  await new Promise((resolve) => setImmediate(resolve));

  expect(running()).toBe(2);
  await drain();
  expect(started).toEqual(["0", "1", "2", "3", "4"]);
});

test("alternates between networks and between accounts when one of them has sent many tasks", async () => {
  const { add, drain, started } = startQueue({ permits: 1, maxWaiting: 100 });

  for (let i = 0; i < 6; i++) add(`attacker ${i}`, [`account ${i}`, "network a"]);
  add("other network", ["account x", "network b"]);
  for (let i = 0; i < 3; i++) add(`botnet ${i}`, ["account y", `network ${i}`]);
  add("other account", ["account z", "network c"]);
  await drain();

  expect(started.slice(0, 4)).toEqual(["attacker 0", "other network", "botnet 0", "other account"]);
  expect(started).toHaveLength(11);
});

test("runs a network's second task only after the waiting first tasks of others, also later", async () => {
  const { add, drain, started } = startQueue({ permits: 1, maxWaiting: 100 });
  for (let i = 0; i < 5; i++) add(`old ${i}`, ["network a"]);
  await drain();

  for (let i = 0; i < 3; i++) add(`new ${i}`, ["network a"]);
  add("other", ["network b"]);
  await drain();

  expect(started.slice(5)).toEqual(["new 0", "other", "new 1", "new 2"]);
});

test("runs tasks of known devices before all others", async () => {
  const { add, drain, started } = startQueue({ permits: 1, maxWaiting: 10 });

  for (let i = 0; i < 3; i++) add(`unknown ${i}`, [`network ${i}`]);
  add("known", ["network 1"], { isFirst: true });
  await drain();

  expect(started).toEqual(["unknown 0", "known", "unknown 1", "unknown 2"]);
});

test("rejects the latest task of the busiest group when the queue is full", async () => {
  const { add, drain, started, rejected } = startQueue({ permits: 1, maxWaiting: 4 });

  for (let i = 0; i < 8; i++) add(`attacker ${i}`, ["network a"]);
  add("other", ["network b"]);
  add("known", ["network c"], { isFirst: true });
  await drain();

  expect(rejected).toEqual(["attacker 5", "attacker 6", "attacker 7", "attacker 4", "attacker 3"]);
  expect(started).toEqual(["attacker 0", "known", "other", "attacker 1", "attacker 2"]);
});

test("passes the permit on when a task fails", async () => {
  const queue = new FairQueue({ permits: 1, maxWaiting: 1, whenFull: () => new Error("full") });
  const turn = { groups: ["a"], isFirst: false };

  const failing = queue.run(turn, () => Promise.reject(new Error("failed")));
  const next = queue.run(turn, () => Promise.resolve("done"));

  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
  expect(await queue.run(turn, () => Promise.resolve("idle again"))).toBe("idle again");
});

test("rejects a task that waits for too long, and no task that runs", async () => {
  const { add, drain, started, rejected } = startQueue({ permits: 1, maxWaiting: 10, maxWaitMs: 1 });

  for (const name of ["first", "second", "third"]) add(name, []);
  await vi.waitFor(() => expect(rejected).toEqual(["second", "third"]));
  add("fourth", []);
  await drain();

  expect(started).toEqual(["first", "fourth"]);
});
