import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, getOwnUser, getWsTicket, logIn, refreshTokens } from "@alcove/contract/accounts";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { saveFilter } from "@alcove/contract/profiles";
import { closeCodes } from "@alcove/contract/close-codes";
import { createMember } from "./index.ts";
import { findMember } from "../members/find-member.ts";
import type { Db } from "../platform/db/database.ts";
import { createTicket } from "./login/tickets.ts";
import { blockUser } from "@alcove/contract/safety";
import { forgetDeletedMembers } from "../testing/cases.ts";
import { rounds } from "../testing/rounds.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { sampleProfile } from "../testing/profile.ts";
import { eventually, expectError, type TestService } from "../testing/test-service.ts";

test("leaves no row of the member and ends access and sockets when an account is deleted", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true, password: "quiet-evenings-7" });
  const taro = await service.member("taro");
  await hanako.call(getWsTicket, {});
  const socket = await hanako.socket("/ws/events");
  await eventually(() => expect(service.ctx.sockets.count).toBe(1));

  await hanako.call(deleteAccount, {});

  await expectError(hanako.call(getOwnUser, {}), "login_required");
  await expectError(service.call(refreshTokens, { refresh: hanako.refresh }), "login_required");
  await expectError(
    service.call(logIn, { user_id: "hanako", password: "quiet-evenings-7" }),
    "wrong_credentials",
  );
  await eventually(() => expect(socket.closed).toBe(closeCodes.badToken));
  await expectNoRowOf(service, hanako.memberId);
  expect(await tablesNaming(service.db, taro.memberId)).toContain("members");
});

test("frees the address when an account is deleted", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  await hanako.call(deleteAccount, {});
  const again = await service.member("hanako-again", { at: null, email: "hanako@example.com" });

  expect(again.memberId).not.toBe(hanako.memberId);
  expect((await again.call(getOwnUser, {})).user.email).toBe("hanako@example.com");
});

test("needs one connection from the match to the deletion and the next account, so that none waits for another", async () => {
  const service = await serviceForTest({ poolSize: 1 });
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro");
  await match(hanako, taro);
  await hanako.call(saveFilter, { search_max_range: 100 });
  await hanako.call(sendDm, { receiverId: taro.user_id, description: "Good evening" });
  await hanako.call(blockUser, { userId: taro.user_id });

  await hanako.call(deleteAccount, {});
  const again = await service.member("hanako-again", { at: null, email: "hanako@example.com" });

  await again.call(saveFilter, { search_max_range: 100 });
  await expectNoRowOf(service, hanako.memberId);
});

test("deletes an account once when two deletions, a login and a refresh arrive at the same time", async () => {
  const service = await serviceForTest();
  for (let round = 0; round < rounds(10); round++) {
    const name = `gone${round}`;
    const member = await service.member(name, { password: "quiet-evenings-7" });

    const outcomes = await Promise.allSettled([
      member.call(deleteAccount, {}),
      service.call(logIn, { user_id: name, password: "quiet-evenings-7" }),
      service.call(refreshTokens, { refresh: member.refresh }),
      member.call(deleteAccount, {}),
    ]);

    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 401 });
    }
    await expectNoRowOf(service, member.memberId);
  }
});

test("deletes both accounts when two matched members delete them at the same time", async () => {
  const service = await serviceForTest();
  for (let round = 0; round < rounds(8); round++) {
    const her = await service.member(`her${round}`);
    const him = await service.member(`him${round}`);
    await match(her, him);
    await her.call(sendDm, { receiverId: him.user_id, description: "Good evening" });
    await him.call(sendDm, { receiverId: her.user_id, description: "Good evening to you" });

    await Promise.all([her.call(deleteAccount, {}), him.call(deleteAccount, {})]);

    for (const { memberId } of [her, him]) await expectNoRowOf(service, memberId);
  }
});

test("returns user_not_found and stores nothing when a member writes to, likes or blocks a member during their deletion", async () => {
  const service = await serviceForTest();
  for (let round = 0; round < rounds(8); round++) {
    const deleted = await service.member(`deleted${round}`, { paid: true });
    const friend = await service.member(`friend${round}`, { paid: true });
    const admirer = await service.member(`admirer${round}`, { paid: true });
    const blocker = await service.member(`blocker${round}`);
    await match(deleted, friend);
    await match(deleted, blocker);

    const outcomes = await Promise.allSettled([
      friend.call(sendDm, { receiverId: deleted.user_id, description: "Are you there?" }),
      admirer.call(likeUser, { likedId: deleted.user_id }),
      blocker.call(blockUser, { userId: deleted.user_id }),
      deleted.call(deleteAccount, {}),
      friend.call(sendDm, { receiverId: deleted.user_id, description: "Hello?" }),
      admirer.call(saveLocation, { location: "139.7,35.6" }),
    ]);

    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 404 });
    }
    await expectNoRowOf(service, deleted.memberId);
  }
});

