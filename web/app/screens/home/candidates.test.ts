import { expect, test } from "vitest";
import type { Call } from "@alcove/contract/call";
import { getOptions, likeUser, undoPass } from "@alcove/contract/discovery";
import type { PublicUser } from "@alcove/contract/users";
import type { api } from "../../lib/api.ts";
import { Candidates } from "./candidates.ts";

/** A fake server with a fixed row of users. It returns up to 10 that the client does not hold. */
function serverWith(count: number, options: { likeFails?: { code: string } } = {}) {
  const line = Array.from({ length: count }, (_, index) => ({ user_id: `u${index}` }) as PublicUser);
  const judged = new Set<string>();
  const fetches: string[][] = [];
  let lastPass: string | null = null;
  const ask = (async (call: Call, input: Record<string, string>) => {
    if (call === (getOptions as unknown as Call)) {
      const ids = input["ids"]?.split(",") ?? [];
      fetches.push(ids);
      const next = line.filter(({ user_id }) => !judged.has(user_id) && !ids.includes(user_id)).slice(0, 10);
      return next.length > 0 ? { options: next } : { options: [], reason: "all_seen" };
    }
    if (call === (undoPass as unknown as Call)) {
      const user = line.find(({ user_id }) => user_id === lastPass) ?? null;
      if (lastPass) judged.delete(lastPass);
      lastPass = null;
      return { user };
    }
    if (options.likeFails) throw Object.assign(new Error("no"), options.likeFails);
    judged.add(input["likedId"] ?? input["unlikedId"]!);
    lastPass = input["unlikedId"] ?? null;
    return call === (likeUser as unknown as Call) ? { matched: input["likedId"] === "u1" } : undefined;
  }) as unknown as typeof api;
  return { candidates: new Candidates(ask), fetches, forget: () => (lastPass = null) };
}

const heldBy = (candidates: Candidates) => candidates.getState().options.map((option) => option.user_id);

test("exactly ten held candidates bring a fetch with their ids, which is appended", async () => {
  const { candidates, fetches } = serverWith(14);

  await candidates.load();

  expect(fetches).toEqual([[], ["u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"]]);
  expect(heldBy(candidates)).toHaveLength(14);
});

test("exactly ten and nobody else is asked for once, not without end", async () => {
  const { candidates, fetches } = serverWith(10);

  await candidates.load();
  await candidates.refill();

  expect(fetches).toHaveLength(2);
});

test("after a verdict the first one leaves, and at ten again more are fetched", async () => {
  const { candidates, fetches } = serverWith(25);
  await candidates.load();
  expect(heldBy(candidates)).toHaveLength(20);

  for (let i = 0; i < 10; i++) {
    await candidates.decide(i % 2 === 0 ? "pass" : "like");
    await candidates.refill();
  }

  expect(fetches).toHaveLength(3);
  expect(heldBy(candidates)).toHaveLength(15);
  expect(heldBy(candidates)[0]).toBe("u10");
});

test("a like that is returned is told", async () => {
  const { candidates } = serverWith(3);
  await candidates.load();

  expect(await candidates.decide("like")).toMatchObject({ user: { user_id: "u0" }, matched: false });
  expect(await candidates.decide("like")).toMatchObject({ user: { user_id: "u1" }, matched: true });
});

test("a pass is taken back once, by the one who was passed being first again; a like is not", async () => {
  const { candidates } = serverWith(3);
  await candidates.load();
  expect(await candidates.undo()).toBeNull();

  await candidates.decide("pass");
  expect(candidates.getState().canUndo).toBe(true);
  expect(await candidates.undo()).toMatchObject({ user_id: "u0" });

  expect(heldBy(candidates)).toEqual(["u0", "u1", "u2"]);
  expect(candidates.getState().canUndo).toBe(false);
  await candidates.decide("pass");
  await candidates.decide("like");
  expect(await candidates.undo()).toBeNull();
  expect(heldBy(candidates)).toEqual(["u2"]);
});

test("when nobody is left the last pass can still be taken back, and a pass too old is told as such", async () => {
  const { candidates, forget } = serverWith(1);
  await candidates.load();
  await candidates.decide("pass");
  await candidates.refill();

  expect(await candidates.undo()).toMatchObject({ user_id: "u0" });
  expect(candidates.getState()).toMatchObject({ phase: "ready", emptyReason: null });
  await candidates.decide("pass");
  forget();
  expect(await candidates.undo()).toBeNull();
  expect(candidates.getState().canUndo).toBe(false);
});

test("when nobody is left the reason is known", async () => {
  const { candidates } = serverWith(1);
  await candidates.load();
  await candidates.decide("pass");
  await candidates.refill();

  expect(candidates.getState()).toMatchObject({
    phase: "ready",
    options: [],
    emptyReason: { reason: "all_seen" },
  });
});

test("two verdicts at once are one", async () => {
  const { candidates } = serverWith(3);
  await candidates.load();

  const [first, second] = await Promise.all([candidates.decide("like"), candidates.decide("like")]);

  expect(first).not.toBeNull();
  expect(second).toBeNull();
  expect(heldBy(candidates)).toEqual(["u1", "u2"]);
});

test("a refused like keeps the card; one for somebody who left does not", async () => {
  const kept = serverWith(2, { likeFails: { code: "upgrade_required" } }).candidates;
  await kept.load();
  await expect(kept.decide("like")).rejects.toThrow();
  expect(heldBy(kept)).toEqual(["u0", "u1"]);
  expect(kept.getState().isDeciding).toBe(false);

  const gone = serverWith(2, { likeFails: { code: "user_not_found" } }).candidates;
  await gone.load();
  await expect(gone.decide("like")).rejects.toThrow();
  expect(heldBy(gone)).toEqual(["u1"]);
});
