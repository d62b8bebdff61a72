import { expect, test } from "vitest";
import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { muteConversation, readDm, saveConversation, sendDm } from "@alcove/contract/messaging";
import { saveProfile, saveVisibility } from "@alcove/contract/profiles";
import { match } from "../../testing/match.ts";
import { fileOf, quarters } from "../../testing/sample-pictures.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually } from "../../testing/test-service.ts";

test("shows read marks and changes of pictures on other tabs and devices", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const taro = await service.member("taro");
  await match(hanako, taro);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });
  const laptop = await hanako.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));
  const follows = (frame: object) => eventually(() => expect(laptop.frames).toContainEqual(frame));

  await hanako.call(readDm, { friendId: "taro", dmId: dm.id });
  await follows({ read: { user_id: "taro", reader_id: "hanako", dm_id: dm.id } });
  await hanako.call(saveConversation, { friendId: "taro", pictures: false });
  await follows({ pictures: { user_id: "taro" } });
  await hanako.call(saveProfile, { icon: fileOf(await quarters().jpeg().toBuffer()) });
  await follows({ changed: { language: null } });
});

test("notifies other tabs and devices of a change, also at another process, and nobody else", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const password = "quiet-evenings-7";
  const hanako = await service.member("hanako", { password });
  const taro = await service.member("taro");
  await match(hanako, taro);
  const tokens = await service.call(logIn, { user_id: "hanako", password });
  const phone = service.memberAt({ ...hanako, ...tokens });
  const laptop = await service.memberAt(hanako, beside.url).socket("/ws/events");
  const theirs = await taro.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count + beside.ctx.sockets.count).toBe(2));
  const withZone = { "time-zone": "Asia/Tokyo" };

  await phone.call(saveVisibility, { paused: true });
  await phone.call(muteConversation, { friendId: "taro", muted: true });
  await phone.call(getOwnUser, {}, "ja");
  await phone.fetch("/ja/users/api/user", { headers: withZone });
  await phone.fetch("/ja/users/api/user", { headers: withZone });

  const changed = (language: string | null) => ({ changed: { language } });
  // The notice of the phone's login may come late.
  const changes = () => laptop.frames.filter((frame) => "changed" in (frame as object));
  await eventually(() => expect(changes()).toEqual([changed(null), changed(null), changed("ja")]));
  expect(theirs.frames).toEqual([]);
});

test("follows a language on one device without publishing it as a choice of the other", async () => {
  const service = await serviceForTest();
  const password = "quiet-evenings-7";
  const hanako = await service.member("hanako", { at: null, password });
  const phone = service.memberAt({
    ...hanako,
    ...(await service.call(logIn, { user_id: "hanako", password })),
  });
  const socket = await hanako.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));
  const visit = (member: typeof hanako, language: string) =>
    member.fetch(`/${language}/users/api/user`, { headers: { "time-zone": "Asia/Tokyo" } });

  await visit(phone, "ja");
  await visit(hanako, "ja");
  await visit(hanako, "zh-hant");

  await eventually(() =>
    expect(socket.frames).toEqual([{ changed: { language: "ja" } }, { changed: { language: "zh-hant" } }]),
  );
});
