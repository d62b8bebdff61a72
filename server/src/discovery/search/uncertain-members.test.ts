import { expect, test } from "vitest";
import { NEWCOMER } from "../../testing/newcomer.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { recordStatementsWithValues } from "../../testing/statements.ts";
import { MAX_CHECKED, UncertainMembers } from "./uncertain-members.ts";
import { loadViewer, type Viewer } from "./viewer.ts";

const NOBODY = {
  ...NEWCOMER,
  cell: 0,
  activeDay: 0,
  chordSquared: 0,
  waitingLikes: 0,
  shownDay: 0,
  isCertain: false,
};

test("loads a thousand members for one search, and shows none that it did not load", async () => {
  const { ctx, member } = await serviceForTest();
  const hanako = await member("hanako");
  const viewer = (await loadViewer(ctx, hanako)) as Viewer;
  const uncertain = new UncertainMembers(ctx, viewer);
  const memberIds = Array.from({ length: MAX_CHECKED + 200 }, (_, i) => 1_000_000 + i);
  uncertain.add(memberIds.map((memberId) => ({ ...NOBODY, memberId })));

  const statements = await recordStatementsWithValues(async () => {
    await uncertain.findUnsuitable(memberIds.slice(0, 300));
    expect(uncertain.isSpent).toBe(false);
    expect((await uncertain.findUnsuitable(memberIds)).size).toBe(memberIds.length);
    expect(uncertain.isSpent).toBe(true);
    expect((await uncertain.findUnsuitable(memberIds)).size).toBe(memberIds.length);
  });

  const named = statements.map(
    ({ values }) => JSON.stringify(values).match(/1000\d{3}|1001\d{3}/g)?.length ?? 0,
  );
  const most = Math.max(...named);
  expect(most).toBeLessThanOrEqual(MAX_CHECKED);
  expect(most).toBeGreaterThan(MAX_CHECKED / 2);
});
