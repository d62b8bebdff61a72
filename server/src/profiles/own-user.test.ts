import { expect, test } from "vitest";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { PublicUser, User } from "@alcove/contract/users";
import { suspendMember } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError } from "../testing/test-service.ts";
import { loadPeople, presentOwnUser } from "./index.ts";

const written = {
  username: "花子 🦊",
  description: "I like quiet evenings.\nAnd 'quotes', \\slashes and 💐.",
  how_long_married: 12.5,
  how_long_married_unit: "month",
  tall: 5.11,
  tall_unit: "feet inches",
  weight: 120.25,
  weight_unit: "pound",
  salary: 1_000_000_000_000,
  salary_unit: "TWD",
  salary_duration: "month",
  purpose: "Company",
  hobby: "Kites",
  twitter: "https://x.example/hanako",
  instagram: "https://instagram.example/hanako",
  facebook: "https://facebook.example/hanako",
  line: "https://line.example/hanako",
} as const;

test("returns all profile fields as the member wrote them", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-05T23:59:59Z");
  const hanako = await service.member("Hanako", {
    ...written,
    sex: "female",
    date_of_birth: "1983-05-06",
    search_sex: "male",
    search_range_unit: "mile",
    search_min_age: 30,
    search_max_range: 40,
    at: [139.7671, 35.6812],
  });

  const { user } = await hanako.call(getOwnUser, {});

  expect(user).toEqual({
    ...written,
    user_id: "Hanako",
    email: "Hanako@example.com",
    has_password: false,
    has_passkey: false,
    icon: "/media/default-icon.svg",
    icon_process: true,
    pictures: ["/media/default-icon.svg"],
    pictures_process: [true],
    pictures_waiting: [false],
    clear_icon: null,
    clear_pictures: [null],
    sex: "female",
    date_of_birth: "1983-05-06",
    age: 42,
    status: "free",
    paid_account_expired_at: null,
    paid_account_term: null,
    brokerage_fee_percentage: service.ctx.config.brokeragePercentage,
    search_sex: "male",
    search_range_unit: "mile",
    search_min_range: 0,
    search_max_range: 40,
    search_min_age: 30,
    search_max_age: 120,
    location: [expect.closeTo(139.7671, 1), expect.closeTo(35.6812, 1)],
    gps_updated_at: "2026-05-05T23:59:00.000Z",
    location_precision: "cell",
    paused: false,
    paused_until: null,
    only_liked: false,
    consent_due: false,
    correction: null,
    posts: [],
    arrival: null,
    arrival_zone: null,
    card_arrives_at: null,
    email_choice_due: false,
    new_email_asked: false,
    age_checked: false,
  });
  expect(user.location).not.toEqual([139.7671, 35.6812]);
});

test("returns null for empty fields and the full range for unset ranges", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null, how_long_married: null, tall: null });

  const { user } = await hanako.call(getOwnUser, {});

  const unfilled = Object.entries(user).filter(([, value]) => value === null);
  expect(unfilled.map(([name]) => name).toSorted()).toEqual(
    (
      "arrival arrival_zone card_arrives_at clear_icon correction facebook gps_updated_at hobby how_long_married instagram line location " +
      "paid_account_expired_at paid_account_term paused_until purpose salary tall twitter weight"
    ).split(" "),
  );
  expect(user).toMatchObject({
    search_min_range: 0,
    search_max_range: 500,
    search_min_age: 0,
    search_max_age: 120,
  });
  expect(Object.keys(user).toSorted()).toEqual(Object.keys(User.def.shape).toSorted());
});

test("raises the age on the birthday, by the day in UTC", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-02-28T23:59:59.999Z");
  const hanako = await service.member("hanako", { date_of_birth: "1984-02-29", at: null });
  const age = async () =>
    (await presentOwnUser(service.ctx, { memberId: hanako.memberId, session: null })).age;

  expect(await age()).toBe(41);
  service.clock.advance(1);
  expect(await age()).toBe(42);
});

