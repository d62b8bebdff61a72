import { expect, test } from "vitest";
import { getOptions, getUser, likeUser, passUser } from "@alcove/contract/discovery";
import { suspendMember } from "../accounts/index.ts";
import { utcDay } from "../platform/clock.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { like, pass } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember } from "../testing/test-service.ts";

test("matches two members who like each other and notifies both sockets", async () => {
  const { member, clock } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const herEvents = await hanako.socket("/ws/events");
  const hisEvents = await taro.socket("/ws/events");

  expect(await like(hanako, taro)).toEqual({ matched: false });
  expect(await hanako.call(getUser, { userId: "taro" })).toMatchObject({ matched: false, matched_on: null });
  expect(await like(taro, hanako)).toEqual({ matched: true });

  await eventually(() => expect(herEvents.frames).toHaveLength(1));
  await eventually(() => expect(hisEvents.frames).toHaveLength(1));
  expect(herEvents.frames[0]).toMatchObject({ match: { user_id: "taro", username: "taro" } });
  expect(hisEvents.frames[0]).toMatchObject({ match: { user_id: "hanako", username: "hanako" } });
  expect(await hanako.call(getUser, { userId: "TARO" })).toMatchObject({
    matched: true,
    matched_on: clock.now().toISOString().slice(0, 10),
  });
});

test("sends responses of one size for a like, a match and a pass", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");
  const sizeOf = async (who: TestMember, verdict: "like" | "unlike", whom: TestMember) => {
    const response = await who.fetch(`/en/users/api/${verdict}`, {
      method: "POST",
      body: JSON.stringify({ [`${verdict}dId`]: whom.user_id }),
      headers: { "content-type": "application/json" },
    });
    const head = [response.statusText, ...[...response.headers].flat()];
    return head.join("").length + (await response.text()).length;
  };

  const liked = await sizeOf(hanako, "like", taro);
  expect(await sizeOf(taro, "like", hanako)).toBe(liked);
  expect(await sizeOf(jiro, "unlike", hanako)).toBe(liked);
});

test("creates one match when two members like each other at the same time", async () => {
  const { member, db } = await serviceForTest();

  for (let i = 0; i < rounds(40); i++) {
    const her = await member(`her${i}`, { at: null });
    const him = await member(`him${i}`, { at: null });

    const responses = await Promise.all([like(her, him), like(him, her)]);

    expect(responses.some((response) => response.matched)).toBe(true);
  }
  expect(await db.selectFrom("match_edges").selectAll().execute()).toHaveLength(2 * rounds(40));
  expect(await db.selectFrom("likes_received").selectAll().execute()).toHaveLength(0);
});

test("counts a repeated like once and returns the same result", async () => {
  const { member, db } = await serviceForTest({ config: { paidLikesPerDay: 1 } });
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro");

  await Promise.all(Array.from({ length: 10 }, () => like(hanako, taro)));
  expect(await like(hanako, taro)).toEqual({ matched: false });
  await like(taro, hanako);
  expect(await like(hanako, taro)).toEqual({ matched: true });

  const day = await db
    .selectFrom("quota_days")
    .select("likes_used")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirst();
  expect(day).toEqual({ likes_used: 1 });
});

test("rejects a paid member's 51st like of a day, but no pass", async () => {
  const { member } = await serviceForTest({ config: { paidLikesPerDay: 2 } });
  const hanako = await member("hanako", { paid: true });
  const men = [await member("a_1"), await member("a_2"), await member("a_3"), await member("a_4")] as const;

  await like(hanako, men[0]);
  await like(hanako, men[1]);

  expect((await expectError(like(hanako, men[2]), "likes_used_up")).status).toBe(451);
  await pass(hanako, men[2]);
  await pass(hanako, men[3]);
  expect(await like(hanako, men[0])).toEqual({ matched: false });
});

test("never exceeds either quota when 50 likes arrive in parallel", async () => {
  const { member, db } = await serviceForTest({ config: { paidLikesPerDay: 7, freeCardsPerDay: 3 } });
  const paid = await member("paid", { paid: true });
  const free = await member("free");
  const others = await Promise.all(Array.from({ length: 25 }, (_, i) => member(`other${i}`, { at: null })));

  const outcomes = (who: TestMember) =>
    Promise.all(
      others
        .flatMap((other) => [other, other])
        .map((other) =>
          like(who, other).then(
            () => "liked",
            (error: { code: string }) => error.code,
          ),
        ),
    );
  const [ofPaid, ofFree] = await Promise.all([outcomes(paid), outcomes(free)]);

  const likesOf = (memberId: number) =>
    db.selectFrom("verdicts").select("target").where("actor", "=", memberId).execute();
  expect(await likesOf(paid.memberId)).toHaveLength(7);
  expect(await likesOf(free.memberId)).toHaveLength(3);
  expect(new Set(ofPaid)).toEqual(new Set(["liked", "likes_used_up"]));
  expect(new Set(ofFree)).toEqual(new Set(["liked", "upgrade_required"]));
});

