import { expect, test } from "vitest";
import { deleteAccount, exportData } from "@alcove/contract/accounts";
import { likeUser } from "@alcove/contract/discovery";
import { getDms, getLastDms, unsendDm } from "@alcove/contract/messaging";
import { unblockUser } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import { forgetDeletedMembers } from "../../testing/cases.ts";
import { readFiles } from "../../testing/data-traces.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { hanakoAndTaro, match } from "../../testing/match.ts";
import { block, write } from "../../testing/member-calls.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { countLockWaits } from "../../testing/statements.ts";
import { eventually, expectError, type TestService } from "../../testing/test-service.ts";
import { hasUnread } from "../../notifications/index.ts";
import { lockConversation, upsertInbox } from "../conversations.sql.ts";
import { createMessage, encryptMessage } from "../message.ts";
import { insertMessage } from "../messages.sql.ts";
import { pairOf } from "../pair.ts";
import { prepareConversation } from "../plain-message-writer.ts";
import { destroyUnsentMessages } from "../unsent-messages.ts";
import { destroyHiddenConversations } from "./hidden-conversations.ts";

const picture = await quarters().jpeg().toBuffer();

async function storedPictures({ dataDir }: TestService): Promise<number> {
  return (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/")).length;
}

async function conversationKeys({ db }: TestService): Promise<number[]> {
  const keys = await db.selectFrom("data_keys").select("key_id").where("key_id", "<", -1_000_000).execute();
  return keys.map(({ key_id }) => key_id);
}

/** The two have written to each other, with a picture of each, and Hanako has blocked Taro. */
async function blockedPair() {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const hers = await write(hanako, taro, "hers", { file: fileOf(picture) });
  const his = await write(taro, hanako, "his", { file: fileOf(picture) });
  await block(hanako, taro);
  return { service, hanako, taro, hers, his };
}

test("hides the conversation from both at once, with its pictures, in calls, URLs, digests and exports", async () => {
  const { service, hanako, taro, hers, his } = await blockedPair();

  for (const [me, other] of [
    [hanako, taro],
    [taro, hanako],
  ] as const) {
    await expectError(me.call(getDms, { friendId: other.user_id }), "conversation_not_found");
    expect(await me.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], unread: [], muted: [] });
    for (const dm of [hers, his]) expect((await me.fetch(dm.file!)).status).toBe(404);
    expect(await hasUnread(service.db, me.memberId)).toBe(false);
    const archive = await me.fetch(`/en${exportData.path}`);
    const files = await readZip(new Uint8Array(await archive.arrayBuffer()));
    expect([...files.keys()]).toEqual(["data.json", "index.html"]);
    expect(JSON.parse(files.get("data.json")!.toString())).toMatchObject({ messages_sent: [] });
  }
  for (const table of ["conversations", "messages", "inbox"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect(await storedPictures(service)).toBe(2);
  expect(await conversationKeys(service)).toHaveLength(1);
});

test("starts an empty conversation with another key when the two match again", async () => {
  const { service, hanako, taro, hers, his } = await blockedPair();
  await hanako.call(unblockUser, { userId: "taro" });

  await match(hanako, taro);
  const dm = await write(taro, hanako, "again", { file: fileOf(picture) });

  for (const [me, other] of [
    [hanako, taro],
    [taro, hanako],
  ] as const) {
    const { dms } = await me.call(getDms, { friendId: other.user_id });
    expect(dms.map(({ description }) => description)).toEqual(["again"]);
    expect((await me.call(getLastDms, {})).dms.map(({ id }) => id)).toEqual([dm.id]);
    for (const { file } of [hers, his]) expect((await me.fetch(file!)).status).toBe(404);
    expect((await me.fetch(dms[0]!.file!)).status).toBe(200);
  }
  expect(new Set(await conversationKeys(service)).size).toBe(2);
  await block(taro, hanako);
  const hidden = await service.db.selectFrom("hidden_conversations").select("key_id").execute();
  expect(new Set(hidden.map(({ key_id }) => key_id)).size).toBe(2);
});

test("destroys the key, the messages and the pictures 30 days after the block", async () => {
  const { service } = await blockedPair();

  service.clock.advance(29 * DAY_MS);
  await destroyHiddenConversations(service.ctx);
  expect(await conversationKeys(service)).toHaveLength(1);
  expect(await service.db.selectFrom("hidden_messages").selectAll().execute()).toHaveLength(2);

  service.clock.advance(DAY_MS);
  await destroyHiddenConversations(service.ctx);
  expect(await conversationKeys(service)).toEqual([]);
  for (const table of ["hidden_conversations", "hidden_messages"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  await eventually(async () => {
    expect(await storedPictures(service)).toBe(0);
    expect(await service.db.selectFrom("media_files").selectAll().execute()).toEqual([]);
  });
});

test("hides a message that is being stored when the block arrives", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const before = await write(hanako, taro, "before");
  const { key_id: keyId } = await service.db
    .selectFrom("conversations")
    .select("key_id")
    .executeTakeFirstOrThrow();
  const message = createMessage(
    {
      pair: pairOf(hanako.memberId, taro.memberId),
      senderMemberId: taro.memberId,
      clientId: null,
      text: "at once",
      mediaId: null,
      voice: null,
      replyId: null,
      keyId: null,
    },
    service.clock.now(),
    before.id,
  );

  let blocking: Promise<unknown> | undefined;
  await service.db.transaction().execute(async (tx) => {
    await lockConversation(tx, message.pair.key);
    blocking = block(hanako, taro);
    await eventually(async () => expect(await countLockWaits(service)).toBe(1));
    await insertMessage(tx, await encryptMessage(service.ctx, keyId, message));
    await upsertInbox(tx, hanako.memberId, taro.memberId, message.id);
  });
  await blocking;

  const hidden = await service.db.selectFrom("hidden_messages").select("message_id").execute();
  expect(hidden.map(({ message_id }) => message_id).toSorted()).toEqual([before.id, message.id]);
});

test("keeps a day and encrypted values only, and no unsent message", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-05T23:59:00Z");
  const { hanako, taro } = await hanakoAndTaro(service);
  const kept = await write(hanako, taro, "kept");
  const { id: dmId } = await write(hanako, taro, "too much");
  await hanako.call(unsendDm, { friendId: "taro", dmId });
  const [message] = await service.db
    .selectFrom("messages")
    .select("encrypted_text")
    .where("message_id", "=", kept.id)
    .execute();

  await block(taro, hanako);

  const [key] = await conversationKeys(service);
  expect(await service.db.selectFrom("hidden_messages").selectAll().execute()).toEqual([
    {
      pair: pairOf(hanako.memberId, taro.memberId).key,
      key_id: key,
      message_id: kept.id,
      sender_no: hanako.memberId,
      encrypted_text: message!.encrypted_text,
      encrypted_media: null,
    },
  ]);
  const rows = await service.db.selectFrom("hidden_conversations").selectAll().orderBy("member_no").execute();
  expect(rows).toMatchObject([{ hidden_on: "2026-05-05" }, { hidden_on: "2026-05-05" }]);
});

test("destroys the key of a conversation without a message at the block", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { id: dmId } = await write(hanako, taro, "too much");
  await hanako.call(unsendDm, { friendId: "taro", dmId });
  service.clock.advance(25 * HOUR_MS);
  await destroyUnsentMessages(service.ctx);

  await block(await logInAgain(service, taro), hanako);

  expect(await conversationKeys(service)).toEqual([]);
  expect(await service.db.selectFrom("hidden_conversations").selectAll().execute()).toEqual([]);
});

