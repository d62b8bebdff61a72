import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
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
import { hanakoAndTaro, match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { rounds } from "../testing/rounds.ts";
import { corners, cornersOf, fileOf, quarters } from "../testing/sample-pictures.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
} from "../testing/test-service.ts";

const icon = fileOf(await quarters().png().toBuffer());
const iconForm = { icon, icon_process: true, keep_clear_icon: true };

let shared: TestService;
let pairCount = 0;
beforeAll(async () => {
  shared = await testService();
});

/** Hanako has a clear picture and is matched with Taro. */
async function people(service = shared) {
  const { hanako, taro } = await hanakoAndTaro(service, pairCount++);
  const { user } = await hanako.call(saveProfile, iconForm);
  return { service, hanako, taro, own: user };
}

const clearUrlFor = async (me: TestMember, owner: TestMember) =>
  (await me.call(getUser, { userId: owner.user_id })).user.clear_icon;
const statusOf = async (service: TestService, url: string | null) => (await service.fetch(url!)).status;
const viewersOf = async (me: TestMember) =>
  (await me.call(getClearIconViewers, {})).users.map(({ user_id }) => user_id);

test("keeps a clear picture private until its member chooses a viewer", async () => {
  const { service, hanako, taro, own } = await people();

  const [processed, clear] = await Promise.all(
    [own.icon, own.clear_icon!].map(async (url) => (await service.fetch(url)).arrayBuffer()),
  );

  expect(await cornersOf(new Uint8Array(clear!))).toEqual(corners);
  expect(Buffer.from(processed!).equals(Buffer.from(clear!))).toBe(false);
  expect((await sharp(clear).metadata()).exif).toBeUndefined();
  expect([await clearUrlFor(taro, hanako), await viewersOf(hanako)]).toEqual([null, []]);
});

