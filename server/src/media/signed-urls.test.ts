import { expect, test } from "vitest";
import { deleteAccount, getOwnUser, logOut, refreshTokens } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { openSession, restoreMember, suspendMember } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import { HOUR_MS } from "../platform/clock.ts";
import { match, serviceOfTest } from "../testing/match.ts";
import { eventually, type TestMember, type TestService } from "../testing/test-service.ts";
import { readFiles } from "../testing/data-traces.ts";
import { iconUrl, messageImageUrl } from "./index.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";

/** Hanako and Taro, matched, with a picture each, and Jiro, a stranger. */
async function people() {
  const service = await serviceOfTest();
  // The middle of a half day: what is said of hours below holds however late it is.
  service.clock.set("2026-03-04T06:00:00Z");
  const picture = await quarters().png().toBuffer();
  const hanako = await memberWithIcon(service, "hanako", picture, { sex: "female" });
  const taro = await memberWithIcon(service, "taro", picture, { sex: "male" });
  const jiro = await memberWithIcon(service, "jiro", picture, { sex: "male" });
  for (const { memberId } of [hanako, taro, jiro]) await pay(service, memberId);
  await match(hanako, taro);
  return { service, hanako, taro, jiro, picture };
}

async function pay({ ctx }: TestService, memberId: number): Promise<void> {
  await grantMembership(ctx, memberId, {
    year: 1,
    month: 0,
    source: "operator",
    grantId: crypto.randomUUID(),
  });
}

const ownIcon = async (me: TestMember) => (await me.ask(getOwnUser, {})).user.icon;
const iconOf = async (me: TestMember, other: TestMember) =>
  (await me.ask(getUser, { userId: other.user_id })).user.icon;

/** Everything by which two answers could be told apart, but for what is new with each. */
async function seen(service: TestService, address: string, init?: RequestInit) {
  const response = await service.fetch(address, init);
  const headers = Object.fromEntries(response.headers);
  for (const changing of ["x-request-id", "date"]) delete headers[changing];
  return { status: response.status, headers, body: await response.text() };
}

test("a picture comes with headers that let the own browser keep it a while and nobody run it", async () => {
  const { service, hanako } = await people();

  const { status, headers } = await seen(service, await ownIcon(hanako));

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "private, max-age=600",
    "content-disposition": 'inline; filename="picture.jpg"',
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  expect(headers).not.toHaveProperty("set-cookie");
});

test("a browser that asks again whether the picture changed hears that it did not, while it may look", async () => {
  const { service, hanako, taro } = await people();
  const address = await iconOf(hanako, taro);
  const { headers } = await seen(service, address);
  const again = { headers: { "if-none-match": headers["etag"]! } };

  expect(await seen(service, address, again)).toMatchObject({ status: 304, body: "" });

  await taro.ask(blockUser, { userId: "hanako" });
  expect((await seen(service, address, again)).status).toBe(404);
});

test("the head and a part of a picture are asked for without harm", async () => {
  const { service, hanako } = await people();
  const address = await ownIcon(hanako);
  const whole = await service.fetch(address).then((response) => response.bytes());

  const head = await service.fetch(address, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(whole.length)]);
  expect(await head.text()).toBe("");
  for (const range of ["bytes=0-9", "bytes=-1", "bytes=9-1", "bytes=0-0,5-6", "lines=1"]) {
    const part = await service.fetch(address, { headers: { range } });
    expect([part.status, (await part.bytes()).length]).toEqual([200, whole.length]);
  }
  for (const method of ["POST", "PATCH", "DELETE"]) {
    expect((await service.fetch(address, { method })).status).toBe(404);
  }
});

test("the drawn picture of those without one is everybody's", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { at: null });

  expect(await ownIcon(hanako)).toBe("/media/default-icon.svg");
  const { status, headers, body } = await seen(service, "/media/default-icon.svg");

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=86400",
  });
  expect(body).toMatch(/^<svg /);
  expect(body).not.toMatch(/script|href|style=/);
});

test("each viewer has an address of its own, which says nothing of a member", async () => {
  const { service, hanako, taro, jiro } = await people();
  const addresses = [await ownIcon(hanako), await iconOf(taro, hanako), await iconOf(jiro, hanako)];

  expect(new Set(addresses).size).toBe(3);
  const { media_id: id } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();
  for (const address of addresses) {
    const bytes = Buffer.from(address.split("/").at(-1)!, "base64url");
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(BigInt(hanako.memberId));
    expect(bytes.includes(number)).toBe(false);
    expect(bytes.includes(Buffer.from(id.replaceAll("-", ""), "hex"))).toBe(false);
    expect(address).toMatch(/^\/media\/i\/[\w-]{102}$/);
  }
});

test("an address stays the same for half a day, so that the browser keeps the picture, and is another one then", async () => {
  const { service, hanako } = await people();
  const address = await ownIcon(hanako);
  const { refresh } = await service.ask(refreshTokens, { refresh: hanako.refresh });

  service.clock.advance(5 * HOUR_MS);
  const later = await service.ask(refreshTokens, { refresh });
  expect(await ownIcon(service.meet({ ...hanako, ...later }))).toBe(address);
  service.clock.advance(2 * HOUR_MS);
  const latest = await service.ask(refreshTokens, { refresh: later.refresh });
  expect(await ownIcon(service.meet({ ...hanako, ...latest }))).not.toBe(address);
  expect((await seen(service, address)).status).toBe(200);
});

