import sharp from "sharp";
import { expect, test } from "vitest";
import { deleteAccount, getOwnUser, logOut } from "@alcove/contract/accounts";
import {
  getClearIconViewers,
  getOptions,
  getUser,
  hideClearIcon,
  showClearIcon,
} from "@alcove/contract/discovery";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser } from "@alcove/contract/safety";
import { restoreMember, suspendMember } from "../accounts/index.ts";
import { hanakoAndTaro, match, serviceOfTest } from "../testing/match.ts";
import { corners, cornersOf, fileOf, quarters } from "../testing/sample-pictures.ts";
import { eventually, refused, type TestMember, type TestService } from "../testing/test-service.ts";

const icon = fileOf(await quarters().png().toBuffer());
const asked = { icon, icon_process: true, keep_clear_icon: true };

/** Hanako, who keeps a clear picture, and Taro, her match. */
async function people() {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const { user } = await hanako.ask(saveProfile, asked);
  return { service, hanako, taro, own: user };
}

const clearSeenBy = async (me: TestMember) => (await me.ask(getUser, { userId: "hanako" })).user.clear_icon;
const statusOf = async (service: TestService, address: string | null) =>
  (await service.fetch(address!)).status;
const viewersOf = async (me: TestMember) =>
  (await me.ask(getClearIconViewers, {})).users.map(({ user_id }) => user_id);

test("a clear picture is kept beside the processed one for nobody but its member, until it chooses", async () => {
  const { service, hanako, taro, own } = await people();

  const [processed, clear] = await Promise.all(
    [own.icon, own.clear_icon!].map(async (address) => (await service.fetch(address)).arrayBuffer()),
  );

  expect(await cornersOf(new Uint8Array(clear!))).toEqual(corners);
  expect(Buffer.from(processed!).equals(Buffer.from(clear!))).toBe(false);
  expect((await sharp(clear).metadata()).exif).toBeUndefined();
  expect([await clearSeenBy(taro), await viewersOf(hanako)]).toEqual([null, []]);
});