test("shows the clear picture to a chosen match on the profile only, and ends its URL when revoked", async () => {
  const { service, hanako, taro } = await people();

  await hanako.call(showClearIcon, { userId: taro.user_id });
  await hanako.call(showClearIcon, { userId: taro.user_id.toUpperCase() });
  const url = await clearUrlFor(taro, hanako);
  expect(url).toMatch(/^\/media\/c\//);
  const { headers, status } = await service.fetch(url!);
  expect([status, headers.get("cache-control")]).toEqual([200, "private, max-age=600"]);
  expect(await viewersOf(hanako)).toEqual([taro.user_id]);

  await hanako.call(hideClearIcon, { userId: taro.user_id });
  await hanako.call(hideClearIcon, { userId: taro.user_id });
  const again = await service.fetch(url!, { headers: { "if-none-match": headers.get("etag")! } });
  expect([again.status, await clearUrlFor(taro, hanako), await viewersOf(hanako)]).toEqual([404, null, []]);
});

test("responds alike when revoking from a blocking, non-existent or suspended member", async () => {
  const { service, hanako, taro } = await people();
  const jiro = await service.member("jiro", { sex: "male" });
  const saburo = await service.member("saburo", { sex: "male" });
  await jiro.call(blockUser, { userId: hanako.user_id });
  await suspendMember(service.ctx, saburo.memberId);

  for (const userId of ["jiro", "nobody", "saburo", taro.user_id]) {
    expect(await hanako.call(hideClearIcon, { userId })).toBeUndefined();
  }
});

test("accepts only a match as viewer, and only with a clear picture", async () => {
  const { service, hanako, taro } = await people();
  const unmatched = await service.member("unmatched", { sex: "male" });

  for (const userId of [unmatched.user_id, "nobody", hanako.user_id]) {
    await expectError(hanako.call(showClearIcon, { userId }), "user_not_found");
  }
  await expectError(taro.call(showClearIcon, { userId: hanako.user_id }), "clear_icon_missing");
  await expectError(unmatched.call(showClearIcon, { userId: hanako.user_id }), "user_not_found");
  const { options } = await unmatched.call(getOptions, {});
  expect(options.map(({ clear_icon }) => clear_icon)).toEqual(options.map(() => null));
});

type People = Pick<Awaited<ReturnType<typeof people>>, "service" | "hanako" | "taro">;
type End = (at: People) => Promise<unknown>;

async function expectPermissionEnds(at: People, end: End): Promise<void> {
  await at.hanako.call(showClearIcon, { userId: at.taro.user_id });
  const url = await clearUrlFor(at.taro, at.hanako);
  expect(await statusOf(at.service, url)).toBe(200);

  await end(at);

  expect(await statusOf(at.service, url)).toBe(404);
}

let owner: Promise<TestMember> | undefined;

/** A new match of one member, who keeps a clear picture. */
async function newViewer(): Promise<People> {
  const hanako = await (owner ??= people().then((at) => at.hanako));
  const taro = await shared.member(`viewer${pairCount++}`, { paid: true });
  await match(hanako, taro);
  return { service: shared, hanako, taro };
}

test.each<[string, End]>([
  ["a block by the owner", ({ hanako, taro }) => hanako.call(blockUser, { userId: taro.user_id })],
  ["a block by the viewer", ({ hanako, taro }) => taro.call(blockUser, { userId: hanako.user_id })],
  ["a logout", ({ taro }) => taro.call(logOut, { token: taro.refresh })],
  ["the deletion of the viewer", ({ taro }) => taro.call(deleteAccount, {})],
  ["the suspension of the viewer", ({ service, taro }) => suspendMember(service.ctx, taro.memberId)],
  ["a new picture", ({ hanako }) => hanako.call(saveProfile, iconForm)],
])("%s ends the permission", async (_, end) => expectPermissionEnds(await newViewer(), end));

test.each<[string, End]>([
  ["the deletion of the owner", ({ hanako }) => hanako.call(deleteAccount, {})],
  ["the suspension of the owner", ({ service, hanako }) => suspendMember(service.ctx, hanako.memberId)],
  ["the removal of the clear picture", ({ hanako }) => hanako.call(saveProfile, { keep_clear_icon: false })],
])("%s ends the permission", async (_, end) => expectPermissionEnds(await people(), end));

test("requires a new choice after a match ended and returned", async () => {
  const { service, hanako, taro } = await people(await serviceForTest());
  await hanako.call(showClearIcon, { userId: taro.user_id });

  await hanako.call(blockUser, { userId: taro.user_id });

  expect(await service.db.selectFrom("clear_icon_viewers").selectAll().execute()).toEqual([]);
});

test("requires a new choice for a new clear picture", async () => {
  const { service, hanako, taro } = await people(await serviceForTest());
  await hanako.call(showClearIcon, { userId: taro.user_id });

  await hanako.call(saveProfile, iconForm);

  expect([await clearUrlFor(taro, hanako), await viewersOf(hanako)]).toEqual([null, []]);
  await hanako.call(saveProfile, { username: "Hanako", keep_clear_icon: true });
  expect((await hanako.call(getOwnUser, {})).user.clear_icon).not.toBeNull();
  await eventually(async () => expect(await service.ctx.fileStorage.list(null, 10)).toHaveLength(2));
});

test("stores no clear picture unless requested together with a processed icon", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const clearUrl = async () => (await hanako.call(getOwnUser, {})).user.clear_icon;

  await hanako.call(saveProfile, { icon, icon_process: true });
  expect(await clearUrl()).toBeNull();
  const { body } = await expectError(hanako.call(saveProfile, { keep_clear_icon: true }), "invalid_input");
  expect(body["validation_errors"]).toEqual({ icon: ["icon_again"] });
  await hanako.call(saveProfile, { icon, icon_process: false, keep_clear_icon: true });
  expect(await clearUrl()).toBeNull();
  await hanako.call(saveProfile, iconForm);
  expect(await clearUrl()).not.toBeNull();
  await hanako.call(saveProfile, { username: "Hana", keep_clear_icon: false });
  expect(await clearUrl()).toBeNull();
  await eventually(async () => {
    expect(await service.ctx.fileStorage.list(null, 10)).toHaveLength(1);
    expect(await service.db.selectFrom("media_files").selectAll().execute()).toHaveLength(1);
  });
});

test("lists a suspended viewer only after they are restored", async () => {
  const { service, hanako, taro } = await people();
  await hanako.call(showClearIcon, { userId: taro.user_id });

  await suspendMember(service.ctx, taro.memberId);
  expect(await viewersOf(hanako)).toEqual([]);
  await restoreMember(service.ctx, taro.memberId);
  expect(await viewersOf(hanako)).toEqual([taro.user_id]);
});

test("lets the block win when a choice and a block arrive at the same time", async () => {
  const { service, hanako } = await people(await serviceForTest());
  const others = [];
  for (let i = 0; i < rounds(12); i++)
    others.push(await service.member(`him${i}`, { sex: "male", paid: true }));
  for (const him of others) await match(hanako, him);

  await Promise.allSettled(
    others.flatMap(({ user_id: userId }) => [
      hanako.call(showClearIcon, { userId }),
      hanako.call(blockUser, { userId }),
    ]),
  );

  expect(await service.db.selectFrom("clear_icon_viewers").selectAll().execute()).toEqual([]);
});
