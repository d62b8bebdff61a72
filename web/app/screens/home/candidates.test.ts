import { expect, onTestFinished, test, vi } from "vitest";
import type { Call } from "@alcove/contract/call";
import type { PublicUser } from "@alcove/contract/users";
import type { api } from "../../lib/api/api.ts";
import { publicUser } from "../../testing/fixtures.ts";
import { Candidates } from "./candidates.ts";

/** A fake server with a fixed row of users. It returns up to 10 that the client does not hold. */
function serverWith(count: number, settings: { fails?: object; likesLeft?: number } = {}) {
  const users = Array.from({ length: count }, (_, index) => publicUser({ user_id: `u${index}` }));
  const decided = new Set<string>();
  const fetches: string[][] = [];
  const sent: string[] = [];
  const likes_left = settings.likesLeft;
  let last: string | null = null;
  const fakeApi = (async (call: Call, input: Record<string, string>) => {
    if (call.name === "getOptions") {
      const ids = input["ids"]?.split(",") ?? [];
      fetches.push(ids);
      const next = users
        .filter(({ user_id }) => !decided.has(user_id) && !ids.includes(user_id))
        .slice(0, 10);
      return next.length > 0
        ? { options: next, likes_left }
        : { options: [], reason: "all_seen", likes_left };
    }
    if (call.name === "undoPass") {
      const user = users.find(({ user_id }) => user_id === last) ?? null;
      if (last) decided.delete(last);
      last = null;
      return { user };
    }
    if (settings.fails) throw Object.assign(new Error("no"), settings.fails);
    sent.push(input["likedId"] ? `like ${input["likedId"]}` : `unlike ${input["unlikedId"]!}`);
    decided.add(input["likedId"] ?? input["unlikedId"]!);
    last = input["unlikedId"] ?? input["likedId"] ?? null;
    return call.name === "likeUser" ? { matched: input["likedId"] === "u1" } : undefined;
  }) as unknown as typeof api;
  return {
    candidates: new Candidates(fakeApi),
    fetches,
    sent,
    expireLast: () => (last = null),
    remove: (id: string) => decided.add(id),
  };
}

const heldIds = (candidates: Candidates) => candidates.getState().options.map((option) => option.user_id);

test("loads more with the held ids and appends them when exactly ten candidates are held", async () => {
  const { candidates, fetches } = serverWith(14);

  await candidates.load();

  expect(fetches).toEqual([[], ["u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"]]);
  expect(heldIds(candidates)).toHaveLength(14);
});

test("loads more only once when there are exactly ten candidates", async () => {
  const { candidates, fetches } = serverWith(10);

  await candidates.load();
  await candidates.refill();

  expect(fetches).toHaveLength(2);
});

test("removes the first candidate after a decision and loads more when ten are left", async () => {
  const { candidates, fetches } = serverWith(25);
  await candidates.load();
  expect(heldIds(candidates)).toHaveLength(20);

  for (let i = 0; i < 10; i++) {
    await candidates.decide(i % 2 === 0 ? "pass" : "like");
    await candidates.refill();
  }

  expect(fetches).toHaveLength(3);
  expect(heldIds(candidates)).toHaveLength(15);
  expect(heldIds(candidates)[0]).toBe("u10");
});

test("returns whether a like made a match", async () => {
  const { candidates } = serverWith(3);
  await candidates.load();

  expect(await candidates.decide("like")).toMatchObject({ user: { user_id: "u0" }, matched: false });
  expect(await candidates.decide("like")).toMatchObject({ user: { user_id: "u1" }, matched: true });
});

test("undoes a pass once and shows that candidate first, and undoes no match", async () => {
  const { candidates } = serverWith(3);
  await candidates.load();
  expect(await candidates.undo()).toBeNull();

  await candidates.decide("pass");
  expect(candidates.getState().undoable).toBe("pass");
  expect(await candidates.undo()).toMatchObject({ user_id: "u0" });

  expect(heldIds(candidates)).toEqual(["u0", "u1", "u2"]);
  expect(candidates.getState().undoable).toBeNull();
  await candidates.decide("pass");
  await candidates.decide("like");
  expect(await candidates.undo()).toBeNull();
  expect(heldIds(candidates)).toEqual(["u2"]);
});

test("undoes a like like a pass, but not once its request made a match", async () => {
  const { candidates } = serverWith(3);
  await candidates.load();
  await candidates.decide("like");
  expect(candidates.getState().undoable).toBe("like");
  expect(await candidates.undo()).toMatchObject({ user_id: "u0" });
  expect(heldIds(candidates)).toEqual(["u0", "u1", "u2"]);

  await candidates.decide("pass");
  const match = candidates.decide("like");
  const undone = candidates.undo();
  expect(await match).toMatchObject({ matched: true });
  expect(await undone).toBeNull();
  expect(heldIds(candidates)).toEqual(["u2"]);
});

