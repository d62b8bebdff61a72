import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getCase } from "@alcove/contract/cases";
import {
  approvePicture,
  getNewPictures,
  openPicture,
  removeNewPicture,
} from "@alcove/contract/console-pictures";
import { getLog } from "@alcove/contract/console";
import { getOptions, getUser } from "@alcove/contract/discovery";
import { addPicture, saveProfile } from "@alcove/contract/profiles";
import { reportUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { announceDecisions } from "../testing/cases.ts";
import { operatorOf } from "../testing/console.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { fileOf, photo } from "../testing/sample-pictures.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError } from "../testing/test-service.ts";

const withReview = (pictureReview: "off" | "after" | "before") => ({
  config: { consolePort: 0, pictureReview },
});

const icon = async (seed: number, process = false) => ({
  icon: fileOf(await photo(seed)),
  icon_process: process,
});

test("lists new pictures without them and their members, riskiest first, and logs the look before it shows one", async () => {
  const service = await serviceForTest(withReview("after"));
  const taro = await service.member("taro", { at: null });
  await taro.call(saveProfile, await icon(1));
  await suspendMember(service.ctx, taro.memberId);
  await eventually(async () =>
    expect(await service.db.selectFrom("suspended_pictures").selectAll().execute()).toHaveLength(1),
  );
  const joined = await service.member("old", { at: null });
  service.clock.advance(8 * DAY_MS);
  const old = await logInAgain(service, joined);
  const fresh = await service.member("fresh", { at: null });
  const again = await service.member("taro-again", { at: null });
  await old.call(saveProfile, await icon(2));
  await fresh.call(saveProfile, { ...(await icon(3, true)), keep_clear_icon: true });
  await again.call(saveProfile, await icon(1, true));
  const sato = await operatorOf(service, "Sato");

  const listed = await eventually(async () => {
    const { pictures } = await sato.call(getNewPictures, {});
    expect(pictures[0]?.risk).toBe("near_banned");
    return pictures;
  });
  expect(listed.map(({ risk }) => risk)).toEqual(["near_banned", "new", "usual"]);
  expect(Object.keys(listed[0]!).toSorted()).toEqual(["id", "on", "risk", "waits"]);
  const shown = await sato.call(openPicture, { id: listed[1]!.id });

  expect(shown.user_id).toBe("fresh");
  const others = await old.call(getUser, { userId: "fresh" });
  const seen = Buffer.from(await (await old.fetch(others.user.icon)).arrayBuffer());
  expect(Buffer.from(shown.jpeg, "base64").equals(seen)).toBe(true);
  const { entries } = await sato.call(getLog, {});
  expect(entries.find(({ action }) => action === "pictures show")?.subject).toBe("fresh");
  await sato.call(approvePicture, { id: listed[1]!.id });
  await expectError(sato.call(openPicture, { id: listed[1]!.id }), "not_found");
});

test("shows a picture to others only once approved, with PICTURE_REVIEW=before", async () => {
  const service = await serviceForTest(withReview("before"));
  const hanako = await service.member("hanako", { sex: "female" });
  const taro = await service.member("taro", { sex: "male", paid: true });
  const cards = async () => (await taro.call(getOptions, { ids: "" })).options.map(({ user_id }) => user_id);
  expect(await cards()).toEqual(["hanako"]);

  await hanako.call(saveProfile, await icon(1));

  const own = (await hanako.call(getOwnUser, {})).user;
  expect([own.pictures_waiting, (await hanako.fetch(own.icon)).status]).toEqual([[true], 200]);
  expect((await taro.call(getUser, { userId: "hanako" })).user.icon).toBe("/media/default-icon.svg");
  expect(await cards()).toEqual([]);
  const sato = await operatorOf(service, "Sato");
  const [picture] = (await sato.call(getNewPictures, {})).pictures;
  expect(picture!.waits).toBe(true);
  await sato.call(approvePicture, { id: picture!.id });

  expect((await hanako.call(getOwnUser, {})).user.pictures_waiting).toEqual([false]);
  const { user } = await taro.call(getUser, { userId: "hanako" });
  expect((await taro.fetch(user.icon)).status).toBe(200);
  expect(await cards()).toEqual(["hanako"]);
});

test("removes one picture by a case, which its member reads at once", async () => {
  const service = await serviceForTest(withReview("after"));
  const hanako = await service.member("hanako", { at: null });
  await hanako.call(saveProfile, await icon(1));
  await hanako.call(addPicture, { icon: fileOf(await photo(2)), icon_process: false });
  const sato = await operatorOf(service, "Sato");
  const { pictures } = await sato.call(getNewPictures, {});
  expect(pictures).toHaveLength(2);
  const before = (await hanako.call(getOwnUser, {})).user.pictures;

  await sato.call(removeNewPicture, { id: pictures[0]!.id, rule: "picture", reason: "stolen" });

  expect(before).toContain((await hanako.call(getOwnUser, {})).user.icon);
  expect((await hanako.call(getOwnUser, {})).user.pictures).toHaveLength(1);
  expect((await hanako.call(getCase, {})).case).toMatchObject({ decision: "remove", rule: "picture" });
  expect((await sato.call(getNewPictures, {})).pictures).toHaveLength(1);
});

test("removes a picture of a member who was reported lately at the usual time, not at once", async () => {
  const service = await serviceForTest(withReview("after"));
  service.clock.set("2027-03-04T10:20:00Z");
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  await hanako.call(saveProfile, await icon(1));
  await taro.call(reportUser, { userId: "hanako", reason: "fake" });
  const sato = await operatorOf(service, "Sato");
  const [picture] = (await sato.call(getNewPictures, {})).pictures;

  await sato.call(removeNewPicture, { id: picture!.id, rule: "picture", reason: "stolen" });

  expect((await hanako.call(getCase, {})).case).toBeNull();
  service.clock.set("2027-03-06T10:00:00Z");
  await announceDecisions(service.ctx);
  const again = await logInAgain(service, hanako);
  expect((await again.call(getCase, {})).case).toMatchObject({ decision: "remove" });
});

test("lists no picture with PICTURE_REVIEW=off, nor one that its member has removed", async () => {
  const off = await serviceForTest(withReview("off"));
  const hanako = await off.member("hanako", { at: null });
  await hanako.call(saveProfile, await icon(1));
  const sato = await operatorOf(off, "Sato");
  expect((await sato.call(getNewPictures, {})).pictures).toEqual([]);

  const after = await serviceForTest(withReview("after"));
  const taro = await after.member("taro", { at: null });
  await taro.call(saveProfile, await icon(1));
  await taro.call(saveProfile, await icon(2));
  const suzuki = await operatorOf(after, "Suzuki");
  expect((await suzuki.call(getNewPictures, {})).pictures).toHaveLength(1);
});

test("keeps a hash of each upload under its owner's key, made before the glass, until the picture goes", async () => {
  const service = await serviceForTest(withReview("after"));
  const hanako = await service.member("hanako", { at: null });
  const hashes = () =>
    service.db
      .selectFrom("media_files")
      .select(["media_id", "encrypted_hash"])
      .where("claimed", "=", true)
      .execute();
  await hanako.call(saveProfile, await icon(1, true));
  const [first] = await hashes();
  expect(first!.encrypted_hash).not.toBeNull();

  await hanako.call(saveProfile, await icon(2));
  const [second, ...more] = await hashes();

  expect(more).toEqual([]);
  expect(second!.media_id).not.toBe(first!.media_id);
});
