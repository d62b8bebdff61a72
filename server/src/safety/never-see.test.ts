import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, exportData } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import { NEVER_SEE } from "@alcove/contract/limits";
import { getDms, getLastDms, readDm, sendDm } from "@alcove/contract/messaging";
import {
  addNeverSee,
  blockUser,
  getBlocks,
  getNeverSee,
  noteNeverSee,
  removeNeverSee,
  unblockUser,
} from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { DAY_MS, MINUTE_MS } from "../platform/clock.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { quarters } from "../testing/sample-pictures.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { shownTo } from "../testing/member-calls.ts";

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

/** Expects every way to the other member to end as with a non-existent one. */
async function expectHidden(from: TestMember, whom: string): Promise<void> {
  expect((await expectError(from.call(getUser, { userId: whom }), "user_not_found")).status).toBe(404);
  await expectError(from.call(likeUser, { likedId: whom }), "user_not_found");
  await expectError(from.call(passUser, { unlikedId: whom }), "user_not_found");
  await expectError(from.call(blockUser, { userId: whom }), "user_not_found");
  await expectError(from.call(unblockUser, { userId: whom }), "user_not_found");
  await expectError(from.call(getDms, { friendId: whom }), "conversation_not_found");
  expect(await shownTo(from)).not.toContain(whom);
  expect(await from.call(getBlocks, {})).toEqual({ users: [] });
  const socket = await from.socket(`/ws/dm/${whom}`);
  await eventually(() => expect(socket.closed).toBe(4403));
}

test.each(["TARO", "Taro@Example.com"])(
  "hides the member who named %s from them everywhere, at once and one way",
  async (names) => {
    const service = await serviceForTest();
    const hanako = await service.member("hanako", { paid: true });
    const taro = await service.member("taro", { paid: true });
    expect(await shownTo(taro)).toEqual(["hanako"]);

    await name(service, hanako, names);

    await expectHidden(taro, "hanako");
    expect(await taro.call(getOptions, {})).toMatchObject({ options: [], reason: "nobody_in_range" });
    expect(await shownTo(hanako)).toEqual(["taro"]);
    expect(await mayLookAt(hanako, "taro")).toBe(true);
  },
);

test("hides a picture and a passed candidate from the named member", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", await quarters().png().toBuffer());
  const taro = await service.member("taro", { paid: true });
  const { user } = await taro.call(getUser, { userId: "hanako" });
  await taro.call(passUser, { unlikedId: "hanako" });
  expect((await taro.fetch(user.icon)).status).toBe(200);

  await name(service, hanako, "taro");

  expect((await taro.fetch(user.icon)).status).toBe(404);
  expect(await taro.call(undoPass, {})).toEqual({ user: null });
});

test("accepts a like of the named member and delivers nothing", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  await service.member("yuki", { sex: "female" });
  await name(service, hanako, "taro");
  const events = await taro.socket("/ws/events");

  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: false });
  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: false });

  expect(await service.db.selectFrom("quota_days").select("likes_used").execute()).toEqual([
    { likes_used: 1 },
  ]);
  await expectHidden(taro, "hanako");
  expect(await shownTo(taro)).toEqual(["yuki"]);
  expect(events.frames).toEqual([]);
  expect(await service.db.selectFrom("match_edges").selectAll().execute()).toEqual([]);
});

test("shows real likers early although many members who named them like them too", async () => {
  const service = await serviceForTest();
  const taro = await service.member("taro", { paid: true, sex: "male" });
  for (let i = 0; i < 5; i++) await service.member(`woman_${i}`, { sex: "female" });
  const liker = await service.member("liker", { sex: "female", at: [139.0, 36.0] });
  expect((await shownTo(taro)).at(-1)).toBe("liker");
  await liker.call(likeUser, { likedId: "taro" });
  for (let i = 0; i < 10; i++) {
    service.clock.advance(1);
    const hiding = await service.member(`hiding_${i}`, { sex: "female" });
    await hiding.call(addNeverSee, { who: "taro" });
    await hiding.call(likeUser, { likedId: "taro" });
  }
  await eventually(async () =>
    expect(await service.db.selectFrom("block_edges").selectAll().execute()).toHaveLength(10),
  );

  expect((await shownTo(taro))[0]).toBe("liker");
});

