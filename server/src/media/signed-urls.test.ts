import { beforeAll, expect, test } from "vitest";
import { deleteAccount, getOwnUser, logOut, refreshTokens } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { openSession, restoreMember, suspendMember } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import { HOUR_MS } from "../platform/clock.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { readFiles } from "../testing/data-traces.ts";
import { iconUrl, messageFileUrl } from "./index.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";

let shared: TestService;
let groupCount = 0;
beforeAll(async () => {
  shared = await testService();
});

/** Of the tests that change neither members nor pictures. */
let pair: ReturnType<typeof people> | undefined;
const unchanged = () => (pair ??= people());

/** Hanako and Taro are matched and have icons. Tests that move the clock have their own service. */
async function people(service = shared) {
  // The middle of a half day, so that the hours below do not depend on the current time.
  service.clock.set("2026-03-04T06:00:00Z");
  const number = groupCount++;
  const picture = await quarters().png().toBuffer();
  const hanako = await memberWithIcon(service, `hanako${number}`, picture, { sex: "female" });
  const taro = await memberWithIcon(service, `taro${number}`, picture, { sex: "male" });
  for (const { memberId } of [hanako, taro]) await pay(service, memberId);
  await match(hanako, taro);
  return { service, hanako, taro };
}

/** Jiro is unmatched. */
async function peopleWithJiro() {
  const { service, ...others } = await people();
  const picture = await quarters().png().toBuffer();
  const jiro = await memberWithIcon(service, `jiro${groupCount}`, picture, { sex: "male" });
  await pay(service, jiro.memberId);
  return { service, ...others, jiro };
}

async function pay({ ctx }: TestService, memberId: number): Promise<void> {
  await grantMembership(ctx, memberId, {
    year: 1,
    month: 0,
    source: "operator",
    grantId: crypto.randomUUID(),
  });
}

const ownIcon = async (me: TestMember) => (await me.call(getOwnUser, {})).user.icon;
const iconOf = async (me: TestMember, other: TestMember) =>
  (await me.call(getUser, { userId: other.user_id })).user.icon;

/** All differences between two responses except those that always change. */
async function seen(service: TestService, url: string, init?: RequestInit) {
  const response = await service.fetch(url, init);
  const headers = Object.fromEntries(response.headers);
  for (const changing of ["x-request-id", "date"]) delete headers[changing];
  return { status: response.status, headers, body: await response.text() };
}

test("serves a picture with headers that allow private caching and no scripts", async () => {
  const { service, hanako } = await unchanged();

  const { status, headers } = await seen(service, await ownIcon(hanako));

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "private, max-age=600",
    "content-disposition": 'inline; filename="picture.jpg"',
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(headers).not.toHaveProperty("set-cookie");
});

test("responds 304 to a conditional request of an authorized viewer", async () => {
  const { service, hanako, taro } = await people();
  const url = await iconOf(hanako, taro);
  const { headers } = await seen(service, url);
  const again = { headers: { "if-none-match": headers["etag"]! } };

  expect(await seen(service, url, again)).toMatchObject({ status: 304, body: "" });

  await taro.call(blockUser, { userId: hanako.user_id });
  expect((await seen(service, url, again)).status).toBe(404);
});

test("supports HEAD and range requests", async () => {
  const { service, hanako } = await unchanged();
  const url = await ownIcon(hanako);
  const whole = await service.fetch(url).then((response) => response.bytes());

  const head = await service.fetch(url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(whole.length)]);
  expect(await head.text()).toBe("");
  for (const range of ["bytes=0-9", "bytes=-1", "bytes=9-1", "bytes=0-0,5-6", "lines=1"]) {
    const part = await service.fetch(url, { headers: { range } });
    expect([part.status, (await part.bytes()).length]).toEqual([200, whole.length]);
  }
  for (const method of ["POST", "PATCH", "DELETE"]) {
    expect((await service.fetch(url, { method })).status).toBe(404);
  }
});

test("serves the default icon to everyone", async () => {
  const hanako = await shared.member("iconless", { at: null });

  expect(await ownIcon(hanako)).toBe("/media/default-icon.svg");
  const { status, headers, body } = await seen(shared, "/media/default-icon.svg");

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=86400",
  });
  expect(body).toMatch(/^<svg /);
  expect(body).not.toMatch(/script|href|style=/);
});

