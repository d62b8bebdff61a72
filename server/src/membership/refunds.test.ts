import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lockMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { serviceOfTest } from "../testing/match.ts";
import { giveGrant, paidUntil, takeBackGrant } from "./memberships.ts";

interface Given {
  /** After the one before. */
  readonly days: number;
  readonly month: number;
  /** In which order it is taken back; who has no turn stays. */
  readonly turn: number | null;
}

const histories = fc.array(
  fc.record<Given>({
    days: fc.integer({ min: 0, max: 90 }),
    month: fc.integer({ min: 1, max: 14 }),
    turn: fc.option(fc.nat(100)),
  }),
  { minLength: 1, maxLength: 6 },
);

test("what remains after any grants are taken back, in any order, is what only the others would have given; after all, nothing", async () => {
  const { db, member } = await serviceOfTest();
  const people = await Promise.all(Array.from({ length: 2 }, (_, i) => member(`member${i}`, { at: null })));
  const [changed, untouched] = people.map(({ memberId }) => memberId) as [number, number];
  const within = <T>(memberId: number, act: (tx: Parameters<typeof lockMember>[0]) => Promise<T>) =>
    db.transaction().execute(async (tx) => {
      await lockMember(tx, memberId);
      return act(tx);
    });

  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(31, 28, 15), async (history, firstDay) => {
      let at = Date.UTC(2027, 0, firstDay, 12);
      const grants = history.map((given) => {
        at += given.days * DAY_MS;
        return { ...given, at: new Date(at), grantId: randomUUID() };
      });
      const give = (memberId: number, { at: now, month, grantId }: (typeof grants)[number]) =>
        within(memberId, (tx) => giveGrant(tx, memberId, { year: 0, month, source: "order", grantId }, now));
      const takeBack = (memberId: number, grantId: string) =>
        within(memberId, (tx) => takeBackGrant(tx, memberId, grantId, { part: 0, whole: 100 }));

      for (const grant of grants) await give(changed, grant);
      for (const grant of grants) if (grant.turn === null) await give(untouched, grant);
      const taken = grants.filter(({ turn }) => turn !== null).toSorted((a, b) => a.turn! - b.turn!);
      for (const { grantId } of taken) await takeBack(changed, grantId);

      expect(await paidUntil(db, changed)).toEqual(await paidUntil(db, untouched));
      for (const memberId of [changed, untouched]) {
        for (const { grantId } of grants) await takeBack(memberId, grantId);
        expect(await paidUntil(db, memberId)).toBeNull();
      }
      await db.deleteFrom("grants").execute();
    }),
    { numRuns: 40, seed: 20_261_122 },
  );
}, 60_000);

test("of a plan as many months stay as are still paid for, begun ones too, and never more again", async () => {
  const { db, member } = await serviceOfTest();
  const { memberId } = await member("hanako", { at: null });
  const [start, grantId] = [new Date("2027-01-01T00:00:00Z"), randomUUID()];
  const untilAfter = (part: number) =>
    db.transaction().execute(async (tx) => {
      await takeBackGrant(tx, memberId, grantId, { part, whole: 8_000 });
      return (await paidUntil(tx, memberId))?.toISOString().slice(0, 7) ?? null;
    });
  await db
    .transaction()
    .execute((tx) => giveGrant(tx, memberId, { year: 1, month: 0, source: "order", grantId }, start));

  const untils = [];
  for (const part of [7_999, 7_334, 7_333, 4_000, 6_000, 1, 0, 8_000]) untils.push(await untilAfter(part));

  expect(untils).toEqual(["2028-01", "2028-01", "2027-12", "2027-07", "2027-07", "2027-02", null, null]);
});
