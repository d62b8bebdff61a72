import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { unmatch } from "@alcove/contract/discovery";
import { getLastDms, saveConversation, saveReading, sendDm } from "@alcove/contract/messaging";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember } from "../testing/test-service.ts";

const picture = async () => fileOf(await quarters().png().toBuffer());
const rowsOf = async (who: TestMember) => {
  const { matches, dms } = await who.call(getLastDms, {});
  return [...matches, ...dms].map(({ pictures, accepts_pictures }) => [pictures, accepts_pictures]);
};

test("rejects pictures that a match does not want, and notifies the match", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const file = await picture();
  await taro.call(sendDm, { receiverId: "hanako", file });
  const events = await taro.socket("/ws/events");

  await hanako.call(saveConversation, { friendId: "taro", pictures: false });

  await eventually(() => expect(events.frames).toEqual([{ pictures: { user_id: "hanako" } }]));
  expect([await rowsOf(hanako), await rowsOf(taro)]).toEqual([[[true, false]], [[false, true]]]);
  for (const description of [null, "Good evening."]) {
    const sent = taro.call(sendDm, { receiverId: "hanako", file, description });
    expect((await expectError(sent, "pictures_unwanted")).status).toBe(422);
  }
  await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });
  await hanako.call(sendDm, { receiverId: "taro", file });
  await hanako.call(saveConversation, { friendId: "taro", pictures: true });
  await taro.call(sendDm, { receiverId: "hanako", file });
});

test("applies the setting to new conversations only, and forgets a choice with its match", async () => {
  const service = await serviceForTest();
  const { db, member } = service;
  const { hanako, taro } = await hanakoAndTaro(service);
  await hanako.call(saveReading, { accepts_pictures: false });
  expect(await rowsOf(taro)).toEqual([[true, true]]);
  const [jiro, saburo] = [await member("jiro", { paid: true }), await member("saburo", { paid: true })];
  for (const other of [jiro, saburo]) {
    await match(hanako, other);
    expect(await rowsOf(other)).toEqual([[false, true]]);
  }

  await jiro.call(unmatch, { userId: "hanako" });
  await saburo.call(deleteAccount, {});
  expect(await db.selectFrom("unwanted_pictures").selectAll().execute()).toEqual([]);
  await expectError(
    jiro.call(saveConversation, { friendId: "hanako", pictures: false }),
    "conversation_not_found",
  );
});