test("stores nothing when a member is invited by, or gives a ticket to, a member during their deletion", async () => {
  const service = await serviceForTest();
  for (let round = 0; round < rounds(5); round++) {
    const deleted = await service.member(`host${round}`, { at: null });
    const session = await service.db
      .selectFrom("sessions")
      .select("session_id")
      .where("member_no", "=", deleted.memberId)
      .executeTakeFirstOrThrow();
    const invite = (name: string) =>
      createMember(service.ctx, {
        userId: `${name}${round}`,
        password: null,
        email: null,
        language: "en",
        invitedBy: deleted.memberId,
        profile: sampleProfile({}),
        iconProcess: true,
      });

    await invite("earlier");
    const outcomes = await Promise.allSettled([
      invite("early"),
      deleted.call(getWsTicket, {}),
      deleted.call(deleteAccount, {}),
      deleted.call(getWsTicket, {}),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 401 });
    }
    await expectNoRowOf(service, deleted.memberId);
    // Both found the inviter before the deletion.
    await invite("late");
    const me = {
      memberId: deleted.memberId,
      userId: deleted.user_id,
      session: session.session_id,
      isForPurchases: false,
      consentRequiredFrom: null,
      isAgeChecked: false,
      isSuspended: false,
    };
    await expect(createTicket(service.ctx, me, "socket")).rejects.toMatchObject({ code: "login_required" });

    const tickets = await service.db
      .selectFrom("socket_tickets")
      .select("session_id")
      .where("session_id", "=", session.session_id)
      .execute();
    expect(tickets).toEqual([]);
    expect(await tablesNaming(service.db, deleted.memberId)).toEqual([]);
  }
});

test("notifies a matched member in every window when an account is deleted, but no unmatched user", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const hanako = await here.member("hanako", { paid: true });
  const taro = await here.member("taro", { paid: true });
  const jiro = await here.member("jiro", { paid: true });
  await match(hanako, taro);
  await match(taro, jiro);
  const events = await there.memberAt(taro).socket("/ws/events");
  const chats = [await taro.socket("/ws/dm/hanako"), await there.memberAt(taro).socket("/ws/dm/hanako")];
  const other = await there.memberAt(taro).socket("/ws/dm/jiro");
  const visitors = await jiro.socket("/ws/events");

  // The event of the match may still arrive after a window opens.
  const lost = (window: typeof events) => window.frames.filter((frame) => "match_ended" in (frame as object));

  await hanako.call(deleteAccount, {});

  await eventually(() => expect(lost(events)).toEqual([{ match_ended: { user_id: "hanako" } }]));
  await eventually(() => expect(chats.map(({ closed }) => closed)).toEqual([4403, 4403]));
  expect(chats.flatMap(({ frames }) => frames)).toEqual([]);
  expect([events.closed, other.closed, visitors.closed]).toEqual([null, null, null]);
  expect(lost(visitors)).toEqual([]);
});

test("finds only active members when any string is passed", async () => {
  const { ctx, member } = await serviceForTest();
  const hanako = await member("Hanako", { at: null });

  expect(await findMember(ctx, "hANAKO")).toEqual({ memberId: hanako.memberId });
  for (const odd of [
    "",
    "\u0000",
    "hanako\u0000",
    "😀",
    "\ud800",
    "x".repeat(5_000),
    "hanako%",
    "' or 1=1 --",
    "ﾊﾅｺ",
  ]) {
    expect(await findMember(ctx, odd)).toBeNull();
  }
});

test("creates nothing when one part of a new member is invalid", async () => {
  const { ctx, db, member } = await serviceForTest();
  await member("hanako", { at: null });
  const options = { password: null, language: "en", iconProcess: true, icon: null } as const;

  const [taken, broken] = await Promise.allSettled([
    createMember(ctx, {
      ...options,
      userId: "other",
      email: "HANAKO@example.com",
      profile: sampleProfile({}),
    }),
    createMember(ctx, {
      ...options,
      userId: "broken",
      email: "broken@example.com",
      profile: sampleProfile({ search_min_age: 90, search_max_age: 20 }),
    }),
  ]);

  expect(taken).toMatchObject({ status: "rejected", reason: { errors: { email: ["account_exists"] } } });
  expect(broken.status).toBe("rejected"); // rejected by the database, because the form was valid
  for (const table of ["logins", "members", "email_index", "profiles"] as const) {
    expect(await db.selectFrom(table).select("member_no").execute()).toHaveLength(1);
  }
});

/** Jobs delete the last rows after the response; a match can report the member's messages for a week. */
async function expectNoRowOf(service: TestService, memberId: number): Promise<void> {
  await eventually(async () => {
    const tables = await tablesNaming(service.db, memberId);
    expect(tables.filter((table) => !REPORTABLE.includes(table))).toEqual([]);
  });
  await forgetDeletedMembers(service);
  await eventually(async () => expect(await tablesNaming(service.db, memberId)).toEqual([]));
}

const REPORTABLE = [
  "ended_matches",
  "hidden_conversations",
  "hidden_messages",
  "left_accounts",
  "media_files",
];

/** Returns the tables with the member's number. Columns that number other things may hold the same value. */
async function tablesNaming(db: Db, memberId: number): Promise<string[]> {
  numberColumns ??= await findNumberColumns(db);
  const found = new Set<string>();
  for (const { table, column } of numberColumns) {
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${memberId} limit 1`.execute(db);
    if (rows.length > 0) found.add(table);
  }
  return [...found].toSorted();
}

interface NumberColumn {
  table: string;
  column: string;
}

/** Equal in the databases of all tests. */
let numberColumns: NumberColumn[] | undefined;

async function findNumberColumns(db: Db): Promise<NumberColumn[]> {
  const { rows } = await sql<NumberColumn>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.data_type = 'bigint' and t.table_type = 'BASE TABLE'
      and c.column_name !~ '^(sequence|use|request|newest_like)_no$|_count$|fingerprint$|^value$'`.execute(
    db,
  );
  return rows;
}