test("returns paid until the moment the membership ends, then free", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-03-04T06:00:00Z");
  const hanako = await service.member("hanako", { at: null });
  await grantMembership(service.ctx, hanako.memberId, {
    year: 0,
    month: 1,
    source: "operator",
    grantId: crypto.randomUUID(),
  });
  const state = async () => {
    const { status, paid_account_expired_at } = await presentOwnUser(service.ctx, {
      memberId: hanako.memberId,
      session: null,
    });
    return [status, paid_account_expired_at];
  };

  expect(await state()).toEqual(["paid", "2026-04-04T06:00:00.000Z"]);
  service.clock.set("2026-04-04T05:59:59.999Z");
  expect(await state()).toEqual(["paid", "2026-04-04T06:00:00.000Z"]);
  service.clock.advance(1);
  expect(await state()).toEqual(["free", null]);
});

test("returns a member's own brokerage percentage when one is set", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  await service.db
    .updateTable("members")
    .set({ brokerage_percentage: 12 })
    .where("member_no", "=", hanako.memberId)
    .execute();

  expect((await hanako.call(getOwnUser, {})).user.brokerage_fee_percentage).toBe(12);
  expect((await taro.call(getOwnUser, {})).user.brokerage_fee_percentage).toBe(
    service.ctx.config.brokeragePercentage,
  );
});

test("returns only public fields to others, never address, birth date, position, filter, account or times", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { ...written, date_of_birth: "1983-05-06", paid: true });
  const taro = await service.member("taro");

  const response = await taro.fetch("/en/users/api/get-user?userId=hanako");
  const text = await response.text();
  const { user } = JSON.parse(text) as { user: Record<string, unknown> };

  const links = { twitter: null, instagram: null, facebook: null, line: null }; // for matches only
  expect(user).toMatchObject({ ...written, ...links, user_id: "hanako", icon_process: true });
  expect(Object.keys(user).toSorted()).toEqual(Object.keys(PublicUser.def.shape).toSorted());
  for (const hidden of [
    "hanako@example.com",
    "1983-05-06",
    "paid",
    "search_",
    "location",
    '_at"',
    "brokerage",
  ]) {
    expect(text).not.toContain(hidden);
  }
  expect(Object.values(user)).not.toContain(hanako.memberId);
  expect((await taro.call(getUser, { userId: "HANAKO" })).user.user_id).toBe("hanako");
});

test("loads each member once, including suspended ones and without non-existent ones", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female", search_range_unit: "mile" });
  const taro = await service.member("taro", { at: null });
  await suspendMember(service.ctx, taro.memberId);

  const people = await loadPeople(service.ctx, [
    taro.memberId,
    hanako.memberId,
    hanako.memberId,
    999_999_999,
  ]);

  expect(new Set(people.keys())).toEqual(new Set([hanako.memberId, taro.memberId]));
  expect(people.get(hanako.memberId)).toMatchObject({
    memberId: hanako.memberId,
    userId: "hanako",
    isSuspended: false,
    filter: { sex: "all", unit: "mile", minRange: 0, maxRange: 500, minAge: 0, maxAge: 120 },
  });
  expect(people.get(taro.memberId)).toMatchObject({ isSuspended: true, cell: null });
  expect(await loadPeople(service.ctx, [])).toEqual(new Map());
});

test("decrypts a profile text only in its own row", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null });
  const { encrypted_profile } = await service.db
    .selectFrom("profiles")
    .select("encrypted_profile")
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();

  await service.db
    .updateTable("profiles")
    .set({ encrypted_profile })
    .where("member_no", "=", taro.memberId)
    .execute();

  await expect(presentOwnUser(service.ctx, { memberId: taro.memberId, session: null })).rejects.toThrow();
  expect((await presentOwnUser(service.ctx, { memberId: hanako.memberId, session: null })).username).toBe(
    "hanako",
  );
});

test("returns login_required when the account is deleted during the request", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });

  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => hanako.call(getOwnUser, {})),
    hanako.call(deleteAccount, {}),
    ...Array.from({ length: 20 }, () => hanako.call(getOwnUser, {})),
  ]);

  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 401 });
  }
  await expect(
    presentOwnUser(service.ctx, { memberId: hanako.memberId, session: null }),
  ).rejects.toMatchObject({
    code: "login_required",
  });
  service.clock.advance(DAY_MS);
  await expectError(hanako.call(getOwnUser, {}), "token_expired");
});