test("gives a free member one card a day for any verdict", async () => {
  const { member, clock } = await serviceForTest();
  clock.set("2026-05-01T10:00:00Z");
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");

  await pass(hanako, taro);

  expect((await expectError(like(hanako, jiro), "upgrade_required")).status).toBe(402);
  expect((await expectError(pass(hanako, jiro), "upgrade_required")).status).toBe(402);
  expect(await hanako.call(getOptions, {})).toMatchObject({ options: [], reason: "card_used" });
  await expectError(like(hanako, taro), "upgrade_required"); // a like after a pass is a like, and costs as one
  await pass(hanako, taro); // the same pass again is no other one
});

test("counts calendar days in DAY_TIME_ZONE", async () => {
  const service = await serviceForTest({ config: { dayTimeZone: "Asia/Tokyo" } });
  const { member, clock } = service;
  clock.set("2026-05-01T14:55:00Z");
  const hanako = await member("hanako");
  const men = [await member("a_1"), await member("a_2"), await member("a_3")] as const;

  await like(hanako, men[0]);
  await expectError(like(hanako, men[1]), "upgrade_required");
  clock.set("2026-05-01T15:00:00Z"); // midnight in Tokyo
  await like(hanako, men[1]);
  clock.set("2026-05-02T00:00:00Z"); // midnight in UTC, the same day in Tokyo

  await expectError(like(await logInAgain(service, hanako), men[2]), "upgrade_required");
});

test("returns the start of the next day when the card is used, also for days of 23 or 25 hours", async () => {
  const service = await serviceForTest({ config: { dayTimeZone: "America/New_York", freeCardsPerDay: 0 } });
  const { member, clock } = service;
  const days = [
    ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00.000Z", "2026-03-08"], // midnight; the clocks go forward at two
    ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00.000Z", "2026-11-01"], // and back
    ["2026-11-02T04:59:59.999Z", "2026-11-02T05:00:00.000Z", "2026-11-01"],
    ["2026-06-15T12:34:56Z", "2026-06-16T04:00:00.000Z", "2026-06-15"],
  ] as const;
  clock.set(days[0][0]);
  const hanako = await member("hanako");

  for (const [now, next_card_at, card_day_began_on] of days) {
    clock.set(now);
    const response = await (await logInAgain(service, hanako)).call(getOptions, {});
    expect(response).toEqual({ options: [], reason: "card_used", next_card_at, card_day_began_on });
  }
});

test("never exceeds either quota when likes and passes arrive at the same time", async () => {
  const { member, db } = await serviceForTest({ config: { paidLikesPerDay: 6, freeCardsPerDay: 4 } });
  const paid = await member("paid", { paid: true });
  const free = await member("free");
  const others = await Promise.all(Array.from({ length: 24 }, (_, i) => member(`other${i}`, { at: null })));
  const outcomes = (who: TestMember) =>
    Promise.all(
      others.map((other, i) =>
        (i % 2 === 0 ? like(who, other) : pass(who, other)).then(
          () => (i % 2 === 0 ? "liked" : "passed"),
          (error: { code: string }) => error.code,
        ),
      ),
    );

  const [ofPaid, ofFree] = await Promise.all([outcomes(paid), outcomes(free)]);

  const count = (all: string[], what: string) => all.filter((outcome) => outcome === what).length;
  expect([count(ofPaid, "liked"), count(ofPaid, "passed"), count(ofPaid, "likes_used_up")]).toEqual([
    6, 12, 6,
  ]);
  expect(count(ofFree, "liked") + count(ofFree, "passed")).toBe(4);
  expect(count(ofFree, "upgrade_required")).toBe(20);
  const given = await db.selectFrom("verdicts").select("target").where("actor", "=", free.memberId).execute();
  expect(given).toHaveLength(4);
});