test("undoes the last pass when no candidate is left, and returns null when the pass is too old", async () => {
  const { candidates, expireLast } = serverWith(1);
  await candidates.load();
  await candidates.decide("pass");
  await candidates.refill();

  expect(await candidates.undo()).toMatchObject({ user_id: "u0" });
  expect(candidates.getState()).toMatchObject({ phase: "ready", emptyReason: null });
  await candidates.decide("pass");
  expireLast();
  expect(await candidates.undo()).toBeNull();
  expect(candidates.getState().undoable).toBeNull();
});

test("keeps the server's reason when no candidate is left", async () => {
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

test("removes the card at once and sends decisions in order", async () => {
  const { candidates, sent } = serverWith(4);
  await candidates.load();

  const decisions = [candidates.decide("pass"), candidates.decide("like"), candidates.decide("pass")];

  expect(heldIds(candidates)).toEqual(["u3"]);
  await Promise.all(decisions);
  expect(sent).toEqual(["unlike u0", "like u1", "unlike u2"]);
});

test("loads no candidate again whose decision is still being sent", async () => {
  const { candidates, fetches } = serverWith(2);
  await candidates.load();

  const decision = candidates.decide("pass");
  await candidates.load();
  await decision;

  expect(fetches.at(-1)).toEqual(["u1", "u0"]);
  expect(heldIds(candidates)).toEqual(["u1"]);
});

test("brings the card back when a like fails, once it is gone from view, but not a missing candidate", async () => {
  const available = serverWith(2, { fails: { code: "upgrade_required" } }).candidates;
  await available.load();
  let markGone = () => {};
  const isGone = new Promise<void>((resolve) => (markGone = resolve));
  const decision = available.decide("like", isGone);
  const failure = expect(decision).rejects.toThrow();
  await Promise.resolve();
  expect(heldIds(available)).toEqual(["u1"]);
  markGone();
  await failure;
  expect(heldIds(available)).toEqual(["u0", "u1"]);

  const gone = serverWith(2, { fails: { code: "user_not_found" } }).candidates;
  await gone.load();
  await expect(gone.decide("like")).rejects.toThrow();
  expect(heldIds(gone)).toEqual(["u1"]);
});

test("undoes no earlier pass when the undone one fails", async () => {
  const options: { fails?: object } = {};
  const { candidates, sent } = serverWith(3, options);
  await candidates.load();
  await candidates.decide("pass");

  options.fails = { code: "fault" };
  const decision = candidates.decide("pass");
  const undone = candidates.undo();
  await expect(decision).rejects.toThrow();

  expect(await undone).toMatchObject({ user_id: "u1" });
  expect(heldIds(candidates)).toEqual(["u1", "u2"]);
  expect(sent).toEqual(["unlike u0"]);
  delete options.fails;
  expect(candidates.getState().undoable).toBe("pass");
  expect(await candidates.undo()).toMatchObject({ user_id: "u0" });
});

test("counts the likes left down with each like, and not at all for free members", async () => {
  const paid = serverWith(3, { likesLeft: 1 }).candidates;
  await paid.load();
  const free = serverWith(3).candidates;
  await free.load();

  await paid.decide("pass");
  expect(paid.getState().likesLeft).toBe(1);
  await paid.decide("like");
  await free.decide("like");

  expect(paid.getState().likesLeft).toBe(0);
  expect(free.getState().likesLeft).toBeUndefined();
});

test.each([
  ["one card of eleven minutes", 1, 11, [[], []]],
  ["one card of a day", 1, 1_440, [[], []]],
  ["one card of nine minutes", 1, 9, [[]]],
  ["two cards of eleven minutes", 2, 11, [[]]],
  ["no card", 0, 11, [[]]],
])("refreshes %s only if it is a single old one", async (_, count, minutes, expected) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { candidates, fetches } = serverWith(count);
  await candidates.load();

  vi.setSystemTime(Date.now() + minutes * 60_000);
  await candidates.refresh();

  expect(fetches).toEqual(expected);
  expect(heldIds(candidates)).toEqual(Array.from({ length: count }, (_, index) => `u${index}`));
});

test("removes an old card that the server gives no more", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { candidates, remove } = serverWith(1);
  await candidates.load();
  vi.setSystemTime(Date.now() + 11 * 60_000);

  remove("u0");
  await candidates.refresh();

  expect(candidates.getState()).toMatchObject({ options: [], emptyReason: { reason: "all_seen" } });
});

test("brings the card of yesterday back in place of today's", async () => {
  const yesterday = { user_id: "taro", username: "Taro", icon: "/icon.svg" };
  const answers: (PublicUser | null)[] = [publicUser({ user_id: "taro" }), null];
  const candidates = new Candidates((async (call: Call) =>
    call.name === "undoPass"
      ? { user: answers.shift() }
      : { options: [{ user_id: "u0" }], passed_yesterday: yesterday }) as unknown as typeof api);
  await candidates.load();
  expect(candidates.getState().passedYesterday).toBe(yesterday);

  expect(await candidates.undoYesterday()).toMatchObject({ user_id: "taro" });

  expect(heldIds(candidates)).toEqual(["taro"]);
  expect(candidates.getState().passedYesterday).toBeUndefined();
  expect(await candidates.undoYesterday()).toBeNull();
  expect(heldIds(candidates)).toEqual(["taro"]);
});
