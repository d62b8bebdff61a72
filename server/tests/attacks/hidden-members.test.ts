import { expect, test } from "vitest";
import { calls, type Call } from "@alcove/contract";
import { exportData } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { eventually, type TestMember } from "../../src/testing/test-service.ts";

/** Every call of a member that names another member. */
const NAMING: Record<string, Record<string, unknown>> = {
  getUser: {},
  likeUser: {},
  passUser: {},
  blockUser: {},
  unblockUser: {},
  reportUser: { reason: "other", detail: "something" },
  showClearIcon: {},
  hideClearIcon: {},
  getDms: {},
  sendDm: { description: "Good evening." },
  readDm: {},
  showTyping: {},
  muteConversation: { muted: true },
  unsendDm: { dmId: "01890a5d-ac96-774b-bcce-b302099a8057" },
  getOptions: {},
};
const FIELDS = ["userId", "likedId", "unlikedId", "friendId", "receiverId", "ids"];

/** The field that names the other member. */
const fieldOf = ({ input }: Call) => FIELDS.find((field) => field in input._zod.def.shape);

async function respond(member: TestMember, call: Call, input: Record<string, unknown>): Promise<string> {
  const { path, ...request } = buildRequest(call, input as never);
  const response = await member.fetch(path, request);
  return `${call.name} ${response.status} ${await response.text()}`;
}

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
  await naming.call(addNeverSee, { who: "jiro" });
  await blocking.call(blockUser, { userId: "jiro" });
  await eventually(async () =>
    expect(
      await service.db.selectFrom("block_edges").select("dir").where("owner", "=", jiro.memberId).execute(),
    ).toHaveLength(2),
  );
  const memberCalls = calls.filter((call) => call.access === "member" && fieldOf(call) !== undefined);
  expect(memberCalls.map(({ name }) => name).toSorted()).toEqual(Object.keys(NAMING).toSorted());

  for (const call of memberCalls) {
    const responses = [];
    // A blocked member can still report the other.
    const hiding = call.name === "reportUser" ? ["naming"] : ["naming", "blocking"];
    for (const name of [...hiding, "nobody"])
      responses.push(await respond(jiro, call, { ...NAMING[call.name], [fieldOf(call)!]: name }));
    expect(new Set(responses)).toEqual(new Set([responses.at(-1)]));
  }
  expect(await exportOf(jiro)).not.toMatch(/naming|blocking/);
  expect(await service.db.selectFrom("reports").select("reported_no").execute()).toEqual([]);
});
