import { sql } from "kysely";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  deleteAccount,
  exportData,
  getExportTicket,
  logIn,
  getOwnUser,
  getWsTicket,
  logOut,
} from "@alcove/contract/accounts";
import { likeUser, passUser } from "@alcove/contract/discovery";
import { PRIVACY_VERSION, TERMS_VERSION } from "@alcove/contract/legal-versions";
import { getDms, reactToDm, sendDm } from "@alcove/contract/messaging";
import { getInvitations } from "@alcove/contract/referral";
import { addNeverSee, blockUser, reportUser } from "@alcove/contract/safety";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { grantMembership } from "../membership/index.ts";
import { EXPORT_PATH, exportOf, unpackExport } from "../testing/export.ts";
import { match } from "../testing/match.ts";
import { ownService, serviceForTest } from "../testing/service-for-test.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { cornersOf, corners, fileOf, quarters } from "../testing/sample-pictures.ts";
import { eventually } from "../testing/test-service.ts";

test("exports how many members were invited once a month, and from five on", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-04-05T12:00:00Z");
  const hanako = await service.member("hanako", { at: null, password: "quiet-evenings-7" });
  const { user_id, memberId } = hanako;
  const invite = async (name: string) => service.member(name, { at: null, invitedBy: memberId });
  for (let i = 0; i < 4; i++) await invite(`invited-${i}`);
  const countOn = async (day: string) => {
    service.clock.set(`${day}T12:00:00Z`);
    const { access } = await service.call(logIn, { user_id, password: "quiet-evenings-7" });
    const headers = { authorization: `Bearer ${access}` };
    const { data } = await unpackExport(await service.fetch(EXPORT_PATH, { headers }));
    const invited = service.memberAt({ ...hanako, access, refresh: "" });
    const { joined } = await invited.call(getInvitations, {});
    expect((data["account"] as { invited_members: number | null }).invited_members).toBe(joined);
    return (data["account"] as { invited_members: number | null }).invited_members;
  };

  expect(await countOn("2026-05-01")).toBeNull();
  await invite("invited-4");
  expect(await countOn("2026-05-31")).toBeNull();
  expect(await countOn("2026-06-01")).toBe(5);
  await invite("invited-5");
  expect(await countOn("2026-06-30")).toBe(5);
  expect(await countOn("2026-07-01")).toBe(5);
});