test("keeps the day's quota across processes and restarts", async () => {
  const config = { paidLikesPerDay: 3, freeCardsPerDay: 2 };
  const first = await serviceForTest({ config });
  const beside = await serviceForTest({ config, beside: first });
  const paid = await first.member("paid", { paid: true });
  const free = await first.member("free");
  const others = await Promise.all(Array.from({ length: 8 }, (_, i) => first.member(`other${i}`)));
  const [a, b, c, d, e, f, g, h] = others as [
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
  ];

  await like(paid, a);
  await pass(free, a);
  await Promise.all([like(beside.memberAt(paid), b), pass(beside.memberAt(free), b)]);
  const likes = await Promise.allSettled(
    [c, d, e].flatMap((other) => [like(paid, other), like(beside.memberAt(paid), other)]),
  );
  expect(likes.some(({ status }) => status === "rejected")).toBe(true);
  await beside.close();
  const restarted = await serviceForTest({ config, beside: first });

  await expectError(like(restarted.memberAt(paid), f), "likes_used_up");
  await expectError(like(restarted.memberAt(free), g), "upgrade_required");
  await expectError(pass(restarted.memberAt(free), h), "upgrade_required");
  const day = await first.db
    .selectFrom("quota_days")
    .select(["cards_used", "likes_used"])
    .orderBy("likes_used")
    .execute();
  expect(day).toEqual([
    { cards_used: 2, likes_used: 0 },
    { cards_used: 0, likes_used: 3 },
  ]);
});

test("replaces a pass by a like and keeps a like when a pass follows", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });

  await pass(hanako, taro);
  await like(hanako, taro);
  await pass(hanako, taro);

  expect(await like(taro, hanako)).toEqual({ matched: true });
  await pass(taro, hanako);
  expect(await taro.call(getUser, { userId: "hanako" })).toMatchObject({ matched: true });
});

test("rejects verdicts on oneself and on non-existent or suspended members", async () => {
  const { member, ctx } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro");
  await suspendMember(ctx, taro.memberId);

  expect((await expectError(like(hanako, hanako), "cannot_like_yourself")).status).toBe(422);
  expect(
    (await expectError(hanako.call(passUser, { unlikedId: "HANAKO" }), "cannot_like_yourself")).status,
  ).toBe(422);
  for (const likedId of ["taro", "nobody", "a\u0000b", "'; --", "😀", "\u202Etaro", "%", "x".repeat(200)]) {
    await expectError(hanako.call(likeUser, { likedId }), "user_not_found");
    await expectError(hanako.call(passUser, { unlikedId: likedId }), "user_not_found");
    await expectError(hanako.call(getUser, { userId: likedId }), "user_not_found");
  }
  for (const likedId of ["", "x".repeat(201), null, 7, [], {}] as string[]) {
    expect((await expectError(hanako.call(likeUser, { likedId }), "invalid_input")).status).toBe(400);
  }
  expect(await ctx.db.selectFrom("verdicts").selectAll().execute()).toEqual([]);
});

test("completes a match after a crash by its job, or by the cleanup job when that is lost", async () => {
  const { member, db, ctx, clock } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  const areMatched = async () =>
    (await hanako.call(getUser, { userId: "taro" })).matched &&
    (await taro.call(getUser, { userId: "hanako" })).matched;
  const crashAfterBothLikes = async () => {
    await db.deleteFrom("match_edges").execute();
    for (const [actor, target] of [
      [hanako.memberId, taro.memberId],
      [taro.memberId, hanako.memberId],
    ] as const) {
      const sequence_no = 1;
      await db
        .insertInto("verdicts")
        .values({ actor, target, liked: true, day: utcDay(clock.now()), sequence_no })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await db.insertInto("likes_received").values({ actor, target, sequence_no }).execute();
    }
  };

  await crashAfterBothLikes();
  expect(await areMatched()).toBe(false);
  await ctx.jobs.add(db, "check_match", { one: hanako.memberId, other: taro.memberId });
  await eventually(async () => expect(await areMatched()).toBe(true));

  await crashAfterBothLikes();
  await ctx.jobs.add(db, "complete_missed_matches", {});
  await eventually(async () => expect(await areMatched()).toBe(true));
});

test("deletes all likes, passes, matches, cards and search rows of a deleted member", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  const jiro = await member("jiro", { paid: true });
  await like(hanako, taro);
  await like(taro, hanako);
  await like(hanako, jiro);
  await like(jiro, taro);
  await pass(taro, jiro);
  await taro.call(getOptions, {});

  const gone = await hanako.fetch("/en/users/api/user", { method: "DELETE" });

  expect(gone.ok).toBe(true);
  const about = async () => ({
    searchables: await db
      .selectFrom("searchables")
      .where("member_no", "=", hanako.memberId)
      .selectAll()
      .execute(),
    likes: await db.selectFrom("likes_received").selectAll().execute(),
    matches: await db.selectFrom("match_edges").selectAll().execute(),
    days: await db.selectFrom("quota_days").where("member_no", "=", hanako.memberId).selectAll().execute(),
    given: await db.selectFrom("verdicts").where("actor", "=", hanako.memberId).selectAll().execute(),
  });
  expect(await about()).toEqual({ searchables: [], likes: [], matches: [], days: [], given: [] });
  await eventually(async () => {
    const received = await db
      .selectFrom("verdicts")
      .where("target", "=", hanako.memberId)
      .selectAll()
      .execute();
    expect(received).toEqual([]);
  });
});