test("gives each viewer a different URL that reveals no member", async () => {
  const { service, hanako, taro, jiro } = await peopleWithJiro();
  const urls = [await ownIcon(hanako), await iconOf(taro, hanako), await iconOf(jiro, hanako)];

  expect(new Set(urls).size).toBe(3);
  const { media_id: id } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();
  for (const url of urls) {
    const bytes = Buffer.from(url.split("/").at(-1)!, "base64url");
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(BigInt(hanako.memberId));
    expect(bytes.includes(number)).toBe(false);
    expect(bytes.includes(Buffer.from(id.replaceAll("-", ""), "hex"))).toBe(false);
    expect(url).toMatch(/^\/media\/i\/[\w-]{102}$/);
  }
});

test("keeps a URL for half a day so that browsers can cache it", async () => {
  const { service, hanako } = await people(await serviceForTest());
  const url = await ownIcon(hanako);
  const { refresh } = await service.call(refreshTokens, { refresh: hanako.refresh });

  service.clock.advance(5 * HOUR_MS);
  const later = await service.call(refreshTokens, { refresh });
  expect(await ownIcon(service.memberAt({ ...hanako, ...later }))).toBe(url);
  service.clock.advance(2 * HOUR_MS);
  const latest = await service.call(refreshTokens, { refresh: later.refresh });
  expect(await ownIcon(service.memberAt({ ...hanako, ...latest }))).not.toBe(url);
  expect((await seen(service, url)).status).toBe(200);
});

test.each(["2026-03-04T00:00:00Z", "2026-03-04T11:59:59Z", "2026-05-31T23:59:59Z"])(
  "keeps a URL created at %s valid for 12 to 24 hours",
  async (madeAt) => {
    const { service, hanako, taro } = await people(await serviceForTest());
    await hanako.call(sendDm, { receiverId: taro.user_id, file: fileOf(await quarters().png().toBuffer()) });
    const viewer = await service.ctx.authenticate(taro.access);
    const urlsOf = async () => {
      const rows = await service.db
        .selectFrom("media_files")
        .selectAll()
        .where("member_no", "=", hanako.memberId)
        .execute();
      return rows.map(({ kind, media_id: mediaId }) =>
        kind === "icon"
          ? iconUrl(service.ctx, viewer, { memberId: hanako.memberId, iconMedia: mediaId })
          : messageFileUrl(service.ctx, viewer, {
              ownerMemberId: hanako.memberId,
              mediaId,
              otherMemberId: taro.memberId,
            }),
      );
    };
    service.clock.set(madeAt);
    const urls = await urlsOf();
    expect(urls).toHaveLength(2);

    for (const url of urls) {
      service.clock.set(new Date(Date.parse(madeAt) + 12 * HOUR_MS));
      expect((await seen(service, url)).status).toBe(200);
      service.clock.set(new Date(Date.parse(madeAt) + 24 * HOUR_MS));
      expect((await seen(service, url)).status).toBe(404);
    }
  },
);

test("returns the same error for every reason", async () => {
  const { service, hanako, taro, jiro } = await peopleWithJiro();
  const { dm } = await hanako.call(sendDm, {
    receiverId: taro.user_id,
    file: fileOf(await quarters().png().toBuffer()),
  });
  const blocked = await iconOf(jiro, hanako);
  const gone = await iconOf(taro, jiro);
  const ended = (await taro.call(getDms, { friendId: hanako.user_id })).dms[0]!.file!;
  await hanako.call(blockUser, { userId: jiro.user_id });
  await hanako.call(blockUser, { userId: taro.user_id });
  await jiro.call(deleteAccount, {});
  const missing = await ownIcon(taro);
  await service.ctx.fileStorage.remove(await keyOfIcon(service, taro));

  const responses = [];
  for (const url of [dm.file!, blocked, gone, ended, missing, "/media/i/x", "/media/m/x"]) {
    for (const init of [{}, { headers: { range: "bytes=0-1" } }]) {
      responses.push(await seen(service, url, init));
    }
  }

  for (const response of responses) expect(response).toEqual(responses[0]);
  expect(responses[0]).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
  expect(JSON.parse(responses[0]!.body)).toMatchObject({ code: "media_not_found" });
});