test("exports the member's own texts, likes, blocks and purchases, and nothing of others", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-05T12:00:00.250Z");
  const picture = await quarters().jpeg().toBuffer();
  const hanako = await memberWithIcon(service, "hanako", picture, { username: '花子 "🦊"\n</script>' });
  const [taro, saburo, goro] = await Promise.all(
    ["taro", "saburo", "goro", "jiro", "shiro"].map((name) => service.member(name, { paid: true })),
  );
  const grantId = "0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001";
  await grantMembership(service.ctx, hanako.memberId, { year: 1, month: 2, source: "operator", grantId });
  await match(hanako, taro!);
  await hanako.call(sendDm, { receiverId: "taro", description: 'Line one\nLine "two" 🦊 \u2028 鍵' });
  await taro!.call(sendDm, { receiverId: "hanako", description: "My secret answer" });
  await taro!.call(sendDm, { receiverId: "hanako", file: fileOf(picture) });
  await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  const { dms } = await hanako.call(getDms, { friendId: "taro" });
  await hanako.call(reactToDm, { dmId: dms[1]!.id, reaction: "thanks" });
  await taro!.call(reactToDm, { dmId: dms[0]!.id, reaction: "heart" });
  await hanako.call(likeUser, { likedId: "jiro" });
  await saburo!.call(likeUser, { likedId: "hanako" });
  await hanako.call(passUser, { unlikedId: "saburo" });
  await hanako.call(blockUser, { userId: "shiro" });
  await hanako.call(reportUser, { userId: "saburo", reason: "spam", detail: "He sells watches." });
  await hanako.call(addNeverSee, { who: "not-yet-here", note: "next door" });
  await hanako.call(likeUser, { likedId: "goro" });
  await goro!.call(blockUser, { userId: "hanako" });

  const { files, data } = await exportOf(hanako);

  const { posts: _, ...user } = (await hanako.call(getOwnUser, {})).user;
  const { icon } = data["user"] as { icon: string };
  const image = [...files.keys()].find((name) => name.startsWith("images/") && name !== icon);
  const at = "2026-05-05T12:00:00.250Z";
  const day = "2026-05-05";
  const startOfDay = "2026-05-05T00:00:00.000Z";
  expect(data).toEqual({
    matches: [{ user_id: "taro", matched_at: day, is_new: true, sees_clear_icon: false }],
    ended_matches: [],
    posts: [],
    hidden_areas: [],
    corrections: [],
    email_changes: [],
    new_email_requests: [],
    announcements: 0,
    shows_reading: true,
    shows_typing: false,
    accepts_pictures: true,
    no_pictures_from: [],
    messages_sent: [
      expect.objectContaining({ to: "taro", at, text: 'Line one\nLine "two" 🦊 \n 鍵', picture: null }),
      expect.objectContaining({ to: "taro", at, text: null, picture: image }),
    ],
    reactions: [{ id: dms[1]!.id, to: "taro", reaction: "thanks" }],
    likes_and_passes: expect.toSatisfy((list: { user_id: string }[]) => {
      expect(list.toSorted((a, b) => a.user_id.localeCompare(b.user_id))).toEqual([
        { user_id: "jiro", verdict: "like", at: day },
        { user_id: "saburo", verdict: "pass", at: day },
        { user_id: "taro", verdict: "like", at: day },
      ]);
      return true;
    }),
    blocks: ["shiro"],
    never_see: [{ kind: "handle", note: "next door", added_at: startOfDay }],
    reports: [{ user_id: "saburo", reason: "spam", detail: "He sells watches.", at: startOfDay }],
    membership: {
      paid_until: "2027-07-05T12:00:00.250Z",
      grants: [
        { year: 1, month: 2, source: "operator", at, ended_at: null, taken_months: 0, coupon_id: null },
      ],
    },
    help: [],
    notices: [],
    looks: [],
    orders: [],
    brokerage: { available: 0, received: 0, pending: 0, pending_until: null, fees: [], transfers: [] },
    user: { ...user, icon, pictures: [icon] },
    made_at: at,
    account: {
      signed_up_at: startOfDay,
      last_visit_on: day,
      language: "en",
      invited_by: null,
      invited_members: null,
    },
    age_check: { approved_on: null, last_picture: null },
    passkeys: { list: [], asked_beside_password: false, unused_recovery_codes: 0 },
    consents: {
      terms: { version: TERMS_VERSION, time: at },
      privacy: { version: PRIVACY_VERSION, time: at },
      earlier: [],
    },
    sessions: [{ logged_in_on: "2026-05-05", last_used_on: "2026-05-05", ended_on: null, is_this_one: true }],
  });
  expect(await cornersOf(files.get(icon)!)).toEqual([...corners]);
  expect(await cornersOf(files.get(image!)!)).toEqual([...corners]);
  expect(files.size).toBe(4);
  expect(JSON.stringify(data)).not.toContain("My secret answer");
});

test.each(languages)(
  "exports one readable page in %s, with all pictures, without a script",
  async (language) => {
    const service = await serviceForTest();
    const picture = await quarters().jpeg().toBuffer();
    const hanako = await memberWithIcon(service, "hanako", picture, {
      username: "花子 <script>alert(1)</script>",
    });
    const taro = await service.member("taro", { paid: true });
    await match(hanako, taro);
    await hanako.call(sendDm, {
      receiverId: "taro",
      description: "Line one\nLine <b>two</b>",
      file: fileOf(picture),
    });

    const { files } = await unpackExport(await hanako.fetch(`/${language}${exportData.path}`));
    const page = files.get("index.html")!.toString();

    const words: Record<string, string> = allTranslations[language].exportPage;
    expect(page).toContain(`<title>${words["title"]}</title>`);
    expect(page).toContain("花子 &lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).toContain("Line one\nLine &lt;b&gt;two&lt;/b&gt;");
    expect(page).not.toMatch(/<script|<b>|https?:/);
    for (const name of files.keys())
      if (name.startsWith("images/")) expect(page).toContain(`<img src="${name}"`);
    const labels = [...page.matchAll(/<(?:dt|h2)>([^<]+)</g)].map(([, label]) => label!);
    expect(labels.filter((label) => !Object.values(words).includes(label))).toEqual([]);
  },
);

test("returns a zip with a neutral name and no caching when the member has no data", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { at: null });

  const response = await hanako.fetch(EXPORT_PATH, { headers: { "accept-encoding": "gzip, br" } });
  const { headers } = response;
  const { files, data } = await unpackExport(response);

  expect(headers.get("content-type")).toBe("application/zip");
  expect(headers.get("content-disposition")).toBe('attachment; filename="data.zip"');
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-encoding")).toBeNull();
  expect([...files.keys()]).toEqual(["data.json", "index.html"]);
  expect(data).toMatchObject({ messages_sent: [], likes_and_passes: [], matches: [], blocks: [] });
});

