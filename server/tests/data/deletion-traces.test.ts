import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, getWsTicket, requestSignUpCode, saveSessions } from "@alcove/contract/accounts";
import { requestCorrection } from "@alcove/contract/corrections";
import { getOptions, likeUser, passUser, saveLocation } from "@alcove/contract/discovery";
import { askHelp } from "@alcove/contract/help";
import { saveConversation, saveReading, sendDm, unsendDm } from "@alcove/contract/messaging";
import { subscribePush } from "@alcove/contract/notifications";
import { createRecoveryCodes } from "@alcove/contract/passkeys";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { DAY_MS, utcDay } from "../../src/platform/clock.ts";
import { encryptTime } from "../../src/platform/security/exact-time.ts";
import { createMember, logOperatorAction, openSession } from "../../src/accounts/index.ts";
import { useCoupon } from "@alcove/contract/membership";
import { encryptConditions } from "../../src/membership/conditions.ts";
import { createCoupon, grantMembership } from "../../src/membership/index.ts";
import { sendSampleDocument } from "../../src/testing/age-check.ts";
import { sweepCases } from "../../src/cases/retention.ts";
import { decide, forgetDeletedMembers, readOpenReports } from "../../src/testing/cases.ts";
import { CLUSTER } from "../../src/testing/cluster-database.ts";
import { match } from "../../src/testing/match.ts";
import { recordAccount } from "../../src/referral/paypal-accounts.ts";
import { passkeyOf } from "../../src/testing/member-passkeys.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { sampleProfile } from "../../src/testing/profile.ts";
import { fileOf, quarters } from "../../src/testing/sample-pictures.ts";
import {
  eventually,
  testService,
  type TestMember,
  type TestService,
} from "../../src/testing/test-service.ts";
import { dumpTables, readFiles, type Place } from "../../src/testing/data-traces.ts";

/** Tables without a row about a single member. Every other table must contain her before the deletion. */
const ABOUT_NOBODY = [
  "cell_counts", // members per wide area
  "former_accounts", // keyed digests of a deleted account, like the next
  "former_user_ids",
  "sign_up_hours", // how many sign-ups in an hour
  "spent_challenges", // digests of solved challenges
  "member_jobs", // jobs that wait for the next seconds
  "rate_limits", // keyed digests, kept for an hour
  "call_outcomes", // only the client can open them
  "clear_icon_viewers", // not written by any call, like the next two
  "never_see",
  "never_see_index",
  "coupons", // created by the operator
  "announcements", // written by the operator
  "daily_figures", // sums of a day
  "transparency_figures", // sums of a month
  "notices", // of anybody, not written by a member
  "notice_hits", // accounts whose pictures a notice shows
  "destroyed_keys", // keyed digests of numbers
  "closed_orders", // archived under random keys
  "closed_transfers", // archived under random keys
  "operators", // accounts of the console, and how they log in
  "operator_passkeys",
  "operator_enrolments",
  "operator_sessions",
  "case_claims", // which operator works on which case
  "case_decisions", // written by operators
  "left_accounts", // written by a deletion
  "restorations", // restores of this database
  "master_keys", // wrap the keys of all members
  "database_ids", // the database itself
  "server_processes", // running servers
  "webhook_events", // PayPal's event ids
  "kysely_migration",
  "kysely_migration_lock",
];
/** A recognisable number. */
const FIRST_NUMBER = 7_310_000_001;
const TOKYO = "139.7671,35.6812";
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test("leaves no trace of a deleted member in database and media, where all traces were found before", async () => {
  const service = await serviceForTest({ config: { freeCardsPerDay: 9, hasRateLimits: true } });
  await sql`select setval('member_numbers', ${FIRST_NUMBER})`.execute(service.db);
  const hanako = await liveThroughEverything(service);
  const before = await dump(service);
  const marks = marksOf(hanako, before);
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(service.db);
  const expected = tables.map(({ name }) => name).filter((name) => !ABOUT_NOBODY.includes(name));

  expect(tablesWith(marks, before)).toEqual(
    [...expected.map((name) => `public.${name}`), "graphile_worker._private_jobs", "media"].toSorted(),
  );
  await hanako.call(deleteAccount, {});

  // Reportable messages and cases stay for a while. Orphaned files are deleted by jobs.
  const atOnce = tablesWith(marks, await dump(service));
  expect(atOnce).toEqual(
    [
      "case_evidence",
      "cases",
      "decks",
      "ended_matches",
      "hidden_conversations",
      "hidden_messages",
      "last_verdicts",
      "left_accounts",
      "media_files",
      "member_jobs",
      "members",
      "quota_days",
      "unsent_messages",
      "verdicts",
    ]
      .map((name) => `public.${name}`)
      .concat("graphile_worker._private_jobs", "media")
      .toSorted(),
  );
  await forgetDeletedMembers(service);
  for (const { caseNo } of await readOpenReports(service.ctx)) await decide(service.ctx, caseNo);
  service.clock.advance(181 * DAY_MS);
  await sweepCases(service.ctx);
  await testService({ beside: service }); // runs the jobs
  await eventually(async () => {
    const left = (await dump(service)).filter((place) => isTrace(place, marks));
    expect(left.map(({ name, text }) => `${name} ${text.slice(0, 100)}`)).toEqual([]);
  }, 20_000);
  const others = await service.db.selectFrom("members").select("member_no").execute();
  expect(others).toHaveLength(6);
}, 60_000);

