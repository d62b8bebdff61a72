import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lockMember } from "../members/locks.ts";
import { DAY_MS } from "../platform/clock.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { addGrant, paidUntil, revokeGrant } from "./memberships.ts";

interface Given {
  /** After the previous grant. */
  readonly days: number;
  readonly month: number;
  /** The position among the revocations; undefined for a grant that stays. */
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

test("leaves the membership of the remaining grants after revocations in any order, and none after all", async () => {
  const { ctx, db, member } = await serviceForTest();
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
        within(memberId, (tx) =>
          addGrant(tx, ctx, memberId, { year: 0, month, source: "order", grantId }, now),
        );
      const revoke = (memberId: number, grantId: string) =>
        within(memberId, (tx) => revokeGrant(tx, ctx, memberId, grantId, { remaining: 0, total: 100 }));

      for (const grant of grants) await give(changed, grant);
      for (const grant of grants) if (grant.turn === null) await give(untouched, grant);
      const taken = grants.filter(({ turn }) => turn !== null).toSorted((a, b) => a.turn! - b.turn!);
      for (const { grantId } of taken) await revoke(changed, grantId);

      expect(await paidUntil(ctx, changed)).toEqual(await paidUntil(ctx, untouched));
      for (const memberId of [changed, untouched]) {
        for (const { grantId } of grants) await revoke(memberId, grantId);
        expect(await paidUntil(ctx, memberId)).toBeNull();
      }
      await db.deleteFrom("grants").execute();
    }),
    { numRuns: 40, seed: 20_261_122 },
  );
}, 60_000);

test("keeps the months that are still paid, including started ones, and never adds any back", async () => {
  const { ctx, db, member } = await serviceForTest();
  const { memberId } = await member("hanako", { at: null });
  const [start, grantId] = [new Date("2027-01-01T00:00:00Z"), randomUUID()];
  const untilAfter = (part: number) =>
    db.transaction().execute(async (tx) => {
      await revokeGrant(tx, ctx, memberId, grantId, { remaining: part, total: 8_000 });
      return (await paidUntil(ctx, memberId, tx))?.toISOString().slice(0, 7) ?? null;
    });
  await db
    .transaction()
    .execute((tx) => addGrant(tx, ctx, memberId, { year: 1, month: 0, source: "order", grantId }, start));

  const untils = [];
  for (const part of [7_999, 7_334, 7_333, 4_000, 6_000, 1, 0, 8_000]) untils.push(await untilAfter(part));

  expect(untils).toEqual(["2028-01", "2028-01", "2027-12", "2027-07", "2027-07", "2027-02", null, null]);
});