test(
  "exports 500 messages and 30 images of two conversations completely and in order",
  { tags: "long", timeout: 120_000 },
  async () => {
    const { member, db } = await serviceForTest();
    const hanako = await member("hanako", { paid: true });
    const taro = await member("taro", { paid: true });
    const jiro = await member("jiro", { paid: true });
    await match(hanako, taro);
    await match(hanako, jiro);
    const picture = fileOf(await quarters(64, 64).png().toBuffer());
    for (let i = 0; i < 250; i++) {
      await Promise.all([
        hanako.call(sendDm, { receiverId: "taro", description: `to taro ${i}` }),
        taro.call(sendDm, { receiverId: "hanako", description: `from taro ${i}` }),
        hanako.call(sendDm, {
          receiverId: "jiro",
          description: `to jiro ${i}`,
          ...(i < 30 ? { file: picture } : {}),
        }),
      ]);
    }

    const { files, data } = await exportOf(hanako);

    const sent = data["messages_sent"] as { to: string; text: string; picture: string | null }[];
    for (const to of ["taro", "jiro"]) {
      const texts = sent.filter((message) => message.to === to).map(({ text }) => text);
      expect(texts).toEqual(Array.from({ length: 250 }, (_, i) => `to ${to} ${i}`));
    }
    const pictures = sent.flatMap((message) => message.picture ?? []);
    expect(new Set(pictures)).toEqual(
      new Set([...files.keys()].filter((name) => name.startsWith("images/"))),
    );
    expect(pictures).toHaveLength(30);
    expect(await db.selectFrom("messages").select("pair").execute()).toHaveLength(750);
  },
);

test(
  "holds no transaction when the client reads slowly, and stops when it disconnects",
  { tags: "long", timeout: 180_000 },
  async () => {
    const { member, ctx, db } = await ownService();
    const hanako = await member("hanako", { paid: true });
    const taro = await member("taro", { paid: true });
    await match(hanako, taro);
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const picture = sharp({ create: { width: 1200, height: 1200, channels: 3, background: "#888", noise } });
    const large = fileOf(await picture.jpeg().toBuffer());
    for (let i = 0; i < 20; i++) await hanako.call(sendDm, { receiverId: "taro", file: large });
    let opened = 0;
    const { get } = ctx.fileStorage;
    ctx.fileStorage.get = (key) => {
      opened++;
      return get(key);
    };

    const leave = new AbortController();
    const response = await hanako.fetch(EXPORT_PATH, { signal: leave.signal });
    await response.body!.getReader().read();
    await eventually(() => expect(opened).toBeGreaterThan(0));
    // A transaction of the export would last as long as the slow client; a job's ends soon.
    await eventually(async () => {
      const { rows } = await sql<{ state: string }>`
      select state from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(db);
      expect(rows).toEqual([]);
    });
    leave.abort();

    await exportOf(taro); // responds after the server has noticed the disconnect
    const whenLeft = opened;
    await exportOf(taro); // the event loop has turned meanwhile
    expect(opened).toBeLessThanOrEqual(whenLeft + 1);
    expect(opened).toBeLessThan(20);
  },
);

test("uses no ticket and creates nothing when only the head is requested", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const { ticket } = await hanako.call(getExportTicket, {});

  const head = await service.fetch(`${EXPORT_PATH}?ticket=${ticket}`, { method: "HEAD" });

  expect(head.status).toBe(404);
  const { data } = await unpackExport(await service.fetch(`${EXPORT_PATH}?ticket=${ticket}`));
  expect(data["user"]).toMatchObject({ user_id: "hanako" });
});

test("exports once per ticket, for its member only", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const { ticket } = await hanako.call(getExportTicket, {});
  const { ticket: forSockets } = await hanako.call(getWsTicket, {});
  const byTicket = (ticket: string) => service.fetch(`${EXPORT_PATH}?ticket=${ticket}`);

  const { data } = await unpackExport(await byTicket(ticket));
  const others = await Promise.all(
    [ticket, forSockets, "", "x"].map(async (deviceToken) => byTicket(deviceToken)),
  );

  expect(data["user"]).toMatchObject({ user_id: "hanako" });
  expect(others.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect((await service.fetch(EXPORT_PATH)).status).toBe(401);
  const late = await hanako.call(getExportTicket, {});
  service.clock.advance(31_000);
  expect((await byTicket(late.ticket)).status).toBe(401);
  const last = await hanako.call(getExportTicket, {});
  await service.call(logOut, { token: hanako.refresh });
  expect((await byTicket(last.ticket)).status).toBe(401);
});

test("finishes cleanly when the member is deleted during the export", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { at: null });

  const outcomes = await Promise.all([hanako.fetch(EXPORT_PATH), hanako.call(deleteAccount, {})]);

  expect([200, 401]).toContain(outcomes[0].status);
  await outcomes[0].arrayBuffer().catch(() => undefined); // the stream may break off
});
