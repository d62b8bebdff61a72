import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { type ObjectStore, startObjectStore } from "@alcove/test-services/s3";
import { suspendMember } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import { forgetDeletedMembers } from "../testing/cases.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { corners, cornersOf, fileOf, quarters } from "../testing/sample-pictures.ts";
import { eventually, expectError, type TestService } from "../testing/test-service.ts";
import { readFiles } from "../testing/data-traces.ts";
import { deleteUnclaimedMedia } from "./files.ts";
import { storeIcon } from "./index.ts";
import { sweepOrphans } from "./orphan-sweep.ts";

const picture = await quarters().png().toBuffer();

let objects: ObjectStore;
beforeAll(async () => {
  objects = await startObjectStore();
});
afterAll(() => objects.close());

async function keysOf({ ctx }: TestService): Promise<string[]> {
  const keys = (await ctx.fileStorage.list(null, 1_000)).map(({ key }) => key);
  return keys.filter((key) => !key.startsWith("deletions/"));
}

async function emptyStore(where: "a folder" | "a bucket"): Promise<TestService> {
  const service = await serviceForTest({ config: { s3: where === "a bucket" ? objects.s3 : null } });
  for (const key of await keysOf(service)) await service.ctx.fileStorage.remove(key);
  return service;
}

async function keyOfIcon({ db }: TestService, memberId: number): Promise<string> {
  const { icon_media: id } = await db
    .selectFrom("profiles")
    .select("icon_media")
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  return `${id!.slice(0, 2)}/${id}`;
}

