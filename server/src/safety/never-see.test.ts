import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser } from "@alcove/contract/discovery";
import { NEVER_SEE } from "@alcove/contract/limits";
import { getLastDms, sendDm } from "@alcove/contract/messaging";
import { addNeverSee, blockUser, getBlocks, getNeverSee, removeNeverSee } from "@alcove/contract/safety";
import { DAY_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro, serviceForTest } from "../testing/match.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { finishDueEntries } from "./never-see.ts";

const shownTo = async (who: TestMember) =>
  (await who.call(getOptions, {})).options.map((option) => option.user_id);
const mayLookAt = (who: TestMember, whom: string) =>
  who.call(getUser, { userId: whom }).then(
    () => true,
    () => false,
  );

/** Adds entries and waits for the job that looks them up. */
async function name({ db }: TestService, who: TestMember, people: string): Promise<void> {
  await who.call(addNeverSee, { who: people });
  await eventually(async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'resolve_never_see'`.execute(db);
    expect(rows).toEqual([]);
  });
}

test("hides both from each other and ends the match at once when a member is named by user id", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const chat = await taro.socket("/ws/dm/hanako");

  await name(service, hanako, "TARO");

  for (const [who, whom] of [
    [hanako, "taro"],
    [taro, "hanako"],
  ] as const) {
    expect((await expectError(who.call(getUser, { userId: whom }), "user_not_found")).status).toBe(404);
    await expectError(who.call(likeUser, { likedId: whom }), "user_not_found");
    await expectError(who.call(blockUser, { userId: whom }), "user_not_found");
    expect(await shownTo(who)).toEqual([]);
    expect(await who.call(getLastDms, {})).toEqual({ matches: [], dms: [], unread: [] });
    expect(await who.call(getBlocks, {})).toEqual({ users: [] });
  }
  await eventually(() => expect(chat.closed).toBe(4403));
});

test("never shows a new member to, nor sees, the owner who named their address before", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  await name(service, hanako, "Taro.Suzuki@Example.com, someone_else");

  const taro = await service.member("taro", { email: "taro.suzuki@example.COM", paid: true });
  const byHandle = await service.member("Someone_Else", { paid: true });
  const visitor = await service.member("stranger", { paid: true });

  expect(await shownTo(hanako)).toEqual(["stranger"]);
  for (const named of [taro, byHandle]) {
    expect(await shownTo(named)).not.toContain("hanako");
    expect(await mayLookAt(named, "hanako")).toBe(false);
    expect(await mayLookAt(hanako, named.user_id)).toBe(false);
  }
  expect(await shownTo(visitor)).toContain("hanako");
});

test("hides the owner at once when an address is named, and the named member days later", async () => {
  const service = await serviceForTest();
  let hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  await taro.call(likeUser, { likedId: "hanako" });

  await name(service, hanako, "taro@example.com");

  expect(await mayLookAt(taro, "hanako")).toBe(false);
  expect(await mayLookAt(hanako, "taro")).toBe(true);
  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: false });
  await finishDueEntries(service.ctx);
  expect(await mayLookAt(hanako, "taro")).toBe(true);

  service.clock.advance(3 * DAY_MS);
  hanako = await logInAgain(service, hanako);
  await finishDueEntries(service.ctx);
  expect(await mayLookAt(hanako, "taro")).toBe(false);
  expect(await service.db.selectFrom("likes_received").selectAll().execute()).toEqual([]);
});

test("keeps the card of the day when its member's address is named", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  await service.member("taro");
  await service.member("jiro");
  const [card] = await shownTo(hanako);

  await name(service, hanako, `${card}@example.com`);

  expect(await shownTo(hanako)).toEqual([card]);
});

test("keeps a match until the entry is due, then ends it as a block does", async () => {
  const service = await serviceForTest();
  let { hanako, taro } = await hanakoAndTaro(service);
  await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });

  await name(service, hanako, "taro@example.com");

  await taro.call(sendDm, { receiverId: "hanako", description: "Still there?" });
  service.clock.advance(3 * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  await finishDueEntries(service.ctx);
  for (const who of [hanako, taro])
    expect(await who.call(getLastDms, {})).toEqual({ matches: [], dms: [], unread: [] });
  expect(await service.db.selectFrom("messages").selectAll().execute()).toEqual([]);
});

test("returns the same response for members and non-members, without names", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const yuki = await service.member("yuki");
  await service.member("taro");

  const member = await hanako.call(addNeverSee, { who: "taro@example.com taro" });
  const unknown = await yuki.call(addNeverSee, { who: "nobody@example.com nobody" });

  const withoutIds = ({ entries }: typeof member) =>
    entries.map((entry) => ({ ...entry, id: null })).toSorted((a, b) => a.kind.localeCompare(b.kind));
  expect(withoutIds(member)).toEqual(withoutIds(unknown));
  expect(withoutIds(member)).toMatchObject([{ kind: "email" }, { kind: "handle" }]);
  const tables = await dumpTables(service.databaseUrl);
  for (const secret of ["nobody@example.com", "taro@example.com"]) {
    expect(placesWith(encodingsOf(secret), tables)).toEqual([]);
  }
  const digests = await service.db.selectFrom("never_see").select("digest").execute();
  const accounts = await service.db.selectFrom("email_index").select("email_digest").execute();
  const known = accounts.map(({ email_digest }) => email_digest.toString("hex"));
  expect(digests.filter(({ digest }) => known.includes(digest.toString("hex")))).toEqual([]);
});

test("stores one entry when a name is repeated, and limits entries to ten a day and fifty in all", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const ten = Array.from({ length: NEVER_SEE.perDay }, (_, i) => `person-${i}`);

  await Promise.allSettled(
    ten
      .flatMap((one) => [one, one.toUpperCase(), `extra-${one}`])
      .map((who) => hanako.call(addNeverSee, { who })),
  );

  const { entries } = await hanako.call(getNeverSee, {});
  expect(entries).toHaveLength(NEVER_SEE.perDay);
  const more = await expectError(hanako.call(addNeverSee, { who: "one_more" }), "too_many_requests");
  expect(more.status).toBe(429);
  let again = hanako;
  for (let day = 1; day < NEVER_SEE.total / NEVER_SEE.perDay; day++) {
    service.clock.advance(DAY_MS + 1);
    again = await logInAgain(service, again);
    await again.call(addNeverSee, { who: ten.map((one) => `day${day}-${one}`).join("\n") });
  }
  service.clock.advance(DAY_MS + 1);
  again = await logInAgain(service, again);
  expect((await expectError(again.call(addNeverSee, { who: "too_much" }), "never_see_full")).status).toBe(
    422,
  );
});

test.each(["", ", ;", "no spaces@here", "a@b", "two words!", "x", "a".repeat(31)])(
  "rejects %j, which is neither an address nor a user id",
  async (who) => {
    const { member } = await serviceForTest();
    const hanako = await member("hanako");

    const memberId = await expectError(hanako.call(addNeverSee, { who }), "invalid_input");

    expect(memberId.body["validation_errors"]).toHaveProperty("who");
  },
);

test("allows removal after 30 days, and shows the two again after PASS_DAYS", async () => {
  const service = await serviceForTest();
  const { clock, ctx } = service;
  let hanako = await service.member("hanako", { paid: true });
  let taro = await service.member("taro", { paid: true });
  await name(service, hanako, "taro\ntaro@example.com");
  const { entries } = await hanako.call(getNeverSee, {});
  for (const { id } of entries) await expectError(hanako.call(removeNeverSee, { id }), "never_see_too_new");
  await expectError(taro.call(removeNeverSee, { id: entries[0]!.id }), "not_found");

  clock.advance(NEVER_SEE.minDays * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  await finishDueEntries(ctx);
  expect((await hanako.call(removeNeverSee, { id: entries[0]!.id })).entries).toHaveLength(1);
  clock.advance(3 * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  await finishDueEntries(ctx);
  expect(await mayLookAt(taro, "hanako")).toBe(false); // the other entry names the same member
  expect((await hanako.call(removeNeverSee, { id: entries[1]!.id })).entries).toEqual([]);
  expect(await mayLookAt(taro, "hanako")).toBe(false);
  clock.advance(3 * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  await finishDueEntries(ctx);

  expect(await mayLookAt(taro, "hanako")).toBe(true);
  expect(await mayLookAt(hanako, "taro")).toBe(true);
  expect(await shownTo(hanako)).toEqual([]);
  expect(await service.db.selectFrom("never_see").selectAll().execute()).toEqual([]);
  expect(await service.db.selectFrom("never_see_index").selectAll().execute()).toEqual([]);
});

test("clears the named member when they are deleted, and names a new member of the same name", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await name(service, hanako, "taro@example.com");

  await taro.call(deleteAccount, {});

  const [entry] = await service.db.selectFrom("never_see").selectAll().execute();
  expect(entry).toMatchObject({ owner: hanako.memberId, other: null });
  const again = await service.member("taro", { paid: true });
  expect(await mayLookAt(again, "hanako")).toBe(false);
  expect(await mayLookAt(hanako, "taro")).toBe(false);
});

test("deletes all entries of a member with their account", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  await service.member("taro");
  await service.member("jiro");
  await name(service, hanako, "taro@example.com jiro nobody@example.com");

  await hanako.call(deleteAccount, {});

  for (const table of ["never_see", "never_see_index", "block_edges"] as const) {
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test("hides a new member when they sign up at the same time as they are named", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });

  for (let i = 0; i < 15; i++) {
    const hanako = await service.member(`hanako${i}`, { at: null });
    const [taro] = await Promise.all([
      beside.member(`taro${i}`, { at: null }),
      hanako.call(addNeverSee, { who: `taro${i} taro${i}@example.com` }),
    ]);
    await eventually(async () => {
      expect(await mayLookAt(taro, hanako.user_id)).toBe(false);
      expect(await mayLookAt(hanako, taro.user_id)).toBe(false);
    });
  }
});
