import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import { getUser } from "@alcove/contract/discovery";
import { saveProfile } from "@alcove/contract/profiles";
import { match } from "../testing/match.ts";
import { rounds } from "../testing/rounds.ts";
import { memberWithIcon, ownUser } from "../testing/sample-members.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { expectError, testService, type TestService } from "../testing/test-service.ts";

const whole = {
  username: "花子 🦊",
  description: "# Evenings\n\nQuiet ones, **please**.",
  how_long_married: 12.5,
  how_long_married_unit: "month",
  tall: 5.11,
  tall_unit: "feet inches",
  weight: 120.25,
  weight_unit: "pound",
  salary: 1_000,
  salary_unit: "TWD",
  salary_duration: "month",
  purpose: "Company",
  hobby: "Kites",
  twitter: "https://x.example/hanako",
  instagram: "http://instagram.example/hanako?a=b#c",
  facebook: "https://facebook.example/%E8%8A%B1",
  line: "https://line.example/hanako",
} as const;

const picture = await quarters().png().toBuffer();

let service: TestService;
let memberCount = 0;
beforeAll(async () => {
  service = await testService();
});

const newMember = (options: Parameters<TestService["member"]>[1] = {}) =>
  service.member(`hanako${memberCount++}`, options);

test("saves all profile fields and shows them to others at once", async () => {
  const hanako = await service.member("hanako", { sex: "female" });
  const taro = await service.member("taro", { sex: "male" });
  await match(hanako, taro); // links are for matches
  const before = await ownUser(hanako);

  const { user } = await hanako.call(saveProfile, whole);

  expect(user).toEqual({ ...before, ...whole });
  expect(await ownUser(hanako)).toEqual(user);
  expect((await taro.call(getUser, { userId: "hanako" })).user).toMatchObject(whole);
});

test("keeps missing fields and clears empty ones", async () => {
  const hanako = await newMember({ ...whole, at: null });
  const before = await ownUser(hanako);
  const form = new FormData();
  for (const name of ["how_long_married", "tall", "weight", "salary", "purpose", "hobby", "twitter", "line"])
    form.append(name, " ");
  form.append("icon", new File([], ""));
  form.append("icon_process", "");

  await hanako.call(saveProfile, { hobby: "Clocks" });
  expect(await ownUser(hanako)).toEqual({ ...before, hobby: "Clocks" });
  const response = await hanako.fetch("/ja/users/api/user", { method: "PATCH", body: form });

  expect(response.status).toBe(200);
  expect(await ownUser(hanako)).toEqual({
    ...before,
    how_long_married: null,
    tall: null,
    weight: null,
    salary: null,
    purpose: null,
    hobby: null,
    twitter: null,
    line: null,
  });
});

test("keeps sex, birth date, user id and unknown fields unchanged", async () => {
  const hanako = await newMember({ sex: "female", at: null });
  const before = await ownUser(hanako);
  const body = JSON.stringify({
    hobby: "Clocks",
    sex: "male",
    date_of_birth: "1950-01-01",
    user_id: "taro",
    userId: "taro",
    email: "taro@example.com",
    status: "paid",
    paid_account_expired_at: "2099-01-01T00:00:00Z",
    brokerage_fee_percentage: 100,
    icon_media: "00000000-0000-4000-8000-000000000000",
    __proto__: { hobby: "Masks" },
    constructor: "x",
  });
  const headers = { "content-type": "application/json" };

  const response = await hanako.fetch("/en/users/api/user", { method: "PATCH", body, headers });

  expect(await response.json()).toEqual({ user: { ...before, hobby: "Clocks" } });
});

test("saves position, filter and profile of one form together, and nothing when one field is invalid", async () => {
  const hanako = await newMember({ at: null });
  const before = await ownUser(hanako);
  const send = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form);
    const response = await hanako.fetch("/en/users/api/user", { method: "PATCH", body });
    return [response.status, await response.json()];
  };
  const form = {
    hobby: "Clocks",
    search_min_age: "30",
    search_max_age: "60",
    location: "139.7,35.6",
    nose: "long",
  };

  expect(await send({ ...form, hobby: "a".repeat(501), search_max_age: "old" })).toEqual([
    400,
    expect.objectContaining({ validation_errors: { hobby: ["too_long"], search_max_age: ["whole_number"] } }),
  ]);
  // Invalid only with the saved unit.
  expect(await send({ tall: "12", search_max_age: "60" })).toEqual([
    400,
    expect.objectContaining({ validation_errors: { tall: ["invalid"] } }),
  ]);
  expect(await ownUser(hanako)).toEqual(before);

  const saved = {
    hobby: "Clocks",
    search_min_age: 30,
    search_max_age: 60,
    location: [expect.any(Number), expect.any(Number)],
  };
  expect(await send(form)).toEqual([200, { user: expect.objectContaining(saved) }]);
  expect(await ownUser(hanako)).toMatchObject(saved);

  const secrets = {
    password: "a",
    newPassword: "quiet evenings at home",
    newPasswordConfirmation: "quiet evenings at home",
  };
  expect(await send({ ...secrets, hobby: "Kites" })).toEqual([
    400,
    expect.objectContaining({
      validation_errors: {
        password: ["not_with_others"],
        new_password: ["not_with_others"],
        new_password_confirmation: ["not_with_others"],
      },
    }),
  ]);
  expect(await ownUser(hanako)).toMatchObject(saved);
});

