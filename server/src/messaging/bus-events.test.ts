import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { reactToDm, readDm, saveReading, sendDm, unsendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { encodingsOf } from "../testing/data-traces.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually } from "../testing/test-service.ts";

const HANAKO = "Hanako-Vellum_71";
const TARO = "TaroKettledrum-42";

test("names members to another process without a user id in any event", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const hanako = await here.member(HANAKO, { paid: true });
  const taro = await here.member(TARO, { sex: "male", paid: true });
  const jiro = await here.member("jiro", { sex: "male", paid: true });
  for (const other of [taro, jiro]) await match(hanako, other);
  const events = await listen(here.databaseUrl);
  const hers = await there.memberAt(hanako).socket("/ws/events");
  const his = await there.memberAt(taro).socket("/ws/events");

  await taro.call(readDm, { friendId: HANAKO });
  const { dm } = await hanako.call(sendDm, { receiverId: TARO, description: "Good evening." });
  await taro.call(readDm, { friendId: HANAKO, dmId: dm.id });
  await taro.call(reactToDm, { dmId: dm.id, reaction: "yes" });
  const reaction = { dm_id: dm.id, user_id: TARO, reaction: "yes" };
  await eventually(() => expect(hers.frames).toContainEqual({ reaction }));
  await hanako.call(unsendDm, { friendId: TARO, dmId: dm.id });
  await taro.call(saveReading, { shows_reading: false });
  await hanako.call(blockUser, { userId: "jiro" });
  await eventually(() => expect(hers.frames).toContainEqual({ match_ended: { user_id: "jiro" } }));
  await taro.call(deleteAccount, {});

  await eventually(() => expect(hers.frames).toContainEqual({ match_ended: { user_id: TARO } }));
  expect(his.frames).toContainEqual({ seen: { user_id: HANAKO } });
  expect(his.frames).toContainEqual({ unsent: { user_id: HANAKO, dm_id: dm.id } });
  expect(hers.frames).toContainEqual({ read: { user_id: TARO, reader_id: TARO, dm_id: dm.id } });
  expect(hers.frames).toContainEqual({ reading: { user_id: TARO } });
  const sent = Buffer.from(events.join("\n"));
  for (const kind of [
    "match_seen",
    "messages_read",
    "message_unsent",
    "reaction_changed",
    "read_receipts_changed",
    "match_ended",
  ])
    expect(sent.includes(`"${kind}"`)).toBe(true);
  const forms = [HANAKO, TARO].flatMap((id) => [id, id.toLowerCase()].flatMap(encodingsOf));
  expect(forms.filter((form) => sent.includes(form)).map(String)).toEqual([]);
});

async function listen(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const payloads: string[] = [];
  client.on("notification", ({ payload = "" }) => payloads.push(payload));
  await client.query("listen alcove_events");
  return payloads;
}