/** A valid key of a file without a row. */
function strangeKey(i: number): string {
  const hex = createHash("sha256").update(String(i)).digest("hex");
  return `${hex.slice(0, 2)}/${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

describe.each(["a folder", "a bucket"] as const)("with pictures in %s", (where) => {
  test("returns the same pictures and stores them encrypted", async () => {
    const service = await emptyStore(where);
    const hanako = await memberWithIcon(service, "hanako", picture);
    const { icon } = (await hanako.call(getOwnUser, {})).user;

    const shown = Buffer.from(await (await service.fetch(icon)).arrayBuffer());

    expect(await cornersOf(shown)).toEqual(corners);
    const places = [...(await readFiles(service.dataDir)), ...(await readFiles(objects.directory))];
    const outcomes = await Promise.allSettled(
      places.flatMap(({ bytes }) => bytes).map((bytes) => sharp(bytes).metadata()),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
    expect(places.some(({ bytes }) => bytes.some((run) => run.includes("JFIF")))).toBe(false);
  });

  test("ends a copied URL after a block, a suspension or a deletion", async () => {
    const service = await emptyStore(where);
    const hanako = await memberWithIcon(service, "hanako", picture, { sex: "female" });
    const taro = await memberWithIcon(service, "taro", picture, { sex: "male" });
    // A picture like that of a suspended member would open a case, with a copy.
    const turned = await sharp(picture).rotate(90).jpeg().toBuffer();
    const jiro = await memberWithIcon(service, "jiro", turned, { sex: "male" });
    const paid = { year: 1, month: 0, source: "operator", grantId: crypto.randomUUID() } as const;
    await grantMembership(service.ctx, hanako.memberId, paid);
    for (const him of [taro, jiro]) await match(hanako, him);
    for (const receiverId of ["taro", "jiro"])
      await hanako.call(sendDm, { receiverId, file: fileOf(picture) });
    const seenBy = async (me: typeof taro) => [
      (await me.call(getUser, { userId: "hanako" })).user.icon,
      (await me.call(getDms, { friendId: "hanako" })).dms[0]!.file!,
    ];
    const statusesOf = (urls: string[]) =>
      Promise.all(urls.map(async (url) => (await service.fetch(url)).status));
    const [byTaro, byJiro] = [await seenBy(taro), await seenBy(jiro)];
    expect(await statusesOf([...byTaro, ...byJiro])).toEqual([200, 200, 200, 200]);

    await hanako.call(blockUser, { userId: "taro" });
    expect(await statusesOf([...byTaro, ...byJiro])).toEqual([404, 404, 200, 200]);
    await suspendMember(service.ctx, jiro.memberId);
    expect(await statusesOf(byJiro)).toEqual([404, 404]);
    const own = (await hanako.call(getOwnUser, {})).user.icon;
    await hanako.call(deleteAccount, {});
    expect(await statusesOf([own])).toEqual([404]);
    await forgetDeletedMembers(service);
    await eventually(async () => expect(await keysOf(service)).toHaveLength(2));
  });

  test("deletes files without a row after a day, after a crash or a restore", async () => {
    const service = await emptyStore(where);
    const hanako = await memberWithIcon(service, "hanako", picture);
    for (let i = 0; i < 7; i++) await service.ctx.fileStorage.put(strangeKey(i), Buffer.from("left behind"));
    await service.ctx.fileStorage.put("notes/of-the-operator", Buffer.from("not a picture"));

    service.clock.advance(23 * HOUR_MS);
    await sweepOrphans(service.ctx, 3);
    expect(await keysOf(service)).toHaveLength(9);

    service.clock.advance(2 * HOUR_MS);
    await sweepOrphans(service.ctx, 3);
    const icon = await keyOfIcon(service, hanako.memberId);
    expect(await keysOf(service)).toEqual([icon, "notes/of-the-operator"].toSorted());
  });

  test("deletes nothing from a store of another database", async () => {
    const service = await emptyStore(where);
    const keys = Array.from({ length: 120 }, (_, i) => strangeKey(i));
    for (const key of keys) await service.ctx.fileStorage.put(key, Buffer.from("somebody else's"));

    service.clock.advance(3 * DAY_MS);
    await sweepOrphans(service.ctx);

    expect(await keysOf(service)).toEqual(keys.toSorted());
  });

  test("handles a missing file without affecting others", async () => {
    const service = await emptyStore(where);
    const hanako = await memberWithIcon(service, "hanako", picture);
    const taro = await memberWithIcon(service, "taro", picture);
    await service.ctx.fileStorage.remove(await keyOfIcon(service, hanako.memberId));

    service.clock.advance(2 * DAY_MS);
    await sweepOrphans(service.ctx, 1);
    service.clock.advance(-2 * DAY_MS);

    expect((await service.fetch((await hanako.call(getOwnUser, {})).user.icon)).status).toBe(404);
    expect((await service.fetch((await taro.call(getOwnUser, {})).user.icon)).status).toBe(200);
  });
});

test("rejects pictures with media_unavailable while the bucket is down, and recovers", async () => {
  const service = await emptyStore("a bucket");
  const hanako = await memberWithIcon(service, "hanako", picture, { sex: "female" });
  const taro = await service.member("taro", { sex: "male" });
  await match(hanako, taro);
  const { icon } = (await hanako.call(getOwnUser, {})).user;

  await objects.kill();
  const { status, body } = await expectError(
    hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) }),
    "media_unavailable",
  );
  const shown = await service.fetch(icon);
  const { dm } = await hanako.call(sendDm, { receiverId: "taro", description: "Still here." });
  const ready = await service.fetch("/readyz");
  const isUp = async () =>
    /^alcove_dependency_up\{dependency="pictures"\} (\d)$/m.exec(
      await (await service.fetch("/metrics")).text(),
    )?.[1];
  expect(await isUp()).toBe("0");
  await objects.restart();

  expect([status, body["error_message"]]).toEqual([503, expect.stringContaining("Pictures")]);
  expect([shown.status, shown.headers.get("retry-after")]).toEqual([503, "30"]);
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect([dm.description, ready.status]).toEqual(["Still here.", 200]);
  expect((await service.fetch(icon)).status).toBe(200);
  await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  expect(await isUp()).toBe("1");
});

test("deletes files by the job that the unavailable bucket kept", async () => {
  const service = await emptyStore("a bucket");
  service.ctx.encryption.keys.create(4_711);
  await storeIcon(service.ctx, 4_711, fileOf(picture), { process: false });
  service.clock.advance(2 * HOUR_MS);

  await objects.kill();
  await expect(deleteUnclaimedMedia(service.ctx)).rejects.toThrow();
  await objects.restart();
  expect(await keysOf(service)).toHaveLength(1);
  await deleteUnclaimedMedia(service.ctx);

  expect(await keysOf(service)).toEqual([]);
  expect(await service.db.selectFrom("media_files").selectAll().execute()).toEqual([]);
});