async function keyOfIcon({ db }: TestService, { memberId }: TestMember): Promise<string> {
  const { media_id: id } = await db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", memberId)
    .where("kind", "=", "icon")
    .executeTakeFirstOrThrow();
  return `${id.slice(0, 2)}/${id}`;
}

test("rejects a changed, truncated, respelled or moved URL", async () => {
  const { service, hanako } = await unchanged();
  const url = await ownIcon(hanako);
  const token = url.slice("/media/i/".length);
  const bytes = Buffer.from(token, "base64url");
  const flipped = Array.from({ length: bytes.length }, (_, at) => {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1 << (at % 8);
    return changed.toString("base64url");
  });
  const others = [
    ...flipped,
    token.slice(1),
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    `${token}%3D`,
    token.toUpperCase(),
    Buffer.from(bytes).toString("hex"),
    Buffer.alloc(bytes.length).toString("base64url"),
    "",
    ".",
    "..",
    "%2e%2e",
    "..%2f..%2fsecrets.json",
    "%2e%2e%2fmedia%2f00",
    `${token}%2f..`,
    `%00${token}`,
    `${token}%00`,
    "%ff",
    "%",
    "💐",
    "x".repeat(999),
    "x".repeat(5_000),
  ];

  for (const other of others) {
    const { status, body } = await seen(service, `/media/i/${other}`);
    expect([other, status, JSON.parse(body)["code"]]).toEqual([
      other,
      expect.toBeOneOf([400, 404]),
      expect.toBeOneOf(["media_not_found", "not_found", "malformed_request"]),
    ]);
  }
  // An icon's token is invalid for a message's image of the same owner.
  expect((await seen(service, `/media/m/${token}`)).status).toBe(404);
  expect((await seen(service, url)).status).toBe(200);
});

test("rejects a URL of another deployment", async () => {
  const { hanako } = await unchanged();
  const other = await people(await serviceForTest());

  expect((await other.service.fetch(await ownIcon(hanako))).status).toBe(404);
});

test("shows an icon to any member until one blocks the other", async () => {
  const { service, hanako, jiro } = await peopleWithJiro();
  const urls = [await iconOf(jiro, hanako), await iconOf(hanako, jiro)];
  const statuses = () => Promise.all(urls.map(async (url) => (await service.fetch(url)).status));

  expect(await statuses()).toEqual([200, 200]);
  await jiro.call(blockUser, { userId: hanako.user_id });
  expect(await statuses()).toEqual([404, 404]);
  expect((await service.fetch(await ownIcon(hanako))).status).toBe(200);
  await jiro.call(unblockUser, { userId: hanako.user_id });
  expect(await statuses()).toEqual([200, 200]);
});

test("shows a message's image to its two members until their match ends", async () => {
  const { service, hanako, taro, jiro } = await peopleWithJiro();
  const { dm } = await hanako.call(sendDm, {
    receiverId: taro.user_id,
    file: fileOf(await quarters().png().toBuffer()),
  });
  const { dms } = await taro.call(getDms, { friendId: hanako.user_id });
  const urls = [dm.file!, dms[0]!.file!];
  const statuses = () => Promise.all(urls.map(async (url) => (await service.fetch(url)).status));

  expect(urls[0]).not.toBe(urls[1]);
  expect(await statuses()).toEqual([200, 200]);

  const { media_id: mediaId } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", hanako.memberId)
    .where("kind", "=", "message")
    .executeTakeFirstOrThrow();
  // Also with a valid signature for the wrong viewer or kind.
  await match(hanako, jiro);
  const image = { ownerMemberId: hanako.memberId, mediaId, otherMemberId: taro.memberId };
  const [asJiro, asHanako] = await Promise.all(
    [jiro, hanako].map(({ access }) => service.ctx.authenticate(access)),
  );
  const wrong = [
    messageFileUrl(service.ctx, asJiro!, image),
    iconUrl(service.ctx, asJiro!, { memberId: hanako.memberId, iconMedia: mediaId }),
    iconUrl(service.ctx, asHanako!, { memberId: hanako.memberId, iconMedia: mediaId }),
  ];
  for (const url of wrong) expect((await service.fetch(url)).status).toBe(404);

  await taro.call(blockUser, { userId: hanako.user_id });
  expect(await statuses()).toEqual([404, 404]);
});

