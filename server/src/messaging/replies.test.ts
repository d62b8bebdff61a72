import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getDms, sendDm, unsendDm, type Dm } from "@alcove/contract/messaging";
import { MESSAGES_PER_PAGE, QUOTE_MAX } from "@alcove/contract/limits";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { eventually, type TestMember, type TestSocket } from "../testing/test-service.ts";

const read = async (me: TestMember, other: TestMember, afterId?: string) =>
  (await me.call(getDms, { friendId: other.user_id, afterId })).dms;
const quotesIn = (dms: readonly Dm[]) => dms.map(({ reply }) => reply?.description);
const framesOf = (socket: TestSocket) =>
  socket.frames.flatMap((frame) => ("dm" in (frame as object) ? [(frame as { dm: Dm }).dm] : []));

test("shows the start of the quoted message to both members, however far back it is", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const first = await write(taro, hanako, `The table by the window. ${"😀".repeat(QUOTE_MAX)}`);
  for (let i = 0; i < MESSAGES_PER_PAGE; i++) await write(taro, hanako, `${i}`);
  const socket = await taro.socket("/ws/events");

  const sent = await write(hanako, taro, "Keep it for us.", { replyId: first.id });

  const reply = {
    id: first.id,
    sender_id: "taro",
    description: Array.from(first.description!).slice(0, QUOTE_MAX).join(""),
    has_image: false,
  };
  expect(sent.reply).toEqual(reply);
  await eventually(() => expect(framesOf(socket).at(-1)?.reply).toEqual(reply));
  for (const dms of [await read(hanako, taro), await read(taro, hanako)]) {
    expect(dms[0]!.id > first.id).toBe(true); // the quoted message is on another page
    expect(dms.at(-1)!.reply).toEqual(reply);
    expect(dms.slice(0, -1).filter((dm) => "reply" in dm)).toEqual([]);
  }
});

test("ends a quote between two characters as readers see them", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const before = "a".repeat(QUOTE_MAX - 2);
  const first = await write(taro, hanako, `${before}👨‍👩‍👧 and more`);

  const sent = await write(hanako, taro, "All three?", { replyId: first.id });

  expect(sent.reply?.description).toBe(before);
});

test("stores the quoted id encrypted, and quotes a picture without its URL", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const file = fileOf(await quarters().jpeg().toBuffer());
  const { dm: picture } = await taro.call(sendDm, { receiverId: "hanako", file });

  const { id, reply } = await write(hanako, taro, "Beautiful.", { replyId: picture.id });

  expect(reply).toEqual({ id: picture.id, sender_id: "taro", description: null, has_image: true });
  const row = await service.db
    .selectFrom("messages")
    .select("encrypted_reply")
    .where("message_id", "=", id)
    .executeTakeFirstOrThrow();
  const stored = row.encrypted_reply!;
  expect(stored.includes(picture.id)).toBe(false);
  expect(stored.includes(Buffer.from(picture.id.replaceAll("-", ""), "hex"))).toBe(false);
});

test("shows no quote of an unsent message, in pages, events and repeated responses", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const first = await write(taro, hanako, "a secret");
  const second = await write(taro, hanako, "no secret");
  const clientId = randomUUID();
  const input = { receiverId: "taro", description: "I see.", replyId: first.id, clientId };
  const { dm } = await hanako.call(sendDm, input);
  expect(dm.reply?.description).toBe("a secret");

  await taro.call(unsendDm, { friendId: "hanako", dmId: first.id });
  const socket = await taro.socket("/ws/events");
  const { dm: repeated } = await hanako.call(sendDm, input);
  const late = await write(hanako, taro, "Still there?", { replyId: first.id });

  const other = await write(hanako, taro, "That one stays.", { replyId: second.id }); // read again for its event
  await eventually(() => expect(framesOf(socket).map(({ id }) => id)).toEqual([late.id, other.id]));
  const all = [
    repeated,
    late,
    ...framesOf(socket),
    ...(await read(hanako, taro)),
    ...(await read(taro, hanako)),
  ];
  expect(new Set(quotesIn(all.filter(({ id }) => id !== other.id)))).toEqual(new Set([undefined]));
  expect(new Set(quotesIn(all.filter(({ id }) => id === other.id)))).toEqual(new Set(["no secret"]));
  expect(JSON.stringify(all)).not.toContain("a secret");
});

test("clears the quoted id when the reply is unsent", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const first = await write(taro, hanako, "one");
  const { id: dmId } = await write(hanako, taro, "two", { replyId: first.id });

  await hanako.call(unsendDm, { friendId: "taro", dmId });

  const rows = await service.db.selectFrom("messages").select("encrypted_reply").execute();
  expect(rows.map(({ encrypted_reply }) => encrypted_reply)).toEqual([null, null]);
});

test("delivers the text without a quote when the quoted message is missing, of another pair or hidden", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await service.member("jiro", { sex: "male", paid: true });
  await match(hanako, jiro);
  const other = await write(hanako, jiro, "only for jiro");
  const hidden = await write(taro, hanako, "before the block");
  await taro.call(blockUser, { userId: "hanako" });
  await taro.call(unblockUser, { userId: "hanako" });
  await match(hanako, taro);

  for (const replyId of [randomUUID(), other.id, hidden.id]) await write(taro, hanako, "hello", { replyId });

  expect(quotesIn(await read(hanako, taro))).toEqual([undefined, undefined, undefined]);
  const rows = await service.db.selectFrom("messages").select("encrypted_reply").execute();
  expect(rows.every(({ encrypted_reply }) => encrypted_reply === null)).toBe(true);
});
