import { beforeAll, describe, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getOptions } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { DAY_MS } from "../platform/clock.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, testService, type TestMember, type TestService } from "../testing/test-service.ts";
import { saveFilter as save } from "./filter.ts";

const whole = {
  search_sex: "all",
  search_range_unit: "km",
  search_min_range: 0,
  search_max_range: 500,
  search_min_age: 0,
  search_max_age: 120,
} as const;

let service: TestService;
let memberCount = 0;
beforeAll(async () => {
  service = await testService();
});

const newMember = (options: Parameters<TestService["member"]>[1] = {}) =>
  service.member(`hanako${memberCount++}`, options);

async function filterOf(member: TestMember) {
  const { user } = await member.call(getOwnUser, {});
  const names = Object.keys(whole) as (keyof typeof whole)[];
  return Object.fromEntries(names.map((name) => [name, user[name]]));
}

test("changes one field of the filter and keeps the rest", async () => {
  const hanako = await newMember({ at: null });

  const { user } = await hanako.call(saveFilter, { search_max_age: 60 });
  await hanako.call(saveFilter, { search_range_unit: "mile" });
  await hanako.call(saveFilter, { search_sex: "male", search_min_range: 5 });

  expect(user).toEqual({ ...(await hanako.call(getOwnUser, {})).user, ...whole, search_max_age: 60 });
  expect(await filterOf(hanako)).toEqual({
    ...whole,
    search_max_age: 60,
    search_range_unit: "mile",
    search_sex: "male",
    search_min_range: 5,
  });
});

test.each([
  ["a form", { body: new URLSearchParams({ search_sex: "", search_range_unit: "", search_max_age: "50" }) }],
  [
    "JSON",
    {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ search_sex: null, search_range_unit: null, search_max_age: 50 }),
    },
  ],
])("keeps sought sex and unit when they are emptied by %s", async (_, init) => {
  const hanako = await newMember({ at: null });

  const response = await hanako.fetch("/en/users/api/user", { method: "PATCH", ...init });

  expect(await response.json()).toMatchObject({
    code: "invalid_input",
    validation_errors: { search_sex: ["required"], search_range_unit: ["required"] },
  });
  expect(await filterOf(hanako)).toEqual(whole);
});

test("takes the default when a field is emptied, and accepts the same filter again", async () => {
  const hanako = await newMember({ at: null });
  const narrow = { search_min_range: 10, search_max_range: 20, search_min_age: 30, search_max_age: 40 };
  const emptied = {
    search_min_range: null,
    search_max_range: null,
    search_min_age: null,
    search_max_age: null,
  };

  await hanako.call(saveFilter, narrow);
  await hanako.call(saveFilter, narrow);
  expect(await filterOf(hanako)).toEqual({ ...whole, ...narrow });
  await hanako.call(saveFilter, emptied);
  expect(await filterOf(hanako)).toEqual(whole);
});

test("saves forms, queries and JSON alike, and ignores unknown fields", async () => {
  const hanako = await newMember({ at: null });
  const multipart = new FormData();
  multipart.append("search_max_age", "41");
  multipart.append("rev", "99");
  const bodies: [number, RequestInit, string?][] = [
    [41, { body: multipart }],
    [42, { body: new URLSearchParams({ search_max_age: "42", search_min_age: "" }) }],
    [43, { body: '{"search_max_age":43,"sex":"male"}', headers: { "content-type": "application/json" } }],
    [44, {}, "?search_max_age=44"],
  ];

  for (const [age, init, query = ""] of bodies) {
    const response = await hanako.fetch(`/ja/users/api/user${query}`, { method: "PATCH", ...init });
    expect(response.status).toBe(200);
    expect(await filterOf(hanako)).toEqual({ ...whole, search_max_age: age });
  }
});

