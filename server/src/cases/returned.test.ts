import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { saveProfile } from "@alcove/contract/profiles";
import { reportUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { decide, readOpenReports } from "../testing/cases.ts";
import { ownService, serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, photo } from "../testing/sample-pictures.ts";
import { recordStatements } from "../testing/statements.ts";
import { eventually, type TestService } from "../testing/test-service.ts";
import { restoreAccount } from "./index.ts";
import { readFacts } from "./queue.ts";
import { sweepCases } from "./retention.ts";
import { compareSuspended, sweepMarks } from "./returned.ts";
import { applyDecisions } from "./decide.ts";

const clearIcon = async (seed: number, side?: number) => ({
  icon: fileOf(await photo(seed, side)),
  icon_process: false,
});

const storedHashes = ({ db }: TestService) => db.selectFrom("suspended_pictures").selectAll().execute();

async function returnedCases({ ctx, db }: TestService) {
  const cases = await db.selectFrom("cases").select("case_no").where("kind", "=", "returned").execute();
  const facts = await Promise.all(cases.map(({ case_no }) => readFacts(ctx, case_no)));
  return facts.map((one) => [one?.accused?.userId, one?.similarTo]);
}

async function suspendedTaro(service: TestService) {
  const taro = await service.member("taro", { at: null });
  await taro.call(saveProfile, await clearIcon(1));
  await suspendMember(service.ctx, taro.memberId);
  await eventually(async () => expect(await storedHashes(service)).toHaveLength(1));
  return taro;
}

test("opens a case about a picture of a suspended member that returns in another size and quality, and no other", async () => {
  const service = await serviceForTest();
  await suspendedTaro(service);

  for (const [name, seed] of [
    ["jiro", 2],
    ["goro", 3],
    ["taro-again", 1],
  ] as const) {
    const member = await service.member(name, { at: null });
    await member.call(saveProfile, await clearIcon(seed, 420));
  }

  await eventually(async () => expect(await returnedCases(service)).toEqual([["taro-again", "taro"]]));
});

test("opens a case about the mailbox and picture of a banned member who deleted the account before the decision", async () => {
  const service = await serviceForTest();
  const { ctx, clock } = service;
  const hanako = await service.member("hanako", { at: null });
  const swindler = await service.member("swindler", { at: null, email: "swindler@gmail.com" });
  await swindler.call(saveProfile, await clearIcon(7));
  await hanako.call(reportUser, { userId: "swindler", reason: "spam" });
  await swindler.call(deleteAccount, {});
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(ctx);
  await decide(ctx, caseNo, { decision: "ban", rule: "fraud" });
  clock.advance(HOUR_MS);
  await applyDecisions(ctx);
  await eventually(async () => expect(await storedHashes(service)).not.toEqual([]));

  const sameMailbox = await service.member("same-mailbox", { at: null, email: "s.windler+2@googlemail.com" });
  const other = await service.member("other-mailbox", { at: null, email: "honest@gmail.com" });
  for (const [i, member] of [sameMailbox, other].entries())
    await member.call(saveProfile, await clearIcon(20 + i));
  const samePicture = await service.member("same-picture", { at: null });
  await samePicture.call(saveProfile, await clearIcon(7, 420));

  await eventually(async () =>
    expect(await returnedCases(service)).toEqual(
      expect.arrayContaining([
        ["same-mailbox", "swindler"],
        ["same-picture", "swindler"],
      ]),
    ),
  );
  expect(await returnedCases(service)).toHaveLength(2);
  clock.advance(181 * DAY_MS);
  await sweepCases(ctx);
  await sweepMarks(ctx);
  expect(await storedHashes(service)).toEqual([]);
  expect(await service.db.selectFrom("suspended_mailboxes").selectAll().execute()).toEqual([]);
});

test("opens a case about accounts with the mailbox or picture that signed up before the ban took effect", async () => {
  const service = await serviceForTest();
  const { ctx, clock } = service;
  const hanako = await service.member("hanako", { at: null });
  const swindler = await service.member("swindler", { at: null, email: "swindler@gmail.com" });
  await swindler.call(saveProfile, await clearIcon(7));
  await hanako.call(reportUser, { userId: "swindler", reason: "spam" });
  await swindler.call(deleteAccount, {});
  await service.member("same-mailbox", { at: null, email: "s.windler+2@googlemail.com" });
  await service.member("other-mailbox", { at: null, email: "honest@gmail.com" });
  const glass = await service.member("same-picture", { at: null });
  await glass.call(saveProfile, { ...(await clearIcon(7, 420)), icon_process: true });
  await settled(service);
  expect(await returnedCases(service)).toEqual([]);
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(ctx);

  await decide(ctx, caseNo, { decision: "ban", rule: "fraud" });
  clock.advance(HOUR_MS);
  await applyDecisions(ctx);

  await settled(service);
  const found = (await returnedCases(service)).map(([userId]) => userId);
  expect(new Set(found)).toEqual(new Set(["same-mailbox", "same-picture"]));
  await compareSuspended(ctx, swindler.memberId);
  expect(await returnedCases(service)).toHaveLength(2);
});

const settled = ({ ctx, db }: TestService) =>
  eventually(async () => expect((await ctx.jobs.readQueue(db)).due).toBe(0));

test("responds to a banned member who returns as to others, byte for byte, with the same statements", async () => {
  const service = await ownService();
  const banned = await service.member("banned", { at: null, email: "banned@gmail.com" });
  await banned.call(saveProfile, await clearIcon(1));
  await suspendMember(service.ctx, banned.memberId);
  await eventually(async () => expect(await storedHashes(service)).toHaveLength(1));
  await service.ctx.jobs.stop();
  const [same, other] = [
    await service.member("comes-back", { at: null, sex: "male", email: "b.anned@gmail.com" }),
    await service.member("first-time", { at: null, sex: "male", email: "honest@gmail.com" }),
  ];

  const seen: unknown[] = [];
  for (const [member, seed] of [
    [other, 2],
    [same, 1],
  ] as const) {
    const icon = await clearIcon(seed);
    let response: unknown;
    const statements = await recordStatements(async () => {
      response = await member.call(saveProfile, icon);
    }, service);
    const text = JSON.stringify(response)
      .replaceAll(new RegExp(`${member.user_id}|(?:b\\.anned|honest)@gmail\\.com`, "g"), "own")
      .replaceAll(/"[^"]*\/media\/[^"]*"/g, '"url"');
    seen.push([text, statements]);
  }

  expect(JSON.stringify(seen)).toContain("encrypted_profile");
  expect(seen[1]).toEqual(seen[0]);
  expect(await returnedCases(service)).toEqual([]);
});

test("keeps marks of suspended members only, keyed, until the restoration or for a year", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(saveProfile, await clearIcon(5));
  const taro = await suspendedTaro(service);
  const other = await serviceForTest();
  await suspendedTaro(other);

  const [own] = await storedHashes(service);
  const [theirs] = await storedHashes(other);
  expect(own!.hash).not.toBe(theirs!.hash); // another key
  await restoreAccount(service.ctx, taro.memberId);
  expect(await storedHashes(service)).toEqual([]);

  await suspendMember(service.ctx, taro.memberId);
  await eventually(async () => expect(await storedHashes(service)).toHaveLength(1));
  service.clock.advance(365 * DAY_MS);
  await sweepMarks(service.ctx);
  expect(await storedHashes(service)).toHaveLength(1);
  service.clock.advance(DAY_MS);
  await sweepMarks(service.ctx);
  expect(await storedHashes(service)).toEqual([]);
});
