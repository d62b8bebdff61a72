import { expect, test } from "vitest";
import { exportData } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import { getOptions } from "@alcove/contract/discovery";
import { addHiddenArea, saveVisibility } from "@alcove/contract/profiles";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { environmentOf, operator } from "../../src/testing/operator.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { recordStatements } from "../../src/testing/statements.ts";
import { eventually, type TestMember } from "../../src/testing/test-service.ts";
import { namingCalls, respondToName } from "./naming-calls.ts";

async function exportOf(member: TestMember): Promise<string> {
  const { path, ...request } = buildRequest(exportData, {});
  const zip = new Uint8Array(await (await member.fetch(path, request)).arrayBuffer());
  return (await readZip(zip)).get("data.json")!.toString();
}

test("a member whom another hides from learns by no call, with one account, that the other exists", async () => {
  const service = await serviceForTest();
  const jiro = await service.member("jiro", { paid: true, sex: "male" });
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
    ).toHaveLength(2),
  );
  for (const call of namingCalls) {
    const responses = [];
    // A blocked member can still report the other.
    const hiding = call.name === "reportUser" ? [] : ["blocking"];
    for (const name of ["naming", "pausing", "choosing", "settling", ...hiding, "nobody"])
      responses.push(await respondToName(jiro, call, name));
    expect(new Set(responses)).toEqual(new Set([responses.at(-1)]));
  }
  expect(await exportOf(jiro)).not.toMatch(/naming|blocking|pausing|choosing|settling/);
  expect(await service.db.selectFrom("cases").select("accused_no").execute()).toEqual([]);
});

/** Each runs once before, so that keys and caches are warm. */
const COMPARED = ["getUser", "getOptions", "readDm", "showTyping", "muteConversation", "unsendDm"];

test("runs the same statements for a hidden member and for one who does not exist", async () => {
  const service = await serviceForTest();
  await service.ctx.jobs.stop();
  const jiro = await service.member("jiro", { paid: true, sex: "male" });
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
    for (const name of ["pausing", "choosing", "settling"]) expect(await work(name)).toEqual(nobody);
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
  const seen = new Map<string, number>();

  for (let i = 0; i < VIEWERS; i++) {
    const viewer = await service.member(`viewer_${i}`, {
      sex: "male",
      search_sex: "female",
      paid: i % 2 === 0,
    });
    const { options } = await viewer.call(getOptions, {});
    for (const { user_id } of options) seen.set(user_id, (seen.get(user_id) ?? 0) + 1);
  }

  expect(seen.get(shown.user_id)).toBeGreaterThan(VIEWERS / 2);
  for (const hidden of [pausing, choosing, settling, suspended]) expect(seen.has(hidden.user_id)).toBe(false);
});