describe("rejects a reversed range and saves nothing", () => {
  const options: [string, InputOf<typeof saveFilter>, string][] = [
    ["both ends sent", { search_min_age: 50, search_max_age: 40, search_sex: "male" }, "search_max_age"],
    ["distances", { search_min_range: 301, search_max_range: 300 }, "search_max_range"],
    ["a new beginning behind the old end", { search_min_age: 61, search_sex: "male" }, "search_max_age"],
    ["a new end before the old beginning", { search_max_range: 9 }, "search_max_range"],
    ["an end emptied to its default", { search_min_age: 130, search_max_age: null }, "search_max_age"],
    ["a beginning and no end", { search_min_range: 101, search_sex: "female" }, "search_max_range"],
  ];

  test.each(options)("%s", async (_, options, field) => {
    const old = { search_min_range: 10, search_max_range: 100, search_min_age: 30, search_max_age: 60 };
    const hanako = await newMember({ at: null, ...old });

    const { body } = await expectError(hanako.call(saveFilter, options), "invalid_input");

    expect(body["validation_errors"]).toEqual({ [field]: ["range_reversed"] });
    expect(await filterOf(hanako)).toEqual({ ...whole, ...old });
  });
});

test("returns errors of ranges reversed against saved values with all other errors", async () => {
  const old = { search_min_range: 10, search_max_range: 100, search_min_age: 30, search_max_age: 60 };
  const hanako = await newMember({ at: null, ...old });
  const errors = async (options: InputOf<typeof saveFilter>) =>
    (await expectError(hanako.call(saveFilter, options), "invalid_input")).body["validation_errors"];
  const backwards = { search_max_range: ["range_reversed"], search_max_age: ["range_reversed"] };

  expect(await errors({ search_min_range: 101, search_max_age: 29 })).toEqual(backwards);
  expect(await errors({ search_min_range: 101, search_max_age: 29, search_sex: "nobody" as "all" })).toEqual({
    ...backwards,
    search_sex: ["unknown_choice"],
  });
  expect(await filterOf(hanako)).toEqual({ ...whole, ...old });
});

test("accepts a range whose ends are equal", async () => {
  const hanako = await newMember({ at: null });
  const point = { search_min_range: 500, search_max_range: 500, search_min_age: 140, search_max_age: 140 };

  await hanako.call(saveFilter, point);

  expect(await filterOf(hanako)).toEqual({ ...whole, ...point });
});

test("rejects an invalid sex, unit, distance or age under its field", async () => {
  const hanako = await newMember({ at: null });
  const wrong = [
    ["search_sex", "everybody", "unknown_choice"],
    ["search_range_unit", "ri", "unknown_choice"],
    ["search_min_range", "-1", "too_small"],
    ["search_max_range", "501", "too_big"],
    ["search_min_age", "18.5", "whole_number"],
    ["search_max_age", "141", "too_big"],
    ["search_max_age", "9e9", "too_big"],
    ["search_max_age", "NaN", "whole_number"],
    ["search_max_age", "1; drop table profiles", "whole_number"],
  ] as const;

  for (const [field, value, message] of wrong) {
    const body = new URLSearchParams({ search_sex: "male", [field]: value });
    const response = await hanako.fetch("/en/users/api/user", { method: "PATCH", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ validation_errors: { [field]: [message] } });
  }
  expect(await filterOf(hanako)).toEqual(whole);
});

test("keeps both halves of a range when they arrive at the same time", async () => {
  const hanako = await newMember();

  for (let round = 0; round < rounds(10); round++) {
    await hanako.call(saveFilter, { search_min_age: 30, search_max_age: 60 });
    const outcomes = await Promise.allSettled([
      hanako.call(saveFilter, { search_min_age: 50 }),
      hanako.call(saveFilter, { search_max_age: 40 }),
    ]);

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_input" });
    }
  }
});

test("keeps all changes when different fields are saved at the same time", async () => {
  const hanako = await newMember();

  await Promise.all([
    hanako.call(saveFilter, { search_min_age: 31 }),
    hanako.call(saveFilter, { search_max_age: 61 }),
    hanako.call(saveFilter, { search_max_range: 101 }),
    hanako.call(saveFilter, { search_range_unit: "mile" }),
    hanako.call(saveFilter, { search_sex: "male" }),
  ]);

  expect(await filterOf(hanako)).toEqual({
    search_sex: "male",
    search_range_unit: "mile",
    search_min_range: 0,
    search_max_range: 101,
    search_min_age: 31,
    search_max_age: 61,
  });
});