test("changes nothing when the form has no changeable field", async () => {
  const hanako = await newMember({ at: null });
  const user = await ownUser(hanako);

  for (const form of ["", "sex=male&date_of_birth=1990-01-01"]) {
    const response = await hanako.fetch("/en/users/api/user", {
      method: "PATCH",
      body: new URLSearchParams(form),
    });
    expect([response.status, await response.json()]).toEqual([200, { user }]);
  }
});

test("returns all field errors at once and saves nothing", async () => {
  const hanako = await newMember({ ...whole, at: null });
  const before = await ownUser(hanako);
  const invalid = {
    username: " \n ",
    description: "",
    how_long_married: "-1",
    how_long_married_unit: "",
    tall_unit: "ells",
    weight: "heavy",
    weight_unit: "",
    salary: "0x10",
    salary_unit: "EUR",
    salary_duration: "",
    purpose: "a".repeat(501),
    hobby: "\u202e\u200b",
    twitter: "javascript:alert(1)",
    instagram: "ftp://instagram.example/a",
    facebook: "https://somebody:secret@facebook.example/",
    line: "https://line",
    icon_process: "perhaps",
  };

  const response = await hanako.fetch("/en/users/api/user", {
    method: "PATCH",
    body: new URLSearchParams({ ...invalid }),
  });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "invalid_input",
    validation_errors: {
      username: ["required"],
      description: ["required"],
      how_long_married: ["too_small"],
      how_long_married_unit: ["required"],
      tall_unit: ["unknown_choice"],
      weight: ["not_a_number"],
      weight_unit: ["required"],
      salary: ["not_a_number"],
      salary_unit: ["unknown_choice"],
      salary_duration: ["required"],
      purpose: ["too_long"],
      hobby: ["required"],
      twitter: ["url_invalid"],
      instagram: ["url_invalid"],
      facebook: ["url_invalid"],
      line: ["url_invalid"],
      icon_process: ["invalid"],
    },
  });
  expect(await ownUser(hanako)).toEqual(before);
});

describe("checks height with its unit when only one of them is sent", () => {
  const options: [string, InputOf<typeof saveProfile>, string | null][] = [
    ["eleven inches", { tall: 5.11 }, null],
    ["twelve inches", { tall: 5.12 }, "inches_too_big"],
    ["half an inch", { tall: 5.115 }, "inches_too_big"],
    ["centimetres in feet", { tall: 165 }, "invalid"],
    ["feet in centimetres", { tall_unit: "cm" }, "invalid"],
    ["both, right", { tall: 180, tall_unit: "cm" }, null],
    ["both, wrong", { tall: 6.5, tall_unit: "cm" }, "invalid"],
    ["no height any more", { tall: null, tall_unit: "cm" }, null],
  ];

  test.each(options)("%s", async (_, options, problem) => {
    const hanako = await newMember({ ...whole, at: null });

    if (problem === null) {
      expect((await hanako.call(saveProfile, options)).user).toMatchObject(options);
    } else {
      const { body } = await expectError(
        hanako.call(saveProfile, { ...options, hobby: "Clocks" }),
        "invalid_input",
      );
      expect(body["validation_errors"]).toEqual({ tall: [problem] });
      expect(await ownUser(hanako)).toMatchObject({ tall: 5.11, tall_unit: "feet inches", hobby: "Kites" });
    }
  });
});

test("returns a height error that depends on the saved unit with all other errors", async () => {
  const hanako = await newMember({ ...whole, at: null });

  const options = { tall: 165, twitter: "javascript:alert(1)" };
  const { body } = await expectError(hanako.call(saveProfile, options), "invalid_input");

  expect(body["validation_errors"]).toEqual({ tall: ["invalid"], twitter: ["url_invalid"] });
});

test("rejects a name that looks like the service, alone and with other errors", async () => {
  const hanako = await newMember({ ...whole, at: null });
  const reject = async (change: InputOf<typeof saveProfile>) =>
    (await expectError(hanako.call(saveProfile, change), "invalid_input")).body["validation_errors"];

  expect(await reject({ username: "ALC0VE Team" })).toEqual({ username: ["username_reserved"] });
  expect(await reject({ username: "運営事務局", tall: 165 })).toEqual({
    username: ["username_reserved"],
    tall: ["invalid"],
  });
  expect((await ownUser(hanako)).username).toBe(whole.username);
});

test("keeps all changes when two devices save at the same time", async () => {
  const hanako = await memberWithIcon(service, "photographed", picture);

  for (let round = 0; round < rounds(10); round++) {
    const changes: InputOf<typeof saveProfile>[] = [
      { username: `Hanako ${round}` },
      { hobby: `Clocks ${round}` },
      { purpose: `Company ${round}` },
      { weight: 50 + round, weight_unit: "kg" },
      { icon: fileOf(picture), icon_process: false },
    ];
    await Promise.all(changes.map((change) => hanako.call(saveProfile, change)));

    expect(await ownUser(hanako)).toMatchObject({
      username: `Hanako ${round}`,
      hobby: `Clocks ${round}`,
      purpose: `Company ${round}`,
      weight: 50 + round,
    });
  }
});

test("leaves the search row unchanged when the profile changes", async () => {
  const hanako = await newMember();
  const readVersion = async () =>
    (
      await sql`select xmin::text as version from searchables where member_no = ${hanako.memberId}`.execute(
        service.db,
      )
    ).rows;
  const before = await readVersion();

  await hanako.call(saveProfile, { hobby: "Clocks" });

  expect(before).toHaveLength(1);
  expect(await readVersion()).toEqual(before);
});

test("rejects a logged-out visitor", async () => {
  await expectError(service.call(saveProfile, { hobby: "Masks" }), "login_required");
});
