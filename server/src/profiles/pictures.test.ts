import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getUser, showClearIcon } from "@alcove/contract/discovery";
import {
  addPicture,
  changePicture,
  orderPictures,
  removePicture,
  saveProfile,
} from "@alcove/contract/profiles";
import { readFiles } from "../testing/data-traces.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { memberWithIcon, ownUser } from "../testing/sample-members.ts";
import { fileOf, plainPicture } from "../testing/sample-pictures.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";

const picture = fileOf(await plainPicture(64).png().toBuffer());
const clear = { icon: picture, icon_process: false };
const kept = { icon: picture, icon_process: true, keep_clear_icon: true };

async function countFiles({ db, dataDir }: TestService): Promise<[rows: number, files: number]> {
  const rows = await db.selectFrom("media_files").select("media_id").execute();
  const files = (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/"));
  return [rows.length, files.length];
}

const statusOf = async (service: TestService, url: string | null | undefined) =>
  (await service.fetch(url!)).status;

test("shows up to three pictures in the member's order, each processed or clear", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", new Uint8Array(await picture.arrayBuffer()));
  const taro = await service.member("taro", { sex: "male" });
  const first = await ownUser(hanako);
  expect([first.pictures, first.pictures_process]).toEqual([[first.icon], [false]]);

  await hanako.call(addPicture, { icon: picture });
  const { user } = await hanako.call(addPicture, clear);

  expect([user.icon, user.pictures.slice(0, 1)]).toEqual([first.icon, [first.icon]]);
  expect(user.pictures_process).toEqual([false, true, false]);
  await expectError(hanako.call(addPicture, clear), "pictures_full");

  const [one, two, three] = user.pictures;
  const { user: ordered } = await hanako.call(orderPictures, { pictures: [three, one, two].join() });

  expect(ordered.pictures).toEqual([three, one, two]);
  expect([ordered.icon, ordered.icon_process]).toEqual([three, false]);
  expect(ordered.pictures_process).toEqual([false, false, true]);
  const seen = (await taro.call(getUser, { userId: "hanako" })).user;
  expect([seen.pictures.length, seen.pictures[0]]).toEqual([3, seen.icon]);
  for (const url of [...seen.pictures, ...ordered.pictures]) expect(await statusOf(service, url)).toBe(200);
  expect(await countFiles(service)).toEqual([3, 3]);
});

test("replaces and processes a picture at its place, and the first one by the profile's fields", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", new Uint8Array(await picture.arrayBuffer()));
  await hanako.call(addPicture, clear);
  const { user: before } = await hanako.call(addPicture, clear);

  const { user: processed } = await hanako.call(changePicture, {
    picture: before.pictures[1]!,
    icon_process: true,
  });
  expect(processed.pictures_process).toEqual([false, true, false]);
  expect([processed.pictures[0], processed.pictures[2]]).toEqual([before.pictures[0], before.pictures[2]]);
  expect(await statusOf(service, before.pictures[1])).toBe(404);

  await hanako.call(changePicture, { picture: processed.pictures[2]!, ...kept });
  const { user } = await hanako.call(saveProfile, clear);
  expect(user.pictures_process).toEqual([false, true, true]);
  expect(user.clear_pictures.map((url) => url !== null)).toEqual([false, false, true]);
  expect(user.pictures[1]).toBe(processed.pictures[1]);
  await eventually(async () => expect(await countFiles(service)).toEqual([4, 4]));
});

test("deletes a picture with its clear version and URLs, but not the only one", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", new Uint8Array(await picture.arrayBuffer()));
  const { user } = await hanako.call(addPicture, kept);

  const { user: left } = await hanako.call(removePicture, { picture: user.pictures[1]! });

  expect([left.pictures, left.clear_pictures]).toEqual([[user.icon], [null]]);
  for (const url of [user.pictures[1], user.clear_pictures[1]])
    expect(await statusOf(service, url)).toBe(404);
  await expectError(hanako.call(removePicture, { picture: user.icon }), "picture_required");
  await eventually(async () => expect(await countFiles(service)).toEqual([1, 1]));

  await hanako.call(addPicture, clear);
  await hanako.call(deleteAccount, {});
  expect(await statusOf(service, user.icon)).toBe(404);
  await eventually(async () => expect(await countFiles(service)).toEqual([0, 0]));
});

test("finds no foreign, forged or removed picture, and takes no incomplete order", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", new Uint8Array(await picture.arrayBuffer()));
  const taro = await memberWithIcon(service, "taro", new Uint8Array(await picture.arrayBuffer()));
  const { user } = await hanako.call(addPicture, clear);
  const seenByTaro = (await taro.call(getUser, { userId: "hanako" })).user.icon;

  for (const path of [seenByTaro, (await ownUser(taro)).icon, "/media/i/AAAA", "/media/default-icon.svg"]) {
    await expectError(hanako.call(removePicture, { picture: path }), "picture_not_found");
    await expectError(taro.call(removePicture, { picture: seenByTaro }), "picture_not_found");
  }
  const [one, two] = user.pictures;
  for (const pictures of [one!, [one, one].join(), [one, two, two].join()])
    await expectError(hanako.call(orderPictures, { pictures }), "invalid_input");
  expect((await ownUser(hanako)).pictures).toEqual(user.pictures);
});

test("shows all clear pictures to a chosen match, until another one is kept", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await hanako.call(saveProfile, clear);
  await hanako.call(addPicture, kept);
  await hanako.call(showClearIcon, { userId: "taro" });
  const seenBy = async (viewer: TestMember) => (await viewer.call(getUser, { userId: "hanako" })).user;

  const { clear_icon, clear_pictures } = await seenBy(taro);
  expect([clear_icon, clear_pictures[0]]).toEqual([null, null]);
  expect(await statusOf(service, clear_pictures[1])).toBe(200);

  const { pictures } = await ownUser(hanako);
  await hanako.call(orderPictures, { pictures: pictures.toReversed().join() });
  expect((await seenBy(taro)).clear_icon).toMatch(/^\/media\/c\//);

  await hanako.call(addPicture, kept);
  expect((await seenBy(taro)).clear_pictures).toEqual([null, null, null]);
});
