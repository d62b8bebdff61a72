import { expect, test } from "vitest";
import { exportData } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import { saveVisibility } from "@alcove/contract/profiles";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
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
    for (const name of ["naming", "pausing", "choosing", ...hiding, "nobody"])
      responses.push(await respondToName(jiro, call, name));
    expect(new Set(responses)).toEqual(new Set([responses.at(-1)]));
  }
  expect(await exportOf(jiro)).not.toMatch(/naming|blocking|pausing|choosing/);
  expect(await service.db.selectFrom("cases").select("accused_no").execute()).toEqual([]);
});
