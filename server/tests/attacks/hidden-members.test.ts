import { expect, test } from "vitest";
import { exportData } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import { getOptions, neverAgain, unmatch } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { addHiddenArea, saveVisibility } from "@alcove/contract/profiles";
import { addNeverSee, blockUser, pressThreat } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { applyDecisions } from "../../src/cases/decide.ts";
import { considerFreeze } from "../../src/cases/freezes.ts";
import { HOUR_MS } from "../../src/platform/clock.ts";
import { match } from "../../src/testing/match.ts";
import { environmentOf, operator } from "../../src/testing/operator.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { recordStatements } from "../../src/testing/statements.ts";
import { eventually, type TestMember, type TestService } from "../../src/testing/test-service.ts";
import { namingCalls, respondToName } from "./naming-calls.ts";

async function exportOf(member: TestMember): Promise<string> {
  const { path, ...request } = buildRequest(exportData, {});
  const zip = new Uint8Array(await (await member.fetch(path, request)).arrayBuffer());
  return (await readZip(zip)).get("data.json")!.toString();
}

/** Two members of different networks pressed "I am being threatened" about this one. */
async function makeFrozen(service: TestService): Promise<void> {
  const frozen = await service.member("frozen", { sex: "female", paid: true });
  for (const name of ["victim1", "victim2"]) {
    const victim = await service.member(name, { sex: "male" });
    await match(frozen, victim);
    await frozen.call(sendDm, { receiverId: name, description: "Pay." });
    await victim.call(pressThreat, { userId: "frozen", hide: true });
  }
  await considerFreeze(service.ctx, frozen.memberId);
  service.clock.advance(HOUR_MS);
  await applyDecisions(service.ctx);
  const { account_status } = await service.db
    .selectFrom("members")
    .select("account_status")
    .where("member_no", "=", frozen.memberId)
    .executeTakeFirstOrThrow();
  expect(account_status).toBe("suspended");
}

test("a member whom another hides from learns by no call, with one account, that the other exists", async () => {
  const service = await serviceForTest();
  await makeFrozen(service);
  const cases = () => service.db.selectFrom("cases").select("case_no").execute();
  const before = await cases();
  const jiro = await service.member("jiro", { paid: true, sex: "male" });
  const parting = await service.member("parting", { sex: "female" });
  await match(jiro, parting);
  await parting.call(unmatch, { userId: "jiro" });
  const naming = await service.member("naming", { sex: "female" });
  const blocking = await service.member("blocking", { sex: "female" });
  const pausing = await service.member("pausing", { sex: "female" });
  const choosing = await service.member("choosing", { sex: "female" });
  const settling = await service.member("settling", { sex: "female", at: [139.2, 36.2] });
  await settling.call(addHiddenArea, { location: "139.7671,35.6812", radius: 10 });
  await pausing.call(saveVisibility, { paused: true });
  await choosing.call(saveVisibility, { only_liked: true });
  await naming.call(addNeverSee, { who: "jiro" });
  await blocking.call(blockUser, { userId: "jiro" });
  await eventually(async () =>
    expect(
      await service.db.selectFrom("block_edges").select("dir").where("owner", "=", jiro.memberId).execute(),
    ).toHaveLength(3),
  );
  for (const call of namingCalls) {
    const responses = [];
    // A member can still report one who blocked or unmatched them.
    const ending = call.name === "reportUser" ? [] : ["blocking", "parting"];
    for (const name of ["naming", "pausing", "choosing", "settling", "frozen", ...ending, "nobody"])
      responses.push(await respondToName(jiro, call, name));
    expect(new Set(responses)).toEqual(new Set([responses.at(-1)]));
  }
  expect(await exportOf(jiro)).not.toMatch(/naming|blocking|pausing|choosing|settling|frozen|parting/);
  expect(await cases()).toEqual(before);
});

