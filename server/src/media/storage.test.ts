import { mkdir, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { createMember } from "../accounts/index.ts";
import { HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { forgetDeletedMembers } from "../testing/cases.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { sampleProfile } from "../testing/profile.ts";
import { eventually, type TestService } from "../testing/test-service.ts";
import { readFiles } from "../testing/data-traces.ts";
import { deleteUnclaimedMedia } from "./files.ts";
import { claimMedia, deleteMedia, storeIcon, storeMessageImage } from "./index.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { fileOf, plainPicture, quarters } from "../testing/sample-pictures.ts";

const picture = await quarters().png().toBuffer();

/** Counts rows and files. The folder is missing before the first picture. */
async function countStored({ db, dataDir }: TestService): Promise<{ rows: number; files: number }> {
  const rows = await db.selectFrom("media_files").select("media_id").execute();
  const files = (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/"));
  return { rows: rows.length, files: files.length };
}

test("deletes only unused uploads, after the second whole hour", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T10:59:00Z");
  const hanako = await memberWithIcon(service, "hanako", picture);
  await storeMessageImage(service.ctx, hanako.memberId, fileOf(picture), async () => hanako.memberId);
  service.ctx.encryption.keys.create(4_711);
  await storeIcon(service.ctx, 4_711, fileOf(picture), { process: true });
  expect(await countStored(service)).toEqual({ rows: 3, files: 3 });

  service.clock.advance(61 * MINUTE_MS);
  await deleteUnclaimedMedia(service.ctx);
  expect(await countStored(service)).toEqual({ rows: 3, files: 3 });

  service.clock.advance(MINUTE_MS);
  await Promise.all([deleteUnclaimedMedia(service.ctx), deleteUnclaimedMedia(service.ctx)]);
  expect(await countStored(service)).toEqual({ rows: 1, files: 1 });
});

test("deletes files of an interrupted sign-up, partial files too", async () => {
  const service = await serviceForTest();
  service.ctx.encryption.keys.create(4_711);
  const { mediaId } = await storeIcon(service.ctx, 4_711, fileOf(picture), { process: false });
  await service.db
    .insertInto("media_files")
    .values({
      member_no: 4_711,
      media_id: crypto.randomUUID(),
      kind: "icon",
      is_voice: false,
      created_at: service.clock.now(),
    })
    .execute();
  const folder = join(service.dataDir, "media", mediaId.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${mediaId}.draft`), "half of it");

  service.clock.advance(3 * HOUR_MS);
  await deleteUnclaimedMedia(service.ctx);

  expect(await countStored(service)).toEqual({ rows: 0, files: 0 });
});

test("fails unexpectedly when the store rejects a picture, and deletes its row later", async () => {
  const service = await serviceForTest();
  // A file replaces the folder of pictures.
  await rm(join(service.dataDir, "media"), { recursive: true });
  await writeFile(join(service.dataDir, "media"), "");

  service.ctx.encryption.keys.create(4_711);
  await expect(storeIcon(service.ctx, 4_711, fileOf(picture), { process: false })).rejects.toThrow();
  await rm(join(service.dataDir, "media"));
  expect(await countStored(service)).toEqual({ rows: 1, files: 0 });
  service.clock.advance(2 * HOUR_MS);
  await deleteUnclaimedMedia(service.ctx);
  expect(await countStored(service)).toEqual({ rows: 0, files: 0 });
});

test("deletes the stored picture when the sign-up fails", async () => {
  const service = await serviceForTest();
  await service.member("hanako", { at: null });
  const form = {
    password: null,
    language: "en",
    profile: sampleProfile({}),
    icon: fileOf(picture),
    iconProcess: false,
  } as const;

  await expect(
    createMember(service.ctx, { ...form, userId: "HANAKO", email: "b@example.com" }),
  ).rejects.toThrow();
  await expect(
    createMember(service.ctx, { ...form, userId: "hanae", email: "hanako@example.com" }),
  ).rejects.toThrow();

  expect(await countStored(service)).toEqual({ rows: 0, files: 0 });
});

test("rejects a deleted picture and deletes it twice without harm", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const { mediaId } = await storeMessageImage(
    service.ctx,
    hanako.memberId,
    fileOf(picture),
    async () => hanako.memberId,
  );

  await deleteMedia(service.ctx, hanako.memberId, mediaId);
  await deleteMedia(service.ctx, hanako.memberId, mediaId);

  expect(await countStored(service)).toEqual({ rows: 0, files: 0 });
  const claiming = service.db.transaction().execute((tx) => claimMedia(tx, hanako.memberId, mediaId));
  await expect(claiming).rejects.toThrow("media file to claim is missing");
});

test("does not delete another member's picture by its id", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture);
  const { media_id: id } = await service.db.selectFrom("media_files").selectAll().executeTakeFirstOrThrow();

  await expect(
    service.db.transaction().execute((tx) => claimMedia(tx, hanako.memberId + 1, id)),
  ).rejects.toThrow("media file to claim is missing");
  expect((await service.fetch((await hanako.call(getOwnUser, {})).user.icon)).status).toBe(200);
});

test("deletes those sent to a deleted account, and its own pictures when no match can report them", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await memberWithIcon(service, "jiro", picture);
  await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  await taro.call(sendDm, { receiverId: "hanako", file: fileOf(picture) });
  expect(await countStored(service)).toEqual({ rows: 3, files: 3 });

  await hanako.call(deleteAccount, {});

  const kinds = () =>
    service.db.selectFrom("media_files").select(["member_no", "kind"]).orderBy("member_no").execute();
  const hers = { member_no: hanako.memberId, kind: "hidden" };
  await eventually(async () =>
    expect(await kinds()).toEqual([hers, { member_no: jiro.memberId, kind: "icon" }]),
  );
  await jiro.call(deleteAccount, {});
  await eventually(async () => expect(await countStored(service)).toEqual({ rows: 1, files: 1 }));
  await forgetDeletedMembers(service);
  await eventually(async () => expect(await countStored(service)).toEqual({ rows: 0, files: 0 }));
});

test("keeps no picture of a message sent during a deletion or block", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);

  const sending = Array.from({ length: 12 }, (_, i) =>
    (i % 2 ? hanako : taro).call(sendDm, { receiverId: i % 2 ? "taro" : "hanako", file: fileOf(picture) }),
  );
  await Promise.race(sending);
  const ending = [taro.call(blockUser, { userId: "hanako" }), hanako.call(deleteAccount, {})];
  await Promise.allSettled([...sending, ...ending]);

  await forgetDeletedMembers(service);
  await eventually(async () => {
    await deleteUnclaimedMedia(service.ctx);
    expect(await countStored(service)).toEqual({ rows: 0, files: 0 });
  });
});

test(
  "bounds memory and responds to others while 20 large pictures arrive",
  { tags: "long", timeout: 60_000 },
  async () => {
    const service = await serviceForTest();
    const { hanako, taro } = await hanakoAndTaro(service);
    // Rotation requires the whole decoded picture.
    const large = await plainPicture(5_000).withMetadata({ orientation: 6 }).png().toBuffer();
    // Two megabytes of trailing data, such as phones append.
    const file = fileOf(Buffer.concat([large, Buffer.alloc(2_000_000)]));
    const before = process.memoryUsage().rss;
    let most = 0;
    let mostAtOnce = 0;
    let served = 0;

    const uploading = new Set(["uploads"]);
    const uploads = Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? hanako : taro).call(sendDm, { receiverId: i % 2 ? "taro" : "hanako", file }),
      ),
    ).finally(() => uploading.clear());
    while (uploading.size > 0) {
      await hanako.call(getOwnUser, {});
      served++;
      most = Math.max(most, process.memoryUsage().rss);
      const { queue, process: running } = sharp.counters();
      mostAtOnce = Math.max(mostAtOnce, queue + running);
    }
    const responses = await uploads;

    const { width } = await sharp(
      await (await service.fetch(responses[19]!.dm.file!)).arrayBuffer(),
    ).metadata();
    expect(width).toBe(2_048);
    // If pictures used all threads, only about 30 requests would complete meanwhile.
    expect(served).toBeGreaterThan(60);
    expect(mostAtOnce).toBeLessThanOrEqual(availableParallelism());
    // The allocator keeps freed memory of each thread, but never as much as all decoded pictures together.
    expect(most - before).toBeLessThan(20 * 5_000 * 5_000 * 3);
  },
);
