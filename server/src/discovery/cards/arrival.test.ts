import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getLikes, getOptions, likeUser, passUser, saveArrival, undoPass } from "@alcove/contract/discovery";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import { cardDay, readCardDays } from "../../profiles/index.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { rounds } from "../../testing/rounds.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestMember, type TestService } from "../../testing/test-service.ts";

const JOINED = "2026-05-01T12:00:00Z";

/** A free man who joined weeks ago, and women. */
async function freeMember(service: TestService, now: string, women = 2): Promise<TestMember> {
  service.clock.set(JOINED);
  const taro = await service.member("taro", { sex: "male" });
  for (let i = 0; i < women; i++) await service.member(`woman_${i}`, { sex: "female" });
  service.clock.set(now);
  return logInAgain(service, taro);
}

async function useCard(who: TestMember): Promise<string> {
  const [card] = (await who.call(getOptions, {})).options;
  await who.call(likeUser, { likedId: card!.user_id });
  return card!.user_id;
}

const nextCard = async (who: TestMember) => (await who.call(getOwnUser, {})).user.card_arrives_at;

const settled = (call: Promise<unknown>) => call.catch(() => undefined);

test("brings the card at the chosen hour of the member's zone, and states it while none waits", async () => {
  const service = await serviceForTest();
  const taro = await freeMember(service, "2026-05-10T09:00:00Z");
  const { user } = await taro.call(getOwnUser, {});
  expect(user).toMatchObject({ arrival: null, arrival_zone: null, card_arrives_at: null });
  expect(await taro.call(getOptions, {})).not.toHaveProperty("card_came_at");
  const used = await useCard(taro);
  expect(await nextCard(taro)).toBe("2026-05-11T00:00:00.000Z");

  const saved = await taro.call(saveArrival, { arrival: "evening", arrival_zone: "Asia/Tokyo" });

  const at = "2026-05-11T11:00:00.000Z"; // 20:00 in Tokyo, and not today, 11 hours after the last card
  expect(saved.user).toMatchObject({ arrival: "evening", arrival_zone: "Asia/Tokyo", card_arrives_at: at });
  const empty = { options: [], reason: "card_used", next_card_at: at, card_day_began_on: "2026-05-10" };
  expect(await taro.call(getOptions, {})).toEqual(empty);
  service.clock.set(new Date(Date.parse(at) - 1));
  const before = await logInAgain(service, taro);
  expect(await before.call(getOptions, {})).toEqual(empty);
  const other = used === "woman_0" ? "woman_1" : "woman_0";
  await expectError(before.call(likeUser, { likedId: other }), "upgrade_required");
  service.clock.set(at);
  expect(await before.call(getOptions, {})).toMatchObject({ options: [{}], card_came_at: at });
  expect(await nextCard(before)).toBeNull();
  await useCard(before);
  expect(await nextCard(before)).toBe("2026-05-12T11:00:00.000Z");
});

test.each([
  ["morning", "Europe/London", "2026-05-11T06:00:00.000Z"],
  ["noon", "Europe/London", "2026-05-11T11:00:00.000Z"],
  ["evening", "Europe/London", "2026-05-11T19:00:00.000Z"], // the one today would be 19 hours after the last card
  ["evening", "America/Los_Angeles", "2026-05-11T03:00:00.000Z"],
  ["midnight", "America/Los_Angeles", "2026-05-11T07:00:00.000Z"],
] as const)("after a change to the %s in %s the next card comes at %s", async (arrival, zone, at) => {
  const service = await serviceForTest();
  const taro = await freeMember(service, "2026-05-10T09:00:00Z", 1);
  await useCard(taro);

  const { user } = await taro.call(saveArrival, { arrival, arrival_zone: zone });

  expect(user.card_arrives_at).toBe(at);
});

test("accepts one change of hour or zone in seven days", async () => {
  const service = await serviceForTest();
  const taro = await freeMember(service, "2026-05-10T09:30:00Z");
  await taro.call(saveArrival, { arrival: "noon", arrival_zone: "Asia/Tokyo" });

  await taro.call(saveArrival, { arrival: "noon", arrival_zone: "Asia/Tokyo" }); // changes nothing
  for (const change of [{ arrival: "evening" }, { arrival_zone: "Europe/Paris" }] as const) {
    const error = await expectError(taro.call(saveArrival, change), "arrival_changes_used_up");
    expect(error.status).toBe(429);
  }
  service.clock.set("2026-05-17T09:29:59Z");
  const later = await logInAgain(service, taro);
  await expectError(later.call(saveArrival, { arrival: "evening" }), "arrival_changes_used_up");
  service.clock.set("2026-05-17T10:00:00Z"); // stored by the hour
  const { user } = await (
    await logInAgain(service, taro)
  ).call(saveArrival, { arrival_zone: "Europe/Paris" });
  expect(user).toMatchObject({ arrival: "noon", arrival_zone: "Europe/Paris" });
});

