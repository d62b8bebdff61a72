import sharp from "sharp";
import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { saveProfile } from "@alcove/contract/profiles";
import { readFiles } from "../testing/data-traces.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { rounds } from "../testing/rounds.ts";
import { memberWithIcon, ownUser } from "../testing/sample-members.ts";
import { cornersOf, corners, fileOf, plainPicture, quarters } from "../testing/sample-pictures.ts";
import { eventually, expectError, type TestService } from "../testing/test-service.ts";
import { changeProfile } from "./changes.ts";

const picture = await quarters().png().toBuffer();

async function countStored({ db, dataDir }: TestService): Promise<{ rows: number; files: number }> {
  const rows = await db.selectFrom("media_files").select("media_id").execute();
  const files = (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/"));
  return { rows: rows.length, files: files.length };
}

async function load(service: TestService, path: string): Promise<Buffer> {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const isClear = async (loaded: Buffer) => (await cornersOf(loaded, 0.48)).join() === corners.join();

test("shows a new icon at once, and deletes the old file and its URL", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", await plainPicture(300).png().toBuffer());
  const taro = await service.member("taro", { sex: "male" });
  const old = [(await ownUser(hanako)).icon, (await taro.call(getUser, { userId: "hanako" })).user.icon];

  const { user } = await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });

  expect(user.icon_process).toBe(false);
  expect(await cornersOf(await load(service, user.icon))).toEqual([...corners]);
  const seen = await taro.call(getUser, { userId: "hanako" });
  expect(await cornersOf(await load(service, seen.user.icon))).toEqual([...corners]);
  for (const url of old) expect((await service.fetch(url)).status).toBe(404);
  await eventually(async () => expect(await countStored(service)).toEqual({ rows: 1, files: 1 }));
});

test("processes a clear icon on request and deletes the clear file", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture);
  const before = await ownUser(hanako);

  const { user } = await hanako.call(saveProfile, { icon_process: true });

  expect(user).toEqual({
    ...before,
    icon: user.icon,
    icon_process: true,
    pictures: [user.icon],
    pictures_process: [true],
  });
  expect((await service.fetch(before.icon)).status).toBe(404);
  expect(await isClear(await load(service, user.icon))).toBe(false);
  await eventually(async () => expect(await countStored(service)).toEqual({ rows: 1, files: 1 }));
});

test("keeps a processed icon processed until another is uploaded", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture, { iconProcess: true });
  const before = await ownUser(hanako);

  for (const icon_process of [false, true, null])
    expect((await hanako.call(saveProfile, { icon_process })).user).toEqual(before);
  // A missing field means no clear picture.
  const silent = await hanako.call(saveProfile, { icon: fileOf(picture) });
  expect(silent.user.icon_process).toBe(true);
  const clear = await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });

  expect(clear.user.icon_process).toBe(false);
  expect(await isClear(await load(service, clear.user.icon))).toBe(true);
});

test("accepts a first icon and stays without one otherwise", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  await service.db.updateTable("profiles").set({ icon_process: false }).execute();

  const without = await hanako.call(saveProfile, { icon_process: true });
  expect(without.user).toMatchObject({ icon: "/media/default-icon.svg", icon_process: true });
  const { user } = await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: true });

  const { width } = await sharp(await load(service, user.icon)).metadata();
  expect(width).toBe(720);
});

test("rejects an invalid picture with all other field errors", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture);
  const before = await ownUser(hanako);

  const { body } = await expectError(
    hanako.call(saveProfile, { icon: fileOf("<svg onload=alert(1)>"), hobby: "Clocks" }),
    "not_an_image",
  );

  expect(body["validation_errors"]).toEqual({ icon: ["not_an_image"] });
  expect(await ownUser(hanako)).toEqual(before);
  expect(await countStored(service)).toEqual({ rows: 1, files: 1 });
});

test("keeps no picture of a rejected form", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture, { tall: 165, tall_unit: "cm" });

  await expectError(
    hanako.call(saveProfile, { icon: fileOf(picture), tall_unit: "feet inches" }),
    "invalid_input",
  );

  expect(await countStored(service)).toEqual({ rows: 1, files: 1 });
});

test("keeps one picture, the one in the profile, when many changes arrive at the same time", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture);

  for (let round = 0; round < rounds(3); round++) {
    await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });
    await Promise.all([
      hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false }),
      hanako.call(saveProfile, { icon_process: true }),
      hanako.call(saveProfile, { icon: fileOf(picture) }),
      hanako.call(saveProfile, { icon_process: true }),
    ]);

    const { icon, icon_process } = await ownUser(hanako);
    expect(await isClear(await load(service, icon))).toBe(!icon_process);
    await eventually(async () => expect(await countStored(service)).toEqual({ rows: 1, files: 1 }));
  }
});

test("keeps a new icon that arrives while the old one is being processed", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture);
  const red = fileOf(await plainPicture(300).png().toBuffer());

  for (let round = 0; round < rounds(3); round++) {
    await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });
    await Promise.all([
      ...Array.from({ length: 3 }, () => hanako.call(saveProfile, { icon_process: true })),
      hanako.call(saveProfile, { icon: red, icon_process: false }),
    ]);

    // Clear or processed: the noise of the glass changes colours, but keeps red the strongest channel.
    for (const corner of await cornersOf(await load(service, (await ownUser(hanako)).icon))) {
      const [r, g, b] = corner.split(",").map(Number);
      expect(r).toBeGreaterThan(Math.max(g!, b!));
    }
  }
});

test("keeps no picture and returns no unexpected error when the member is deleted during the change", async () => {
  const service = await serviceForTest();

  for (let round = 0; round < rounds(3); round++) {
    const hanako = await memberWithIcon(service, `hanako${round}`, picture);
    const changes = Array.from({ length: 8 }, (_, i) =>
      hanako.call(saveProfile, i % 4 === 3 ? { hobby: "Clocks" } : { icon: fileOf(picture) }),
    );
    await Promise.race(changes);
    await hanako.call(deleteAccount, {});

    for (const outcome of await Promise.allSettled(changes))
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 401 });
    await expect(changeProfile(service.ctx, hanako, { hobby: "Masks" })).rejects.toMatchObject({
      code: "login_required",
    });
  }
  await eventually(async () => expect(await countStored(service)).toEqual({ rows: 0, files: 0 }));
});