test.each(["2026-03-04T00:00:00Z", "2026-03-04T11:59:59Z", "2026-05-31T23:59:59Z"])(
  "an address made at %s lives for half a day at least and a day at most",
  async (madeAt) => {
    const { service, hanako, taro } = await people();
    await hanako.ask(sendDm, { receiverId: "taro", file: fileOf(await quarters().png().toBuffer()) });
    const viewer = await service.ctx.authenticate(taro.access);
    const addressesOf = async () => {
      const rows = await service.db
        .selectFrom("media_files")
        .selectAll()
        .where("member_no", "=", hanako.memberId)
        .execute();
      return rows.map(({ kind, media_id: mediaId }) =>
        kind === "icon"
          ? iconUrl(service.ctx, viewer, { memberId: hanako.memberId, iconMedia: mediaId })
          : messageImageUrl(service.ctx, viewer, {
              ownerMemberId: hanako.memberId,
              mediaId,
              otherMemberId: taro.memberId,
            }),
      );
    };
    service.clock.set(madeAt);
    const addresses = await addressesOf();
    expect(addresses).toHaveLength(2);

    for (const address of addresses) {
      service.clock.set(new Date(Date.parse(madeAt) + 12 * HOUR_MS));
      expect((await seen(service, address)).status).toBe(200);
      service.clock.set(new Date(Date.parse(madeAt) + 24 * HOUR_MS));
      expect((await seen(service, address)).status).toBe(404);
    }
  },
);