test("takes midnight and the zone of the device for a first choice without one of the two", async () => {
  const { member, db } = await serviceForTest();
  const [hanako, taro, jiro] = [await member("hanako"), await member("taro"), await member("jiro")];
  await db
    .updateTable("members")
    .set({ time_zone: "Asia/Taipei" })
    .where("member_no", "=", taro.memberId)
    .execute();

  const zoneOnly = await hanako.call(saveArrival, { arrival_zone: "Asia/Kolkata" });
  const hourOnly = await taro.call(saveArrival, { arrival: "morning" });
  const withoutDevice = await jiro.call(saveArrival, { arrival: "noon" });

  expect(zoneOnly.user).toMatchObject({ arrival: "midnight", arrival_zone: "Asia/Kolkata" });
  expect(hourOnly.user).toMatchObject({ arrival: "morning", arrival_zone: "Asia/Taipei" });
  expect(withoutDevice.user).toMatchObject({ arrival: "noon", arrival_zone: "UTC" });
});

test("rejects other hours and zones", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako");
  const patch = async (body: object) => {
    const response = await hanako.fetch("/en/users/api/user", {
      method: "PATCH",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    const { validation_errors } = (await response.json()) as { validation_errors?: object };
    return [response.status, Object.keys(validation_errors ?? {})];
  };

  expect(await patch({ arrival: "dawn" })).toEqual([400, ["arrival"]]);
  for (const zone of ["Mars/Olympus", "+09:00", "x".repeat(10_000), "Asia/Tokyo\u0000"])
    expect(await patch({ arrival: "noon", arrival_zone: zone })).toEqual([400, ["arrival_zone"]]);
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({ arrival: null, arrival_zone: null });
});

test("brings a new member no second card within 20 hours of the choice", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-10T15:00:00Z");
  const taro = await service.member("taro", { sex: "male" });
  await service.member("hanako", { sex: "female" });
  await useCard(taro);
  expect(await nextCard(taro)).toBe("2026-05-11T00:00:00.000Z");

  const { user } = await taro.call(saveArrival, { arrival: "evening", arrival_zone: "Europe/London" });

  expect(user.card_arrives_at).toBe("2026-05-11T19:00:00.000Z"); // not today, four hours later
});

test("shows the card of the day of a change at once, without an hour", async () => {
  const service = await serviceForTest();
  const taro = await freeMember(service, "2026-05-10T09:00:00Z");
  const before = await taro.call(getOptions, {});

  const { user } = await taro.call(saveArrival, { arrival: "noon", arrival_zone: "UTC" });

  expect(user.card_arrives_at).toBeNull();
  expect(await taro.call(getOptions, {})).toEqual(before);
  service.clock.set("2026-05-11T12:00:00Z");
  const next = await (await logInAgain(service, taro)).call(getOptions, {});
  expect(next).toEqual(before); // it stays until it is used
});

test("states the day on which a card day began that a change made longer, so that its like is found", async () => {
  const service = await serviceForTest();
  let taro = await freeMember(service, "2026-05-10T09:00:00Z");
  await taro.call(saveArrival, { arrival: "evening", arrival_zone: "UTC" });
  service.clock.set("2026-05-18T20:05:00Z");
  taro = await logInAgain(service, taro);
  await useCard(taro);
  service.clock.set("2026-05-19T19:00:00Z");
  taro = await logInAgain(service, taro);

  await taro.call(saveArrival, { arrival: "noon" });

  expect(await taro.call(getOptions, {})).toMatchObject({
    next_card_at: "2026-05-20T12:00:00.000Z",
    card_day_began_on: "2026-05-18",
  });
  expect((await taro.call(getLikes, {})).likes).toMatchObject([{ liked_on: "2026-05-18" }]);
});

test("keeps an undecided card on later days, with the hour at which it came", async () => {
  const service = await serviceForTest();
  const { clock } = service;
  let taro = await freeMember(service, "2026-05-10T09:00:00Z", 4);
  await useCard(taro);
  await taro.call(saveArrival, { arrival: "noon", arrival_zone: "UTC" });
  clock.set("2026-05-11T12:30:00Z");
  taro = await logInAgain(service, taro);
  const came = await taro.call(getOptions, {});
  expect(came.card_came_at).toBe("2026-05-11T12:00:00.000Z");

  for (const day of ["12", "13", "14"]) {
    clock.set(`2026-05-${day}T13:00:00Z`);
    taro = await logInAgain(service, taro);
    expect(await taro.call(getOptions, {})).toEqual(came);
  }
  await taro.call(passUser, { unlikedId: came.options[0]!.user_id });
  expect(await nextCard(taro)).toBe("2026-05-15T12:00:00.000Z");
});

test("undoes a pass within the member's own day and returns its card", async () => {
  const service = await serviceForTest();
  const { clock } = service;
  let taro = await freeMember(service, "2026-05-10T09:00:00Z");
  await taro.call(saveArrival, { arrival: "noon", arrival_zone: "UTC" });
  clock.set("2026-05-11T23:00:00Z");
  taro = await logInAgain(service, taro);
  const [card] = (await taro.call(getOptions, {})).options;
  await taro.call(passUser, { unlikedId: card!.user_id });

  clock.set("2026-05-12T01:00:00Z"); // another day in DAY_TIME_ZONE
  taro = await logInAgain(service, taro);
  expect((await taro.call(undoPass, {})).user).toMatchObject({ user_id: card!.user_id });
  expect((await taro.call(getOptions, {})).options).toMatchObject([{ user_id: card!.user_id }]);
  await taro.call(passUser, { unlikedId: card!.user_id });
  clock.set("2026-05-13T12:00:00Z"); // two days later: the pass of one day before can be undone
  expect(await (await logInAgain(service, taro)).call(undoPass, {})).toEqual({ user: null });
});