// A restore into distributed tables is rejected.
test.runIf(CLUSTER.length === 0)(
  "leaves out only keys that nothing uses at a restore",
  async () => {
    const service = await serviceForTest({ config: { freeCardsPerDay: 9, hasRateLimits: true } });
    await liveThroughEverything(service);
    const { ctx, db } = service;
    const { encryption } = ctx;
    await logOperatorAction(ctx, "backup", null, "weekly");
    const archived = encryption.keys.create();
    await encryption.keys.store(db, archived);
    const email = await encryption.encrypt(archived, "payee@example.com", "");
    await sql`insert into closed_transfers (archive_id, usd_cents, state, sent_on, transfer_id, encrypted_email, next_poll_at)
    values (gen_random_uuid(), 100, 'sending', now(), gen_random_uuid(), ${email}, now())`.execute(db);
    const keyIds = async () =>
      (await db.selectFrom("data_keys").select("key_id").orderBy("key_id").execute()).map(
        ({ key_id }) => key_id,
      );
    const used = await keyIds();
    expect(used.length).toBeGreaterThan(10);
    for (const id of [encryption.keys.create(), encryption.keys.create(9_999)])
      await encryption.keys.store(db, id);

    await db.transaction().execute((tx) => ctx.domainEvents.emit(tx, "database_restored", { mediaIds: [] }));

    expect(await keyIds()).toEqual(used);
  },
  60_000,
);