test("makes a match when the named member had liked before, and shows each other again", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const jiro = await service.member("jiro", { sex: "male" });
  await taro.call(likeUser, { likedId: "hanako" });
  const events = await taro.socket("/ws/events");
  await name(service, hanako, "taro@example.com");
  expect(await mayLookAt(taro, "hanako")).toBe(false);
  expect((await likesInExport(taro)).map(({ user_id }) => user_id)).toEqual([]);
  expect((await shownTo(hanako))[0]).toBe("taro"); // as a liker, before Jiro
  expect(jiro.user_id).toBe("jiro");

  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: true });

  await eventually(() => expect(events.frames).toMatchObject([{ match: { user_id: "hanako" } }]));
  expect(await taro.call(getUser, { userId: "hanako" })).toMatchObject({ matched: true });
  expect(await taro.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
  expect((await likesInExport(taro)).map(({ user_id }) => user_id)).toEqual(["hanako"]);
  await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });
});

async function likesInExport(who: TestMember): Promise<{ user_id: string }[]> {
  const response = await who.fetch(`/en${exportData.path}`);
  const files = await readZip(new Uint8Array(await response.arrayBuffer()));
  const data = JSON.parse(files.get("data.json")!.toString()) as { likes_and_passes: { user_id: string }[] };
  return data.likes_and_passes;
}

test("keeps a match until a block, and hides only the member who named after it", async () => {
  const service = await serviceForTest();
  let { hanako, taro } = await hanakoAndTaro(service);
  const chat = await taro.socket("/ws/dm/hanako");
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Good evening." });

  await name(service, hanako, "taro@example.com taro");

  await hanako.call(readDm, { friendId: "taro", dmId: dm.id });
  await hanako.call(sendDm, { receiverId: "taro", description: "Still there." });
  await eventually(() => expect(JSON.stringify(chat.frames)).toContain("Still there."));
  expect(chat.closed).toBeNull();
  expect((await taro.call(getLastDms, {})).dms).toHaveLength(1);
  expect(await taro.call(getOptions, {})).toMatchObject({ options: [], reason: "all_seen" });

  await taro.call(blockUser, { userId: "hanako" });
  expect(await mayLookAt(hanako, "taro")).toBe(false);
  await taro.call(unblockUser, { userId: "hanako" });
  service.clock.advance((service.ctx.config.passDays + 1) * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];

  await expectHidden(taro, "hanako");
  expect(await shownTo(hanako)).toEqual(["taro"]);
});

test("lets both sides block and unblock when one named the other", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const jiro = await service.member("jiro", { paid: true });
  await jiro.call(blockUser, { userId: "hanako" });
  await name(service, hanako, "taro jiro");

  await hanako.call(blockUser, { userId: "taro" });
  expect((await hanako.call(getBlocks, {})).users).toMatchObject([{ user_id: "taro" }]);
  expect(await mayLookAt(hanako, "taro")).toBe(false);
  await hanako.call(unblockUser, { userId: "taro" });
  expect(await mayLookAt(hanako, "taro")).toBe(true);
  expect(await mayLookAt(taro, "hanako")).toBe(false);

  expect((await jiro.call(getBlocks, {})).users).toMatchObject([{ user_id: "hanako" }]);
  await jiro.call(unblockUser, { userId: "hanako" });
  expect(await mayLookAt(jiro, "hanako")).toBe(false);
  expect(await mayLookAt(hanako, "jiro")).toBe(true);
});

test("never shows the owner to a new member whose name they gave before", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  await name(service, hanako, "Taro.Suzuki@Example.com, someone_else");

  const taro = await service.member("taro", { email: "taro.suzuki@example.COM", paid: true });
  const byUserId = await service.member("Someone_Else", { paid: true, sex: "male" });
  const visitor = await service.member("stranger", { paid: true, sex: "male" });

  expect((await shownTo(hanako)).toSorted()).toEqual(["Someone_Else", "stranger", "taro"]);
  for (const named of [taro, byUserId]) {
    await expectHidden(named, "hanako");
    expect(await mayLookAt(hanako, named.user_id)).toBe(true);
  }
  expect(await shownTo(visitor)).toContain("hanako");
});

