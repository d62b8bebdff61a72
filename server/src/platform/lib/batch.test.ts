import { expect, test } from "vitest";
import { batched } from "./batch.ts";

/** Work whose lots end when they are told to. */
function workshop() {
  const lots: { pieces: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  let begun = () => {};
  const work = (pieces: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      lots.push({ pieces, end: () => resolve(pieces.map((piece) => piece.toUpperCase())), fail: reject });
      begun();
    });
  const next = () => new Promise<void>((resolve) => (begun = resolve));
  return { work, lots, next };
}

test("what comes alone is begun alone; what comes at the same moment is done together, each with its own outcome", async () => {
  const { work, lots, next } = workshop();
  const piece = batched(work, { atOnce: 1, most: 10 });

  const alone = piece("a");
  await next();
  lots[0]!.end();
  expect(await alone).toBe("A");
  const [two, three] = [piece("b"), piece("c")];
  await next();
  lots[1]!.end();

  expect(await Promise.all([two, three])).toEqual(["B", "C"]);
  expect(lots.map(({ pieces }) => pieces)).toEqual([["a"], ["b", "c"]]);
});

test("what comes while others are under way waits, and goes together when one is done", async () => {
  const { work, lots, next } = workshop();
  const piece = batched(work, { atOnce: 2, most: 3 });
  const outcomes = [piece("a")];
  await next();
  outcomes.push(piece("b"));
  await next();

  outcomes.push(...["c", "d", "e", "f"].map(piece));
  await new Promise(setImmediate);
  expect(lots.map(({ pieces }) => pieces)).toEqual([["a"], ["b"]]);
  lots[1]!.end();
  await next();
  lots[2]!.end();
  await next();
  lots[3]!.end();
  lots[0]!.end();

  expect(await Promise.all(outcomes)).toEqual(["A", "B", "C", "D", "E", "F"]);
  expect(lots.map(({ pieces }) => pieces)).toEqual([["a"], ["b"], ["c", "d", "e"], ["f"]]);
});

test("a lot that fails fails for each of its pieces, and holds up nobody after it", async () => {
  const { work, lots, next } = workshop();
  const piece = batched(work, { atOnce: 1, most: 10 });
  const failing = [piece("a"), piece("b")];
  await next();
  const after = piece("c");
  lots[0]!.fail(new Error("no"));

  for (const outcome of await Promise.allSettled(failing)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: new Error("no") });
  }
  if (lots.length === 1) await next();
  lots[1]!.end();
  expect(await after).toBe("C");
});
