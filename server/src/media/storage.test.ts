import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { createMember } from "../accounts/index.ts";
import { HOUR_MS, MINUTE_MS } from "../platform/clock.ts";
import { hanakoAndTaro, serviceOfTest } from "../testing/match.ts";
import { profileOf } from "../testing/profile.ts";
import { eventually, type TestService } from "../testing/test-service.ts";
import { readFiles } from "../testing/data-traces.ts";
import { deleteUnclaimedMedia } from "./files.ts";
import { claimMedia, deleteMedia, storeIcon, storeMessageImage } from "./index.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { fileOf, plain, quarters } from "../testing/sample-pictures.ts";

const picture = await quarters().png().toBuffer();

/** How many rows and files there are; a service without pictures has no folder of them. */
async function kept({ db, dataDir }: TestService): Promise<{ rows: number; files: number }> {
  const rows = await db.selectFrom("media_files").select("media_id").execute();
  const files = (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/"));
  return { rows: rows.length, files: files.length };
}

test("what was uploaded and never used is swept after an hour, and nothing else", async () => {
  const service = await serviceOfTest();
  const hanako = await memberWithIcon(service, "hanako", picture);
  await storeMessageImage(service.ctx, hanako.memberId, fileOf(picture));
  await storeIcon(service.ctx, 4_711, fileOf(picture), { process: true });
  expect(await kept(service)).toEqual({ rows: 3, files: 3 });

  service.clock.advance(59 * MINUTE_MS);
  await deleteUnclaimedMedia(service.ctx);
  expect(await kept(service)).toEqual({ rows: 3, files: 3 });

  service.clock.advance(2 * MINUTE_MS);
  await Promise.all([deleteUnclaimedMedia(service.ctx), deleteUnclaimedMedia(service.ctx)]);
  expect(await kept(service)).toEqual({ rows: 1, files: 1 });
});

test("a server that died between a picture and its member leaves nothing for ever, not even half a file", async () => {
  const service = await serviceOfTest();
  const { mediaId } = await storeIcon(service.ctx, 4_711, fileOf(picture), { process: false });
  await service.db
    .insertInto("media_files")
    .values({
      member_no: 4_711,
      media_id: crypto.randomUUID(),
      kind: "icon",
      created_at: service.clock.now(),
    })
    .execute();
  const folder = join(service.dataDir, "media", mediaId.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${mediaId}.draft`), "half of it");

  service.clock.advance(2 * HOUR_MS);
  await deleteUnclaimedMedia(service.ctx);

  expect(await kept(service)).toEqual({ rows: 0, files: 0 });
});

test("a picture that the store cannot take is a fault, and its row is swept", async () => {
  const service = await serviceOfTest();
  // Where the folder of pictures was, there is a file.
  await rm(join(service.dataDir, "media"), { recursive: true });
  await writeFile(join(service.dataDir, "media"), "");

  await expect(storeIcon(service.ctx, 4_711, fileOf(picture), { process: false })).rejects.toThrow();
  await rm(join(service.dataDir, "media"));
  expect(await kept(service)).toEqual({ rows: 1, files: 0 });
  service.clock.advance(2 * HOUR_MS);
  await deleteUnclaimedMedia(service.ctx);
  expect(await kept(service)).toEqual({ rows: 0, files: 0 });
});

test("a sign-up that fails after its picture was stored leaves nothing of it", async () => {
  const service = await serviceOfTest();
  await service.member("hanako", { at: null });
  const wish = {
    password: null,
    language: "en",
    profile: profileOf({}),
    icon: fileOf(picture),
    iconProcess: false,
  } as const;

  await expect(
    createMember(service.ctx, { ...wish, userId: "HANAKO", email: "b@example.com" }),
  ).rejects.toThrow();
  await expect(
    createMember(service.ctx, { ...wish, userId: "hanae", email: "hanako@example.com" }),
  ).rejects.toThrow();

  expect(await kept(service)).toEqual({ rows: 0, files: 0 });
});

test("a picture that is gone is not used, and to forget it again does no harm", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });
  const { mediaId } = await storeMessageImage(service.ctx, hanako.memberId, fileOf(picture));

  await deleteMedia(service.ctx, hanako.memberId, mediaId);
  await deleteMedia(service.ctx, hanako.memberId, mediaId);

  expect(await kept(service)).toEqual({ rows: 0, files: 0 });
  const claiming = service.db.transaction().execute((tx) => claimMedia(tx, hanako.memberId, mediaId));
  await expect(claiming).rejects.toThrow("media file to claim is missing");
});

test("nobody forgets the picture of another by its id", async () => {
  const service = await serviceOfTest();
  const hanako = await memberWithIcon(service, "hanako", picture);
  const { media_id: id } = await service.db.selectFrom("media_files").selectAll().executeTakeFirstOrThrow();

  await expect(
    service.db.transaction().execute((tx) => claimMedia(tx, hanako.memberId + 1, id)),
  ).rejects.toThrow("media file to claim is missing");
  expect((await service.fetch((await hanako.ask(getOwnUser, {})).user.icon)).status).toBe(200);
});

test("with an account go its pictures and those sent to it, rows at once and files soon after", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const jiro = await memberWithIcon(service, "jiro", picture);
  await hanako.ask(sendDm, { receiverId: "taro", file: fileOf(picture) });
  await taro.ask(sendDm, { receiverId: "hanako", file: fileOf(picture) });
  expect(await kept(service)).toEqual({ rows: 3, files: 3 });

  await hanako.ask(deleteAccount, {});

  const left = await service.db.selectFrom("media_files").select("member_no").execute();
  expect(left.map(({ member_no }) => member_no)).not.toContain(hanako.memberId);
  await eventually(async () => expect(await kept(service)).toEqual({ rows: 1, files: 1 }));
  await jiro.ask(deleteAccount, {});
  await eventually(async () => expect(await kept(service)).toEqual({ rows: 0, files: 0 }));
});

test("messages with pictures that are on their way while an account is deleted or blocked leave nothing", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);

  const sending = Array.from({ length: 12 }, (_, i) =>
    (i % 2 ? hanako : taro).ask(sendDm, { receiverId: i % 2 ? "taro" : "hanako", file: fileOf(picture) }),
  );
  await Promise.race(sending);
  const ending = [taro.ask(blockUser, { userId: "hanako" }), hanako.ask(deleteAccount, {})];
  await Promise.allSettled([...sending, ...ending]);

  service.clock.advance(2 * HOUR_MS);
  await eventually(async () => {
    await deleteUnclaimedMedia(service.ctx);
    expect(await kept(service)).toEqual({ rows: 0, files: 0 });
  });
});

test("while twenty large pictures arrive at once, others are answered, and memory stays bounded", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  // One that has to be unfolded as a whole to be turned.
  const large = await plain(5_000).withMetadata({ orientation: 6 }).png().toBuffer();
  // Two megabytes behind it, such as telephones append.
  const file = fileOf(Buffer.concat([large, Buffer.alloc(2_000_000)]));
  const before = process.memoryUsage().rss;
  let most = 0;
  let answered = 0;

  const uploading = new Set(["uploads"]);
  const uploads = Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? hanako : taro).ask(sendDm, { receiverId: i % 2 ? "taro" : "hanako", file }),
    ),
  ).finally(() => uploading.clear());
  while (uploading.size > 0) {
    await hanako.ask(getOwnUser, {});
    answered++;
    most = Math.max(most, process.memoryUsage().rss);
  }
  const answers = await uploads;

  const { width } = await sharp(await (await service.fetch(answers[19]!.dm.file!)).arrayBuffer()).metadata();
  expect(width).toBe(2_048);
  // Pictures that took all threads at once would let the others wait for as long as they last: some thirty are answered then.
  expect(answered).toBeGreaterThan(60);
  expect((most - before) / 1_000_000).toBeLessThan(600);
}, 60_000);