test("shows no women to a member who looks for men only, nor that member to them", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female", paid: true });
  const keiko = await service.member("keiko", { sex: "female", paid: true });
  await service.member("taro", { sex: "male" });
  const shownTo = async (member: TestMember) =>
    (await member.call(getOptions, {})).options.map(({ user_id }) => user_id).toSorted();

  expect([await shownTo(hanako), await shownTo(keiko)]).toEqual([
    ["keiko", "taro"],
    ["hanako", "taro"],
  ]);
  await hanako.call(saveFilter, { search_sex: "male" });
  expect([await shownTo(hanako), await shownTo(keiko)]).toEqual([["taro"], ["taro"]]);
});

test("updates the search when a filter is saved", async () => {
  const hanako = await newMember();

  await hanako.call(saveFilter, { search_min_age: 33, search_max_age: 44 });

  const row = await service.db
    .selectFrom("searchables")
    .selectAll()
    .where("member_no", "=", hanako.memberId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ member_no: hanako.memberId, sought_min_age: 33, sought_max_age: 44 });
});

test("returns no unexpected error when the member is deleted while a filter is saved", async () => {
  const hanako = await newMember();

  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 8 }, () => hanako.call(saveFilter, { search_max_age: 50 })),
    hanako.call(deleteAccount, {}),
    ...Array.from({ length: 8 }, () => hanako.call(saveFilter, { search_max_age: 51 })),
  ]);

  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 401 });
  }
  await expect(save(service.ctx, hanako, { search_max_age: 52 })).rejects.toMatchObject({
    code: "login_required",
  });
});

describe("limits changes of the distance filter", () => {
  const withLimits = { config: { hasRateLimits: true } };
  const patch = (who: TestMember, fields: Record<string, string>) =>
    who.fetch("/zh-hant/users/api/user", { method: "PATCH", body: new URLSearchParams(fields) });

  test("to six in 24 hours, and saves nothing of the seventh", async () => {
    const service = await serviceForTest(withLimits);
    let hanako = await service.member("hanako", { at: null, search_max_range: 400 });

    await hanako.call(saveFilter, { search_range_unit: "mile", search_min_range: 1, search_max_range: 300 });
    for (const search_max_range of [200, 100, 50, 25, 12])
      await hanako.call(saveFilter, { search_max_range });
    const response = await patch(hanako, { search_max_range: "6", search_max_age: "60" });

    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe(String(24 * 60 * 60));
    expect(await response.json()).toEqual({
      code: "distance_changes_used_up",
      error_message: expect.stringContaining("6"),
    });
    expect(await filterOf(hanako)).toMatchObject({ search_max_range: 12, search_max_age: 120 });

    service.clock.advance(DAY_MS);
    hanako = await logInAgain(service, hanako);
    await hanako.call(saveFilter, { search_max_range: 6 });
    expect(await filterOf(hanako)).toMatchObject({ search_max_range: 6 });
  });

  test("without counting an unchanged distance, sex or age", async () => {
    const service = await serviceForTest(withLimits);
    const hanako = await service.member("hanako", { at: null });
    const same = { search_range_unit: "km", search_min_range: 0, search_max_range: 500 } as const;

    for (let age = 20; age < 40; age++) {
      await hanako.call(saveFilter, { ...same, search_min_age: age, search_sex: age % 2 ? "male" : "all" });
      await hanako.call(saveFilter, { search_max_range: null });
    }
    for (let range = 1; range <= 6; range++) await hanako.call(saveFilter, { search_max_range: range });

    expect(await filterOf(hanako)).toMatchObject({ search_max_range: 6 });
  });

  test("to six when many arrive in parallel", async () => {
    const service = await serviceForTest(withLimits);

    for (let i = 0; i < 10; i++) {
      const hanako = await service.member(`hanako${i}`, { at: null });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, range) => hanako.call(saveFilter, { search_max_range: range })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          expect(outcome.reason).toMatchObject({ status: 429, code: "distance_changes_used_up" });
    }
  });

  test("unless rate limits are off", async () => {
    const service = await serviceForTest();
    const hanako = await service.member("hanako", { at: null });

    for (let range = 1; range <= 20; range++) await hanako.call(saveFilter, { search_max_range: range });

    expect(await filterOf(hanako)).toMatchObject({ search_max_range: 20 });
  });
});
