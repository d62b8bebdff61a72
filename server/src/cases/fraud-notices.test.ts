import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { appealCase, getNotices, readNotices } from "@alcove/contract/cases";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { HOUR_MS } from "../platform/clock.ts";
import { announceDecisions, BY_OTHER, decide, readOpenReports } from "../testing/cases.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, type TestMember, type TestService } from "../testing/test-service.ts";
import { decideAppeal } from "./appeals.ts";
import { restoreAccount } from "./accounts.ts";
import { warnContacts } from "./fraud-notices.ts";

/** Three women match a swindler; the first two write back, and he blocks the second. */
async function swindled() {
  const service = await serviceForTest();
  const swindler = await service.member("swindler", { sex: "male", paid: true });
  const women: TestMember[] = [];
  for (const name of ["wrote", "blocked", "silent"]) {
    const woman = await service.member(name, { sex: "female", paid: true });
    await match(woman, swindler);
    await swindler.call(sendDm, { receiverId: name, description: "Send money." });
    if (name !== "silent") await woman.call(sendDm, { receiverId: "swindler", description: "How much?" });
    women.push(woman);
  }
  await swindler.call(blockUser, { userId: "blocked" });
  await women[0]!.call(reportUser, { userId: "swindler", reason: "spam" });
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(service.ctx);
  return { service, swindler, women, caseNo };
}

async function ban(service: TestService, caseNo: number) {
  await decide(service.ctx, caseNo, { decision: "ban", rule: "fraud" });
  service.clock.advance(HOUR_MS);
  await announceDecisions(service.ctx);
}

const noticesOf = async (service: TestService, women: readonly TestMember[]) =>
  Promise.all(
    women.map(async (woman) => (await (await logInAgain(service, woman)).call(getNotices, {})).notices),
  );

test("warns once those who wrote to a member who is banned for fraud, even after a block and the deletion", async () => {
  const { service, swindler, women, caseNo } = await swindled();
  await swindler.call(deleteAccount, {});
  const socket = await women[0]!.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));
  const beside = await serviceForTest({ beside: service });

  await ban(service, caseNo);
  await eventually(async () =>
    expect((await noticesOf(service, women)).map(({ length }) => length)).toEqual([1, 1, 0]),
  );
  await Promise.all([service, beside].map(({ ctx }) => warnContacts(ctx, caseNo, "fraud")));

  const [first, ...others] = await noticesOf(service, women);
  const [notice] = first!;
  expect(others.map(({ length }) => length)).toEqual([1, 0]);
  expect(notice!.text).toContain("swindler");
  expect(notice!.is_new).toBe(true);
  await (await logInAgain(service, women[0]!)).call(readNotices, {});
  expect((await noticesOf(service, women)).flat().map(({ is_new }) => is_new)).toEqual([false, true]);
  await eventually(() => expect(socket.frames).toContainEqual({ notice: { id: notice!.id } }));
});

test("corrects the notice when the ban is reversed, and warns nobody about another rule", async () => {
  const { service, swindler, women, caseNo } = await swindled();
  await ban(service, caseNo);
  await eventually(async () => expect((await noticesOf(service, women))[0]).toHaveLength(1));

  await (await logInAgain(service, swindler)).call(appealCase, { text: "It was a joke." });
  await decideAppeal(service.ctx, caseNo, { outcome: "reverse", reason: "a joke", by: BY_OTHER });

  await eventually(async () =>
    expect((await noticesOf(service, women)).map(({ length }) => length)).toEqual([2, 2, 0]),
  );
  await (await logInAgain(service, women[0]!)).call(reportUser, { userId: "swindler", reason: "spam" });
  const [again] = await readOpenReports(service.ctx);
  await decide(service.ctx, again!.caseNo, { decision: "ban", rule: "underage" });
  service.clock.advance(HOUR_MS);
  await announceDecisions(service.ctx);
  expect(await service.db.selectFrom("member_notices").select("kind").execute()).toHaveLength(4);
});

test("corrects the notice when an operator restores the account", async () => {
  const { service, swindler, women, caseNo } = await swindled();
  await ban(service, caseNo);
  await eventually(async () => expect((await noticesOf(service, women))[0]).toHaveLength(1));

  await restoreAccount(service.ctx, swindler.memberId);

  await eventually(async () =>
    expect((await noticesOf(service, women)).map(({ length }) => length)).toEqual([2, 2, 0]),
  );
});