/** A member with rows in every table; some jobs stay pending. */
async function liveThroughEverything(service: TestService): Promise<TestMember> {
  const { ctx, member } = service;
  const picture = await quarters().jpeg().toBuffer();
  const email = "hanako@example.com";
  const made = await createMember(ctx, {
    userId: "Hanako-Leaves",
    password: "quiet-evenings-7",
    email,
    socialDigest: randomBytes(32),
    language: "en",
    profile: sampleProfile({ sex: "female" }),
    icon: fileOf(picture),
    iconProcess: true,
    network: "203.0.113.7",
  });
  const tokens = await openSession(ctx, made.memberId);
  const hanako = service.memberAt({ user_id: made.userId, memberId: made.memberId, ...tokens } as TestMember);
  const them = { sex: "male", paid: true } as const;
  const taro = await member("taro", them);
  await member("jiro", them);
  const saburo = await member("saburo", them);
  const shiro = await member("shiro", { sex: "male" });
  const goro = await member("goro", them);
  await createMember(ctx, {
    userId: "invited",
    password: null,
    email: null,
    language: "en",
    invitedBy: hanako.memberId,
    profile: sampleProfile({}),
    iconProcess: true,
  });
  const grant = { year: 1, month: 0, source: "operator", grantId: randomUUID() } as const;
  await grantMembership(ctx, hanako.memberId, grant);
  await logOperatorAction(ctx, "members grant", hanako, "paid by Hanako-Leaves");

  await service.call(requestSignUpCode, { email, agree_privacy_policy: "yes", agree_tos: "yes" });
  await eventually(async () =>
    expect(await service.db.selectFrom("codes").select("purpose").execute()).toHaveLength(1),
  );
  await ctx.jobs.stop();

  await hanako.call(subscribePush, {
    endpoint: "https://push.example.com/send/hanako",
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  });
  await hanako.call(saveLocation, { location: TOKYO });
  for (const one of [hanako, taro, shiro]) await one.call(getOptions, {}); // decks and daily cards
  await match(hanako, taro);
  await hanako.call(sendDm, { receiverId: "taro", description: "Good evening, see example.com" });
  await taro.call(sendDm, { receiverId: hanako.user_id, description: "And to you" });
  const { dm } = await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  await taro.call(sendDm, { receiverId: hanako.user_id, file: fileOf(picture) });
  const back = await hanako.call(sendDm, { receiverId: "taro", description: "Hanako takes it back" });
  await hanako.call(unsendDm, { friendId: "taro", dmId: back.dm.id });
  await hanako.call(saveReading, { shows_reading: false, shows_typing: true });
  await hanako.call(saveConversation, { friendId: "taro", pictures: false });
  await hanako.call(likeUser, { likedId: "jiro" });
  await saburo.call(likeUser, { likedId: hanako.user_id });
  await goro.call(passUser, { unlikedId: hanako.user_id });
  await hanako.call(passUser, { unlikedId: "goro" });
  await match(hanako, shiro);
  await hanako.call(sendDm, { receiverId: "shiro", description: "Not any more", file: fileOf(picture) });
  await shiro.call(sendDm, { receiverId: hanako.user_id, file: fileOf(picture) });
  await hanako.call(blockUser, { userId: "shiro" });
  await hanako.call(saveReading, { accepts_pictures: false });
  await hanako.call(reportUser, {
    userId: "goro",
    reason: "fake",
    detail: "It is Hanako-Leaves who says so",
  });
  await taro.call(reportUser, { userId: hanako.user_id, reason: "spam", detail: null, dmId: dm.id });
  await hanako.call(getWsTicket, {});
  const expiresAt = new Date(service.clock.now().getTime() + DAY_MS);
  await createCoupon(ctx, { id: "SPRING", year: 0, month: 1, maxUses: 5, expiresAt });
  await hanako.call(useCoupon, { coupon_id: "spring" });
  await storeOrder(service, hanako);
  await storeTransfer(service, hanako);
  await storeMarks(service, hanako);
  const announced = { member_no: hanako.memberId, announcement_id: randomUUID() };
  await service.db.insertInto("announced_members").values(announced).execute();
  await passkeyOf(service, hanako, { password: "quiet-evenings-7" });
  await hanako.call(createRecoveryCodes, {});
  await sendSampleDocument(service, hanako);
  await hanako.call(askHelp, { text: "Hanako-Leaves asks for help" });
  await hanako.call(requestCorrection, { date_of_birth: "1984-04-04", reason: "Hanako-Leaves slipped" });
  await hanako.call(saveSessions, { tells_new_devices: false });
  await storeRequest(service, hanako);
  return hanako;
}

async function storeOrder({ ctx, db, clock }: TestService, { memberId }: TestMember): Promise<void> {
  const key = { member_no: memberId, order_id: randomUUID() };
  const withdrawal = { days: 14, share: "unused" } as const;
  const conditions = { country: "DE", startAtOnce: true, withdrawal, tax: 0.19, timeZone: "Europe/Berlin" };
  await db
    .insertInto("orders")
    .values({
      ...key,
      kind: "paypal",
      number: "2026-000001",
      year: 1,
      month: 0,
      currency: "USD",
      price: 80,
      usd_cents: 8_000,
      encrypted_conditions: await encryptConditions(ctx, key, conditions),
      state: "completed",
      paypal_order_id: "5O190127TN364715T",
      capture_id: "3C679366HH908993F",
      refunds: "{}",
      refunded: 0,
      paid_on: utcDay(clock.now()),
      encrypted_paid_at: randomBytes(32),
      next_poll_at: null,
    })
    .execute();
  await db
    .insertInto("paypal_refs")
    .values({ paypal_id: "5O190127TN364715T", kind: "order", ...key })
    .execute();
}

/** A referral fee, its transfer and the receiving account. */
/** As after a suspension. */
async function storeMarks({ ctx, db }: TestService, { memberId }: TestMember): Promise<void> {
  const before = await ctx.encryption.encrypt(
    memberId,
    "hanako-before@example.com",
    `email_changes.encrypted_before:${memberId}:1`,
  );
  await sql`insert into suspended_pictures (member_no, media_id, hash, suspended_on)
    values (${memberId}, gen_random_uuid(), 1::bit(128), now())`.execute(db);
  await sql`insert into suspended_mailboxes (mailbox_digest, member_no, suspended_on)
    values (${randomBytes(32)}, ${memberId}, now())`.execute(db);
  await sql`insert into suspended_paypal (account_digest, member_no, suspended_on)
    values (${randomBytes(32)}, ${memberId}, now())`.execute(db);
  await sql`insert into case_contacts (case_no, member_no) values (1, ${memberId})`.execute(db);
  await sql`insert into member_notices (member_no, notice_id, case_no, kind, encrypted_name, created_on, sequence_no)
    values (${memberId}, gen_random_uuid(), 1, 'fraud', ${randomBytes(32)}, now(), 1)`.execute(db);
  await sql`insert into email_changes (member_no, change_no, changed_on, encrypted_before)
    values (${memberId}, 1, now(), ${before})`.execute(db);
  await sql`insert into mailbox_requests (member_no, request_id, state, asked_on, encrypted_content)
    values (${memberId}, gen_random_uuid(), 'open', now(), ${randomBytes(32)})`.execute(db);
}

