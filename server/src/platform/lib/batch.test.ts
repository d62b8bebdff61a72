import { expect, test } from "vitest";
import { batched } from "./batch.ts";

/** The test ends each batch. */
function controlledWork() {
  const batches: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  let started = () => {};
  const work = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
      started();
    });
  const next = () => new Promise<void>((resolve) => (started = resolve));
  return { work, batches, next };
}

test("runs a single item alone and simultaneous items in one batch, each with its own result", async () => {
  const { work, batches, next } = controlledWork();
  const item = batched(work, { concurrency: 1, maxSize: 10 });

  const alone = item("a");
  await next();
  batches[0]!.end();
  expect(await alone).toBe("A");
  const [two, three] = [item("b"), item("c")];
  await next();
  batches[1]!.end();

  expect(await Promise.all([two, three])).toEqual(["B", "C"]);
  expect(batches.map(({ items }) => items)).toEqual([["a"], ["b", "c"]]);
});

test("batches items that come while other batches run", async () => {
  const { work, batches, next } = controlledWork();
  const item = batched(work, { concurrency: 2, maxSize: 3 });
  const results = [item("a")];
  await next();
  results.push(item("b"));
  await next();

  results.push(...["c", "d", "e", "f"].map(item));
  await new Promise(setImmediate);
  expect(batches.map(({ items }) => items)).toEqual([["a"], ["b"]]);
  batches[1]!.end();
  await next();
  batches[2]!.end();
  await next();
  batches[3]!.end();
  batches[0]!.end();

  expect(await Promise.all(results)).toEqual(["A", "B", "C", "D", "E", "F"]);
  expect(batches.map(({ items }) => items)).toEqual([["a"], ["b"], ["c", "d", "e"], ["f"]]);
});

test("throws for each item when a batch fails, then runs the next batch", async () => {
  const { work, batches, next } = controlledWork();
  const item = batched(work, { concurrency: 1, maxSize: 10 });
  const failing = [item("a"), item("b")];
  await next();
  const after = item("c");
  batches[0]!.fail(new Error("no"));

  for (const result of await Promise.allSettled(failing)) {
    expect(result).toMatchObject({ status: "rejected", reason: new Error("no") });
  }
  if (batches.length === 1) await next();
  batches[1]!.end();
  expect(await after).toBe("C");
});