test("keeps the days of a paid member's likes in DAY_TIME_ZONE", async () => {
  const service = await serviceForTest({ config: { paidLikesPerDay: 1 } });
  service.clock.set("2026-05-10T15:00:00Z");
  const taro = await service.member("taro", { sex: "male", paid: true });
  for (let i = 0; i < 3; i++) await service.member(`woman_${i}`, { sex: "female" });
  const { user } = await taro.call(saveArrival, { arrival: "noon", arrival_zone: "UTC" });

  await taro.call(likeUser, { likedId: "woman_0" });

  expect(user.card_arrives_at).toBeNull();
  expect(await nextCard(taro)).toBeNull();
  await expectError(taro.call(likeUser, { likedId: "woman_1" }), "likes_used_up");
  service.clock.set("2026-05-11T00:00:00Z");
  await (await logInAgain(service, taro)).call(likeUser, { likedId: "woman_1" });
});

test("gives a new account of the same mailbox no second card within 20 hours", async () => {
  const service = await serviceForTest();
  const { clock } = service;
  let taro = await freeMember(service, "2026-05-10T09:00:00Z");
  await taro.call(saveArrival, { arrival: "evening", arrival_zone: "UTC" });
  clock.set("2026-05-11T20:05:00Z");
  taro = await logInAgain(service, taro);
  await useCard(taro);
  await taro.fetch("/en/users/api/user", { method: "DELETE" });
  clock.set("2026-05-11T23:00:00Z");

  const again = await service.member("again", { sex: "male", email: "taro@example.com" });

  const next = "2026-05-13T00:00:00.000Z"; // the first midnight that is 20 hours later
  expect(await again.call(getOptions, {})).toMatchObject({ reason: "card_used", next_card_at: next });
  expect(await nextCard(again)).toBe(next);
  await again.fetch("/en/users/api/user", { method: "DELETE" });
  clock.set("2026-05-13T00:00:00Z");
  const last = await service.member("last", { sex: "male", email: "taro@example.com" });
  expect((await last.call(getOptions, {})).options).toHaveLength(1);
});

test("keeps 20 hours between cards when verdicts and changes arrive at two processes around a new day", async () => {
  const service = await serviceForTest();
  const beside = await serviceForTest({ beside: service });
  const { clock, db, ctx } = service;
  const taro = await freeMember(service, "2026-05-10T09:00:00Z", 6);
  const verdicts = db.selectFrom("verdicts").select("target").where("actor", "=", taro.memberId);

  for (let week = 0; week < rounds(4); week++) {
    clock.advance(8 * DAY_MS);
    const { end } = cardDay(ctx, (await readCardDays(db, taro.memberId))!);
    clock.set(new Date(end.getTime() - 1));
    const here = await logInAgain(service, taro);
    const there = beside.memberAt(here);
    const zone = ["Asia/Tokyo", "Pacific/Apia", "America/Halifax", "Europe/London"][week % 4]!;

    const decide = (i: number) => (i % 2 ? here : there).call(passUser, { unlikedId: `woman_${i}` });
    await Promise.all([
      settled(decide(0)).then(() => clock.set(end)),
      ...Array.from({ length: 5 }, (_, i) => settled(decide(i + 1))),
      settled(there.call(saveArrival, { arrival: "noon", arrival_zone: zone })),
    ]);
    await settled(decide(5));

    const used = await db
      .selectFrom("quota_days")
      .select(["day_start", "cards_used"])
      .where("cards_used", ">", 0)
      .orderBy("day_start")
      .execute();
    expect(used.every(({ cards_used }) => cards_used === 1)).toBe(true);
    expect((await verdicts.execute()).length).toBeLessThanOrEqual(2);
    const starts = used.map(({ day_start }) => day_start.getTime());
    starts.push(Date.parse((await nextCard(here)) ?? "9999-12-31"));
    for (let i = 1; i < starts.length; i++)
      expect(starts[i]! - starts[i - 1]!).toBeGreaterThanOrEqual(20 * HOUR_MS);
    await db.deleteFrom("verdicts").where("actor", "=", taro.memberId).execute();
  }
});

test("counts the newest day when the clock of another process was ahead", async () => {
  const service = await serviceForTest();
  const taro = await freeMember(service, "2026-05-11T00:00:01Z");
  await useCard(taro);
  service.clock.set("2026-05-10T23:59:59Z");

  const { user } = await taro.call(saveArrival, { arrival: "midnight", arrival_zone: "Europe/Helsinki" });

  expect(user.card_arrives_at).toBe("2026-05-11T21:00:00.000Z"); // 21 hours after the card of the 11th
});