/** An operator asks another one to look at her. */
async function storeRequest({ db }: TestService, { memberId }: TestMember): Promise<void> {
  await db
    .insertInto("operator_requests")
    .values({
      request_id: randomUUID(),
      action: "ban",
      operator_id: null,
      subject_no: memberId,
      encrypted_details: null,
      asked_on: "2026-01-01",
      is_approved: false,
      expires_at: new Date(),
    })
    .execute();
}

async function storeTransfer({ db, clock, ctx }: TestService, { memberId }: TestMember): Promise<void> {
  const transfer = { member_no: memberId, transfer_id: randomUUID() };
  const at = clock.now();
  await db
    .insertInto("transfers")
    .values({
      ...transfer,
      usd_cents: 1_600,
      state: "accepted",
      encrypted_email: null,
      payout_batch_id: "5UXD2E8A7EBQJ",
      created_at: at,
      encrypted_created_at: await encryptTime(
        ctx.encryption,
        memberId,
        at,
        `transfers.encrypted_created_at:${transfer.transfer_id}`,
      ),
      sequence_no: 1,
      next_poll_at: null,
    })
    .execute();
  const payer = { ids: ["HANAKOPAYER"], emails: [] };
  await db.transaction().execute((tx) => recordAccount(tx, ctx, memberId, payer));
  const entry = { at, sequence_no: 1, order_id: null, percentage: null };
  await db
    .insertInto("ledger_entries")
    .values([
      {
        ...entry,
        member_no: memberId,
        entry_id: randomUUID(),
        kind: "fee",
        usd_cents: 1_600,
        order_id: randomUUID(),
        percentage: 20,
        transfer_id: null,
        available_at: at,
      },
      {
        ...entry,
        ...transfer,
        entry_id: randomUUID(),
        kind: "transfer",
        usd_cents: -1_600,
        available_at: null,
      },
    ])
    .execute();
}

async function dump(service: TestService): Promise<Place[]> {
  const tables = await dumpTables(service.databaseUrl);
  const files = await readFiles(join(service.dataDir, "media"));
  return [...tables, ...files.map(({ name, bytes }) => ({ name: "media", text: name, bytes }))];
}

/**
 * All identifiers of a member: number, user id, and ids, digests and encrypted values of their rows and of rows that
 * refer to those.
 */
function marksOf({ memberId, user_id }: TestMember, places: readonly Place[]): Set<string> {
  const marks = new Set([String(memberId), user_id.toLowerCase()]);
  for (let size = 0; size < marks.size;) {
    size = marks.size;
    for (const place of places.filter((each) => hasMarks(each, memberId) && isTrace(each, marks))) {
      for (const [id] of place.text.matchAll(UUID)) marks.add(id);
      for (const run of place.bytes.slice(1)) marks.add(run.toString("hex"));
    }
  }
  return marks;
}

/** Reports, operator log entries and the row of an invited member stay under their own ids; a file is named by its row. */
function hasMarks({ name, text }: Place, memberId: number): boolean {
  if (name === "public.members") return text.startsWith(`(${memberId},`);
  return !/^(?:media|public\.ended_matches|public\.operator_log|public\.reports|public\.reports_given)$/.test(
    name,
  );
}

/** Matches whole numbers only. */
function isTrace({ text }: Place, marks: ReadonlySet<string>): boolean {
  return text
    .toLowerCase()
    .split(/[^0-9a-z-]+/)
    .some((word) => marks.has(word) || marks.has(word.replace(/^x/, "")));
}

function tablesWith(marks: ReadonlySet<string>, places: readonly Place[]): string[] {
  return [...new Set(places.filter((place) => isTrace(place, marks)).map(({ name }) => name))].toSorted();
}