test("whatever the reason, a picture that is not shown is not found in the same words", async () => {
  const { service, hanako, taro, jiro } = await people();
  const { dm } = await hanako.ask(sendDm, {
    receiverId: "taro",
    file: fileOf(await quarters().png().toBuffer()),
  });
  const blocked = await iconOf(jiro, hanako);
  const gone = await iconOf(taro, jiro);
  const ended = (await taro.ask(getDms, { friendId: "hanako" })).dms[0]!.file!;
  await hanako.ask(blockUser, { userId: "jiro" });
  await hanako.ask(blockUser, { userId: "taro" });
  await jiro.ask(deleteAccount, {});
  const missing = await ownIcon(taro);
  await service.ctx.fileStorage.remove(await keyOfIcon(service, taro));

  const answers = [];
  for (const address of [dm.file!, blocked, gone, ended, missing, "/media/i/x", "/media/m/x"]) {
    for (const init of [{}, { headers: { range: "bytes=0-1" } }]) {
      answers.push(await seen(service, address, init));
    }
  }

  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
  expect(JSON.parse(answers[0]!.body)).toMatchObject({ code: "media_not_found" });
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

test("an address that was changed, cut, spelt otherwise or moved leads nowhere", async () => {
  const { service, hanako } = await people();
  const address = await ownIcon(hanako);
  const token = address.slice("/media/i/".length);
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
  // The icon's token does not open a message's image, though the member owns both.
  expect((await seen(service, `/media/m/${token}`)).status).toBe(404);
  expect((await seen(service, address)).status).toBe(200);
});

test("an address of another deployment leads nowhere", async () => {
  const { hanako } = await people();
  const other = await people();

  expect((await other.service.fetch(await ownIcon(hanako))).status).toBe(404);
});

test("the picture of a candidate is for any member, matched or not, until one blocks the other", async () => {
  const { service, hanako, jiro } = await people();
  const addresses = [await iconOf(jiro, hanako), await iconOf(hanako, jiro)];
  const statuses = () => Promise.all(addresses.map(async (address) => (await service.fetch(address)).status));

  expect(await statuses()).toEqual([200, 200]);
  await jiro.ask(blockUser, { userId: "hanako" });
  expect(await statuses()).toEqual([404, 404]);
  expect((await service.fetch(await ownIcon(hanako))).status).toBe(200);
  await jiro.ask(unblockUser, { userId: "hanako" });
  expect(await statuses()).toEqual([200, 200]);
});

test("the image of a message is for its two alone, and for nobody once their match has ended", async () => {
  const { service, hanako, taro, jiro } = await people();
  const { dm } = await hanako.ask(sendDm, {
    receiverId: "taro",
    file: fileOf(await quarters().png().toBuffer()),
  });
  const { dms } = await taro.ask(getDms, { friendId: "hanako" });
  const addresses = [dm.file!, dms[0]!.file!];
  const statuses = () => Promise.all(addresses.map(async (address) => (await service.fetch(address)).status));

  expect(addresses[0]).not.toBe(addresses[1]);
  expect(await statuses()).toEqual([200, 200]);

  const { media_id: mediaId } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("kind", "=", "message")
    .executeTakeFirstOrThrow();
  // Even one that we should make by mistake: a third is not shown the image, nor is it an icon.
  await match(hanako, jiro);
  const image = { ownerMemberId: hanako.memberId, mediaId, otherMemberId: taro.memberId };
  const [asJiro, asHanako] = await Promise.all(
    [jiro, hanako].map(({ access }) => service.ctx.authenticate(access)),
  );
  const wrong = [
    messageImageUrl(service.ctx, asJiro!, image),
    iconUrl(service.ctx, asJiro!, { memberId: hanako.memberId, iconMedia: mediaId }),
    iconUrl(service.ctx, asHanako!, { memberId: hanako.memberId, iconMedia: mediaId }),
  ];
  for (const address of wrong) expect((await service.fetch(address)).status).toBe(404);

  await taro.ask(blockUser, { userId: "hanako" });
  expect(await statuses()).toEqual([404, 404]);
});

test("the icon of somebody is no message's image between the two", async () => {
  const { service, hanako, taro } = await people();
  const { media_id: mediaId } = await service.db
    .selectFrom("media_files")
    .select("media_id")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();

  const viewer = await service.ctx.authenticate(taro.access);
  const address = messageImageUrl(service.ctx, viewer, {
    ownerMemberId: hanako.memberId,
    mediaId,
    otherMemberId: taro.memberId,
  });

  expect((await service.fetch(address)).status).toBe(404);
});

test("the suspended show nothing and see nothing, until they are let in again", async () => {
  const { service, hanako, taro } = await people();
  await hanako.ask(sendDm, { receiverId: "taro", file: fileOf(await quarters().png().toBuffer()) });
  const { dms } = await taro.ask(getDms, { friendId: "hanako" });
  const addresses = [
    await ownIcon(hanako),
    await iconOf(taro, hanako),
    await iconOf(hanako, taro),
    dms[0]!.file!,
  ];
  const statuses = () => Promise.all(addresses.map(async (address) => (await service.fetch(address)).status));

  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await suspendMember(service.ctx, hanako.memberId);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect((await service.fetch(await ownIcon(taro))).status).toBe(200);
  await restoreMember(service.ctx, hanako.memberId);
  // Her own sessions have ended for good; who looks at her sees her again.
  expect(await statuses()).toEqual([404, 200, 404, 200]);
});

test("a deleted account shows nothing and sees nothing before its deletion has answered", async () => {
  const { service, hanako, taro } = await people();
  const file = fileOf(await quarters().png().toBuffer());
  const sent = await hanako.ask(sendDm, { receiverId: "taro", file });
  const got = await taro.ask(sendDm, { receiverId: "hanako", file });
  const addresses = [
    await ownIcon(hanako),
    await iconOf(taro, hanako),
    await iconOf(hanako, taro),
    sent.dm.file!,
    got.dm.file!,
  ];

  await hanako.ask(deleteAccount, {});

  for (const address of addresses) expect((await service.fetch(address)).status).toBe(404);
  expect((await service.fetch(await ownIcon(taro))).status).toBe(200);
});

test("logging out ends every address of that session, and of no other", async () => {
  const { service, hanako, taro } = await people();
  await hanako.ask(sendDm, { receiverId: "taro", file: fileOf(await quarters().png().toBuffer()) });
  const elsewhere = await openSession(service.ctx, { memberId: hanako.memberId, userId: "hanako" });
  const other = service.meet({ ...hanako, ...elsewhere });
  const addressesOf = async (me: TestMember) => [
    await ownIcon(me),
    await iconOf(me, taro),
    (await me.ask(getDms, { friendId: "taro" })).dms[0]!.file!,
  ];
  const [here, there] = [await addressesOf(hanako), await addressesOf(other)];
  const statusesOf = (addresses: string[]) =>
    Promise.all(addresses.map(async (address) => (await service.fetch(address)).status));

  expect(here.some((address) => there.includes(address))).toBe(false);
  expect(await statusesOf([...here, ...there])).toEqual([200, 200, 200, 200, 200, 200]);
  await hanako.ask(logOut, { token: hanako.refresh });

  expect(await statusesOf(here)).toEqual([404, 404, 404]);
  expect(await statusesOf(there)).toEqual([200, 200, 200]);
});

test("addresses in live frames are those of the session that hears them", async () => {
  const { service, hanako, taro } = await people();
  const socket = await taro.socket("/ws/events");

  await hanako.ask(sendDm, { receiverId: "taro", file: fileOf(await quarters().png().toBuffer()) });
  const frame = await eventually(() => {
    expect(socket.frames).toHaveLength(1);
    return socket.frames[0] as { dm: { file: string; sender: { icon: string } } };
  });

  const addresses = [frame.dm.file, frame.dm.sender.icon];
  for (const address of addresses) expect((await service.fetch(address)).status).toBe(200);
  await taro.ask(logOut, { token: taro.refresh });
  for (const address of addresses) expect((await service.fetch(address)).status).toBe(404);
});

test("no answer and no file name says which picture is whose", async () => {
  const { service, hanako } = await people();

  const { user } = await hanako.ask(getOwnUser, {});
  const names = (await readFiles(service.dataDir)).map(({ name }) => name).join("\n");

  expect(names).not.toMatch(/hanako|taro/i);
  expect(user.icon).not.toMatch(/hanako/i);
});
