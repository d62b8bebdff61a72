import { expect, test } from "vitest";
import { getOptions, getUser, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import { getDms, getLastDms, sendDm } from "@alcove/contract/messaging";
import { addNeverSee, blockUser, reportUser } from "@alcove/contract/safety";
import { rounds } from "../testing/rounds.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { eventually, expectError } from "../testing/test-service.ts";

/** Hanako and Taro on two processes of one database, matched and in a conversation. */
async function apart() {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const hanako = await service.member("hanako", { paid: true });
  const taro = beside.memberAt(await service.member("taro", { paid: true }));
  const jiro = beside.memberAt(await service.member("jiro", { paid: true }));
  return { service, beside, hanako, taro, jiro };
}

test("applies a block to the next response of another process: search, profile, verdicts, chat, media, sockets", async () => {
  for (let round = 0; round < 3; round++) {
    const { service, hanako, taro, jiro } = await apart();
    await match(hanako, taro);
    const { dm } = await hanako.call(sendDm, {
      receiverId: "taro",
      description: "Look.",
      file: fileOf(await quarters().png().toBuffer()),
    });
    const { user } = await taro.call(getUser, { userId: "hanako" });
    const chat = await taro.socket("/ws/dm/hanako");
    const events = await taro.socket("/ws/events");
    const [shown] = (await taro.call(getDms, { friendId: "hanako" })).dms;
    expect((await taro.fetch(shown!.file!)).status).toBe(200);
    expect((await jiro.call(getOptions, {})).options.map((option) => option.user_id)).toContain("hanako");
    const received = events.frames.length;

    await hanako.call(blockUser, { userId: "taro" });
    await hanako.call(blockUser, { userId: "jiro" });

    const responses = await Promise.all([
      expectError(taro.call(getUser, { userId: "hanako" }), "user_not_found"),
      expectError(taro.call(likeUser, { likedId: "hanako" }), "user_not_found"),
      expectError(taro.call(passUser, { unlikedId: "hanako" }), "user_not_found"),
      expectError(taro.call(getDms, { friendId: "hanako" }), "conversation_not_found"),
      expectError(taro.call(sendDm, { receiverId: "hanako", description: "Wait" }), "conversation_not_found"),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await taro.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], unread: [], muted: [] });
    expect(await taro.call(undoPass, {})).toEqual({ user: null });
    await taro.call(reportUser, {
      userId: "hanako",
      reason: "harassment",
      detail: "Blocked, and heard all the same.",
    });
    const options = (await jiro.call(getOptions, {})).options.map((option) => option.user_id);
    expect(options).toEqual(["taro"]);
    for (const address of [shown!.file!, user.icon, dm.file!]) {
      if (address.startsWith("/media/default")) continue;
      expect((await taro.fetch(address)).status).toBe(404);
    }
    const late = await taro.socket("/ws/dm/hanako");
    await eventually(() => expect([chat.closed, late.closed]).toEqual([4403, 4403]));
    expect(events.closed).toBeNull();
    await eventually(() =>
      expect(events.frames.slice(received)).toEqual([{ match_ended: { user_id: "hanako" } }]),
    );
    await service.close();
  }
});

test("applies a block to the next response of another process: a free member's card and an undone pass", async () => {
  const { service, beside, hanako } = await apart();
  const near: [number, number] = [10.75, 59.91];
  const keiko = await service.member("keiko", { sex: "female", at: near });
  const free = beside.memberAt(await service.member("free", { sex: "male", at: near }));
  const idsOf = async () => (await free.call(getOptions, {})).options.map((option) => option.user_id);
  expect(await idsOf()).toEqual(["keiko"]);

  await keiko.call(blockUser, { userId: "free" });

  expect(await free.call(getOptions, {})).toMatchObject({ options: [], reason: "nobody_in_range" });
  await free.call(passUser, { unlikedId: "hanako" });
  await hanako.call(blockUser, { userId: "free" });
  expect(await free.call(undoPass, {})).toEqual({ user: null });
});

test("leaves no match and no message when a block races a like, a message and an undone pass on another process", async () => {
  const { service, beside } = await apart();

  for (let i = 0; i < rounds(15); i++) {
    const her = await service.member(`her${i}`, { at: null, paid: true });
    const him = beside.memberAt(await service.member(`him${i}`, { at: null, paid: true }));
    if (i % 2 === 0) await match(her, him);
    else {
      await her.call(likeUser, { likedId: him.user_id });
      await him.call(passUser, { unlikedId: her.user_id });
    }

    await Promise.allSettled([
      her.call(blockUser, { userId: him.user_id }),
      him.call(undoPass, {}),
      him.call(likeUser, { likedId: her.user_id }),
      him.call(sendDm, { receiverId: her.user_id, description: "Good evening." }),
    ]);

    expect(await him.call(getLastDms, {})).toMatchObject({ matches: [], dms: [], unread: [], muted: [] });
    await expectError(him.call(getUser, { userId: her.user_id }), "user_not_found");
  }
  for (const table of ["match_edges", "likes_received", "messages", "inbox"] as const) {
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test("hides the owner from a named member on another process in the response after the job", async () => {
  const { hanako, taro } = await apart();

  await hanako.call(addNeverSee, { who: "taro" });

  await eventually(() => expectError(taro.call(getUser, { userId: "hanako" }), "user_not_found"));
  expect((await taro.call(getOptions, {})).options.map((option) => option.user_id)).toEqual(["jiro"]);
  expect((await hanako.call(getUser, { userId: "taro" })).user.user_id).toBe("taro");
});