/** Each runs once before, so that keys and caches are warm. */
const MESSAGING = [
  "getDms",
  "sendDm",
  "readDm",
  "showTyping",
  "muteConversation",
  "saveConversation",
  "unsendDm",
];
const MATCHES_ONLY = [...MESSAGING, "showClearIcon", "hideClearIcon"];
const COMPARED = ["getUser", "getOptions", "blockUser", "unblockUser", ...MATCHES_ONLY];

test("runs the same statements for a hidden member and for one who does not exist", async () => {
  const service = await serviceForTest();
  await makeFrozen(service);
  await service.ctx.jobs.stop();
  const jiro = await service.member("jiro", { paid: true, sex: "male" });
  await service.member("shown", { sex: "female" });
  const parted = await service.member("parted", { sex: "female" });
  await match(jiro, parted);
  await parted.call(unmatch, { userId: "jiro" });
  const hiding: Record<string, object> = { pausing: { paused: true }, choosing: { only_liked: true } };
  for (const [name, setting] of Object.entries(hiding))
    await (await service.member(name, { sex: "female" })).call(saveVisibility, setting);
  const settling = await service.member("settling", { sex: "female", at: [139.2, 36.2] });
  await settling.call(addHiddenArea, { location: "139.7671,35.6812", radius: 10 });

  for (const call of namingCalls.filter(({ name }) => COMPARED.includes(name))) {
    const work = async (name: string) => {
      await respondToName(jiro, call, name);
      return recordStatements(() => respondToName(jiro, call, name));
    };
    const nobody = await work("nobody");
    for (const name of ["pausing", "choosing", "settling", "frozen"])
      expect(await work(name)).toEqual(nobody);
    for (const name of MATCHES_ONLY.includes(call.name) ? ["shown", "parted"] : [])
      expect(await work(name)).toEqual(nobody);
  }
});

test("responds alike about a member who passed the caller for good and one who did not", async () => {
  const { member } = await serviceForTest();
  const jiro = await member("jiro", { paid: true, sex: "male" });
  await member("shown", { sex: "female" });
  const choosy = await member("choosy", { sex: "female", paid: true });
  await choosy.call(neverAgain, { userId: "jiro" });

  for (const call of namingCalls) {
    const [about, other] = [
      await respondToName(jiro, call, "choosy"),
      await respondToName(jiro, call, "shown"),
    ];
    expect(about.split(" ").slice(0, 2)).toEqual(other.split(" ").slice(0, 2));
  }
});

const VIEWERS = 300;

test("no card of 300 viewers shows a member who hides", { tags: "long", timeout: 300_000 }, async () => {
  const service = await serviceForTest();
  const shown = await service.member("shown", { sex: "female" });
  const pausing = await service.member("pausing", { sex: "female" });
  const choosing = await service.member("choosing", { sex: "female" });
  const settling = await service.member("settling", { sex: "female", at: [139.2, 36.2] });
  const suspended = await service.member("suspended", { sex: "female" });
  await pausing.call(saveVisibility, { paused: true });
  await choosing.call(saveVisibility, { only_liked: true });
  await settling.call(addHiddenArea, { location: "139.7671,35.6812", radius: 20 });
  await operator(environmentOf(service), "members", "suspend", "suspended");
  await makeFrozen(service);
  const passed = await service.member("passed", { sex: "female" });
  const seen = new Map<string, number>();

  for (let i = 0; i < VIEWERS; i++) {
    const viewer = await service.member(`viewer_${i}`, {
      sex: "male",
      search_sex: "female",
      paid: i % 2 === 0,
    });
    // It would cost a free member the card of the day.
    if (i % 2 === 0) await viewer.call(neverAgain, { userId: "passed" });
    const { options } = await viewer.call(getOptions, {});
    const userIds = options.map(({ user_id }) => user_id);
    if (i % 2 === 0) expect(userIds).not.toContain(passed.user_id);
    for (const userId of userIds) seen.set(userId, (seen.get(userId) ?? 0) + 1);
  }

  expect(seen.get(shown.user_id)).toBeGreaterThan(VIEWERS / 2);
  for (const { user_id } of [pausing, choosing, settling, suspended]) expect(seen.has(user_id)).toBe(false);
  expect(seen.has("frozen")).toBe(false);
});