test("a chosen match sees it on the profile, and nowhere else; revoked, the old address is dead at once", async () => {
  const { service, hanako, taro } = await people();

  await hanako.ask(showClearIcon, { userId: "taro" });
  await hanako.ask(showClearIcon, { userId: "TARO" });
  const address = await clearSeenBy(taro);
  expect(address).toMatch(/^\/media\/c\//);
  const { headers, status } = await service.fetch(address!);
  expect([status, headers.get("cache-control")]).toEqual([200, "private, max-age=600"]);
  expect(await viewersOf(hanako)).toEqual(["taro"]);

  await hanako.ask(hideClearIcon, { userId: "taro" });
  await hanako.ask(hideClearIcon, { userId: "taro" });
  const again = await service.fetch(address!, { headers: { "if-none-match": headers.get("etag")! } });
  expect([again.status, await clearSeenBy(taro), await viewersOf(hanako)]).toEqual([404, null, []]);
});

test("to take it back from a blocker, a nobody or a suspended member is answered alike", async () => {
  const { service, hanako } = await people();
  const jiro = await service.member("jiro", { sex: "male" });
  const saburo = await service.member("saburo", { sex: "male" });
  await jiro.ask(blockUser, { userId: "hanako" });
  await service.db
    .updateTable("members")
    .set({ account_status: "suspended" })
    .where("member_no", "=", saburo.memberId)
    .execute();

  for (const userId of ["jiro", "nobody", "saburo", "taro"]) {
    expect(await hanako.ask(hideClearIcon, { userId })).toBeUndefined();
  }
});

test("only a match can be chosen, and only where a clear picture is kept", async () => {
  const { service, hanako, taro } = await people();
  const jiro = await service.member("jiro", { sex: "male" });

  for (const userId of ["jiro", "nobody", "hanako"]) {
    await refused(hanako.ask(showClearIcon, { userId }), "user_not_found");
  }
  await refused(taro.ask(showClearIcon, { userId: "hanako" }), "clear_icon_missing");
  await refused(jiro.ask(showClearIcon, { userId: "hanako" }), "user_not_found");
  const { options } = await jiro.ask(getOptions, {});
  expect(options.map(({ clear_icon }) => clear_icon)).toEqual(options.map(() => null));
});

test.each<[string, (at: Awaited<ReturnType<typeof people>>) => Promise<unknown>]>([
  ["a block by the one who shows", ({ hanako }) => hanako.ask(blockUser, { userId: "taro" })],
  ["a block by the one who looks", ({ taro }) => taro.ask(blockUser, { userId: "hanako" })],
  ["logging out", ({ taro }) => taro.ask(logOut, { token: taro.refresh })],
  ["deleting the account that shows", ({ hanako }) => hanako.ask(deleteAccount, {})],
  ["deleting the account that looks", ({ taro }) => taro.ask(deleteAccount, {})],
  ["suspending the one who looks", ({ service, taro }) => suspendMember(service.ctx, taro.memberId)],
  ["suspending the one who shows", ({ service, hanako }) => suspendMember(service.ctx, hanako.memberId)],
  ["keeping none any more", ({ hanako }) => hanako.ask(saveProfile, { keep_clear_icon: false })],
  ["another picture", ({ hanako }) => hanako.ask(saveProfile, asked)],
])("%s ends the look", async (_, end) => {
  const at = await people();
  await at.hanako.ask(showClearIcon, { userId: "taro" });
  const address = await clearSeenBy(at.taro);
  expect(await statusOf(at.service, address)).toBe(200);

  await end(at);

  expect(await statusOf(at.service, address)).toBe(404);
});

test("a match that ended and came again was not chosen", async () => {
  const { service, hanako, taro } = await people();
  await hanako.ask(showClearIcon, { userId: "taro" });

  await hanako.ask(blockUser, { userId: "taro" });

  expect(await service.db.selectFrom("clear_icon_viewers").selectAll().execute()).toEqual([]);
  expect(taro.user_id).toBe("taro");
});

test("another picture, kept clear too, is shown to nobody before it is chosen for again", async () => {
  const { service, hanako, taro } = await people();
  await hanako.ask(showClearIcon, { userId: "taro" });

  await hanako.ask(saveProfile, asked);

  expect([await clearSeenBy(taro), await viewersOf(hanako)]).toEqual([null, []]);
  await hanako.ask(saveProfile, { username: "Hanako", keep_clear_icon: true });
  expect((await hanako.ask(getOwnUser, {})).user.clear_icon).not.toBeNull();
  await eventually(async () => expect(await service.ctx.fileStorage.list(null, 10)).toHaveLength(2));
});

test("without being asked for, or with a picture that is not processed, none is kept; it takes the picture itself", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const kept = async () => (await hanako.ask(getOwnUser, {})).user.clear_icon;

  await hanako.ask(saveProfile, { icon, icon_process: true });
  expect(await kept()).toBeNull();
  const { body } = await refused(hanako.ask(saveProfile, { keep_clear_icon: true }), "invalid_input");
  expect(body["validation_errors"]).toEqual({ icon: ["icon_again"] });
  await hanako.ask(saveProfile, { icon, icon_process: false, keep_clear_icon: true });
  expect(await kept()).toBeNull();
  await hanako.ask(saveProfile, asked);
  expect(await kept()).not.toBeNull();
  await hanako.ask(saveProfile, { username: "Hana", keep_clear_icon: false });
  expect(await kept()).toBeNull();
  await eventually(async () => {
    expect(await service.ctx.fileStorage.list(null, 10)).toHaveLength(1);
    expect(await service.db.selectFrom("media_files").selectAll().execute()).toHaveLength(1);
  });
});

test("a suspended viewer is listed to nobody, and is there again when it is let in", async () => {
  const { service, hanako, taro } = await people();
  await hanako.ask(showClearIcon, { userId: "taro" });

  await suspendMember(service.ctx, taro.memberId);
  expect(await viewersOf(hanako)).toEqual([]);
  await restoreMember(service.ctx, taro.memberId);
  expect(await viewersOf(hanako)).toEqual(["taro"]);
});

test("of choosing and blocking at the same moment the block wins, always", async () => {
  const { service, hanako } = await people();
  const others = [];
  for (let i = 0; i < 12; i++) others.push(await service.member(`him${i}`, { sex: "male", paid: true }));
  for (const him of others) await match(hanako, him);

  await Promise.allSettled(
    others.flatMap(({ user_id: userId }) => [
      hanako.ask(showClearIcon, { userId }),
      hanako.ask(blockUser, { userId }),
    ]),
  );

  expect(await service.db.selectFrom("clear_icon_viewers").selectAll().execute()).toEqual([]);
});