test("does not serve an icon as a message's image", async () => {
  const { service, hanako, taro } = await unchanged();
  const { media_id: mediaId } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();

  const viewer = await service.ctx.authenticate(taro.access);
  const url = messageFileUrl(service.ctx, viewer, {
    ownerMemberId: hanako.memberId,
    mediaId,
    otherMemberId: taro.memberId,
  });

  expect((await service.fetch(url)).status).toBe(404);
});

test("serves nothing to or of suspended members until they are restored", async () => {
  const { service, hanako, taro } = await people();
  await hanako.call(sendDm, { receiverId: taro.user_id, file: fileOf(await quarters().png().toBuffer()) });
  const { dms } = await taro.call(getDms, { friendId: hanako.user_id });
  const urls = [await ownIcon(hanako), await iconOf(taro, hanako), await iconOf(hanako, taro), dms[0]!.file!];
  const statuses = () => Promise.all(urls.map(async (url) => (await service.fetch(url)).status));

  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await suspendMember(service.ctx, hanako.memberId);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect((await service.fetch(await ownIcon(taro))).status).toBe(200);
  await restoreMember(service.ctx, hanako.memberId);
  // Her sessions stay ended; viewers see her again.
  expect(await statuses()).toEqual([404, 200, 404, 200]);
});

test("serves nothing to or of a deleted account once the deletion responds", async () => {
  const { service, hanako, taro } = await people();
  const file = fileOf(await quarters().png().toBuffer());
  const sent = await hanako.call(sendDm, { receiverId: taro.user_id, file });
  const got = await taro.call(sendDm, { receiverId: hanako.user_id, file });
  const urls = [
    await ownIcon(hanako),
    await iconOf(taro, hanako),
    await iconOf(hanako, taro),
    sent.dm.file!,
    got.dm.file!,
  ];

  await hanako.call(deleteAccount, {});

  for (const url of urls) expect((await service.fetch(url)).status).toBe(404);
  expect((await service.fetch(await ownIcon(taro))).status).toBe(200);
});

test("ends all URLs of a session, and no others, at logout", async () => {
  const { service, hanako, taro } = await people();
  await hanako.call(sendDm, { receiverId: taro.user_id, file: fileOf(await quarters().png().toBuffer()) });
  const elsewhere = await openSession(service.ctx, hanako.memberId);
  const other = service.memberAt({ ...hanako, ...elsewhere });
  const urlsOf = async (me: TestMember) => [
    await ownIcon(me),
    await iconOf(me, taro),
    (await me.call(getDms, { friendId: taro.user_id })).dms[0]!.file!,
  ];
  const [here, there] = [await urlsOf(hanako), await urlsOf(other)];
  const statusesOf = (urls: string[]) =>
    Promise.all(urls.map(async (url) => (await service.fetch(url)).status));

  expect(here.some((url) => there.includes(url))).toBe(false);
  expect(await statusesOf([...here, ...there])).toEqual([200, 200, 200, 200, 200, 200]);
  await hanako.call(logOut, { token: hanako.refresh });

  expect(await statusesOf(here)).toEqual([404, 404, 404]);
  expect(await statusesOf(there)).toEqual([200, 200, 200]);
});

test("sends URLs of the receiving session in socket frames", async () => {
  const { service, hanako, taro } = await people();
  const socket = await taro.socket("/ws/events");

  await hanako.call(sendDm, { receiverId: taro.user_id, file: fileOf(await quarters().png().toBuffer()) });
  const frame = await eventually(() => {
    expect(socket.frames).toHaveLength(1);
    return socket.frames[0] as { dm: { file: string; sender: { icon: string } } };
  });

  const urls = [frame.dm.file, frame.dm.sender.icon];
  for (const url of urls) expect((await service.fetch(url)).status).toBe(200);
  await taro.call(logOut, { token: taro.refresh });
  for (const url of urls) expect((await service.fetch(url)).status).toBe(404);
});

test("reveals no owner of a picture in responses and file names", async () => {
  const { service, hanako } = await unchanged();

  const { user } = await hanako.call(getOwnUser, {});
  const names = (await readFiles(service.dataDir)).map(({ name }) => name).join("\n");

  expect(names).not.toMatch(/hanako|taro/i);
  expect(user.icon).not.toMatch(/hanako/i);
});