test.each(["hanako", "taro"])(
  "destroys a hidden conversation a week after %s deleted their account",
  async (name) => {
    const { service, hanako, taro } = await blockedPair();
    await hanako.call(unblockUser, { userId: "taro" });
    await match(hanako, taro);
    await write(hanako, taro, "again");
    await block(taro, hanako);
    expect(await conversationKeys(service)).toHaveLength(2);

    await (name === "hanako" ? hanako : taro).call(deleteAccount, {});
    await forgetDeletedMembers(service);

    expect(await conversationKeys(service)).toEqual([]);
    for (const table of ["hidden_conversations", "hidden_messages"] as const)
      expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
    await eventually(async () => expect(await storedPictures(service)).toBe(0));
  },
);

test("deletes the images a week after an account was deleted, and nothing remains of a prepared conversation", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await write(hanako, taro, "", { file: fileOf(picture) });
  const jiro = await service.member("jiro", { sex: "male" });
  await jiro.call(likeUser, { likedId: "hanako" });
  await hanako.call(likeUser, { likedId: "jiro" });
  // The process dies between the image and its message.
  await prepareConversation(service.ctx, pairOf(hanako.memberId, jiro.memberId), jiro.memberId);
  expect((await jiro.call(getLastDms, {})).matches.map(({ user_id }) => user_id)).toEqual(["hanako"]);

  await hanako.call(deleteAccount, {});

  for (const table of ["conversations", "messages", "inbox"] as const)
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  await forgetDeletedMembers(service);
  expect(await conversationKeys(service)).toEqual([]);
  await eventually(async () => expect(await storedPictures(service)).toBe(0));
});