test("replaces the named member's card of the day, and keeps the naming member's", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female" });
  const taro = await service.member("taro", { sex: "male" });
  expect([await shownTo(hanako), await shownTo(taro)]).toEqual([["taro"], ["hanako"]]);
  await service.member("jiro", { sex: "male" });
  await service.member("yuki", { sex: "female" });

  await name(service, hanako, "taro@example.com");

  expect([await shownTo(hanako), await shownTo(taro)]).toEqual([["taro"], ["yuki"]]);
});

test("matches or rejects when a like and its target's entry arrive at the same time", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const couples = await Promise.all(
    Array.from({ length: rounds(20) }, async (_, i) => [
      await service.member(`her${i}`, { at: null, paid: true }),
      beside.memberAt(await service.member(`him${i}`, { at: null, paid: true })),
    ]),
  );

  const likes = await Promise.all(
    couples.map(async ([her, him]) => {
      const like = him!
        .call(likeUser, { likedId: her!.user_id })
        .catch((error: { code: string }) => error.code);
      await name(service, her!, him!.user_id);
      return like;
    }),
  );

  for (const [i, [her, him]] of couples.entries()) {
    // A like that was stored just before the entry keeps its effect, even if its response is an error.
    expect([{ matched: false }, "user_not_found"]).toContainEqual(likes[i]);
    const { matched } = await her!.call(likeUser, { likedId: him!.user_id });
    if (typeof likes[i] === "object") expect(matched).toBe(true);
    expect(await mayLookAt(him!, her!.user_id)).toBe(matched);
  }
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

test("undoes an entry for ten minutes, with or without the named person's account", async () => {
  const service = await serviceForTest();
  let hanako = await service.member("hanako");
  const taro = await service.member("taro");
  await name(service, hanako, "taro nobody_here");
  expect(await mayLookAt(taro, "hanako")).toBe(false);
  const { entries } = await hanako.call(getNeverSee, {});
  const until = new Date(service.clock.now().getTime() + NEVER_SEE.undoMinutes * MINUTE_MS).toISOString();
  expect(entries.map(({ undo_until }) => undo_until)).toEqual([until, until]);

  service.clock.advance(NEVER_SEE.undoMinutes * MINUTE_MS - 1);
  for (const { id } of entries) await hanako.call(removeNeverSee, { id });

  expect(await mayLookAt(taro, "hanako")).toBe(true);
  const again = await hanako.call(addNeverSee, { who: "taro" });
  service.clock.advance(NEVER_SEE.undoMinutes * MINUTE_MS);
  hanako = await logInAgain(service, hanako);
  expect(await hanako.call(getNeverSee, {})).toMatchObject({ entries: [{ undo_until: null }] });
  const { id } = again.entries[0]!;
  expect((await expectError(hanako.call(removeNeverSee, { id }), "never_see_too_new")).status).toBe(422);
});

test("keeps a note for the owner only, which can be changed at any time", async () => {
  const service = await serviceForTest();
  let hanako = await service.member("hanako");
  const yuki = await service.member("yuki");

  const { entries } = await hanako.call(addNeverSee, { who: "taro jiro@example.com", note: "his sister" });

  expect(entries.map(({ note }) => note)).toEqual(["his sister", "his sister"]);
  expect(placesWith(encodingsOf("his sister"), await dumpTables(service.databaseUrl))).toEqual([]);
  const { id } = entries[0]!;
  await expectError(yuki.call(noteNeverSee, { id, note: "found" }), "not_found");
  service.clock.advance(DAY_MS);
  hanako = await logInAgain(service, hanako);
  const changed = await hanako.call(noteNeverSee, { id, note: "a neighbour" });
  expect(changed.entries.map(({ note }) => note)).toEqual(["a neighbour", "his sister"]);
  const cleared = await hanako.call(noteNeverSee, { id });
  expect(cleared.entries.map(({ note, undo_until }) => [note, undo_until])).toEqual([
    [null, null],
    ["his sister", null],
  ]);
  await expectError(
    hanako.call(noteNeverSee, { id, note: "x".repeat(NEVER_SEE.noteMax + 1) }),
    "invalid_input",
  );
});

test("allows removal after 30 days, and then shows the owner and counts their like as an old one", async () => {
  const service = await serviceForTest();
  const { clock } = service;
  let hanako = await service.member("hanako", { paid: true });
  let taro = await service.member("taro", { paid: true });
  await service.member("yuki", { sex: "female" });
  await name(service, hanako, "taro\ntaro@example.com");
  await hanako.call(likeUser, { likedId: "taro" });
  const { entries } = await hanako.call(getNeverSee, {});
  clock.advance(NEVER_SEE.undoMinutes * MINUTE_MS);
  for (const { id } of entries) await expectError(hanako.call(removeNeverSee, { id }), "never_see_too_new");
  await expectError(taro.call(removeNeverSee, { id: entries[0]!.id }), "not_found");

  clock.advance((1 + NEVER_SEE.minDays) * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  const events = await taro.socket("/ws/events");
  expect((await hanako.call(removeNeverSee, { id: entries[0]!.id })).entries).toHaveLength(1);
  expect(await mayLookAt(taro, "hanako")).toBe(false); // the other entry names the same member
  expect((await hanako.call(removeNeverSee, { id: entries[1]!.id })).entries).toEqual([]);

  expect((await shownTo(taro)).toSorted()).toEqual(["hanako", "yuki"]);
  expect(events.frames).toEqual([]);
  expect(await taro.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
  for (const table of ["never_see", "never_see_index", "block_edges"] as const) {
    expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test("keeps a match when its entry is removed", async () => {
  const service = await serviceForTest();
  let { hanako, taro } = await hanakoAndTaro(service);
  await name(service, hanako, "taro");
  service.clock.advance((1 + NEVER_SEE.minDays) * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  const { entries } = await hanako.call(getNeverSee, {});

  await hanako.call(removeNeverSee, { id: entries[0]!.id });

  expect(await taro.call(getUser, { userId: "hanako" })).toMatchObject({ matched: true });
});

test("clears the named member when they are deleted, and names a new member of the same address", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  await name(service, hanako, "taro@example.com");

  await taro.call(deleteAccount, {});

  const [entry] = await service.db.selectFrom("never_see").selectAll().execute();
  expect(entry).toMatchObject({ owner: hanako.memberId, others: [] });
  const again = await service.member("again", { paid: true, email: "taro@example.com" });
  expect(await mayLookAt(again, "hanako")).toBe(false);
  expect(await mayLookAt(hanako, "again")).toBe(true);
});

test("hides the owner from all accounts of a named mailbox, earlier and later, in each spelling", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  const early = await service.member("early", { email: "jane.doe+early@googlemail.com" });
  const other = await service.member("other", { email: "jane.roe@gmail.com" });
  const office = await service.member("office", { email: "jane@bücher.example" });

  await name(service, hanako, "Jane.Doe@gmail.com ｊａｎｅ＋ｘ＠xn--bcher-kva.example");
  const late = await service.member("late", { email: "janedoe@gmail.com" });

  for (const named of [early, late, office]) expect(await mayLookAt(named, "hanako")).toBe(false);
  expect(await mayLookAt(other, "hanako")).toBe(true);
  expect(await mayLookAt(hanako, "early")).toBe(true);
  await late.call(deleteAccount, {});
  service.clock.advance((1 + NEVER_SEE.minDays) * DAY_MS);
  const [owner, first] = await Promise.all([hanako, early].map((who) => logInAgain(service, who)));
  const { entries } = await owner!.call(getNeverSee, {});
  for (const { id } of entries) await owner!.call(removeNeverSee, { id });
  expect(await mayLookAt(first!, "hanako")).toBe(true);
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

test("hides the owner from a new member when they sign up at the same time as they are named", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });

  for (let i = 0; i < rounds(15); i++) {
    const hanako = await service.member(`hanako${i}`, { at: null });
    const [taro] = await Promise.all([
      beside.member(`taro${i}`, { at: null }),
      hanako.call(addNeverSee, { who: `taro${i} taro${i}@example.com` }),
    ]);
    await eventually(async () => expect(await mayLookAt(taro, hanako.user_id)).toBe(false));
    expect(await mayLookAt(hanako, taro.user_id)).toBe(true);
  }
});
