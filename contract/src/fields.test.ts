import { expect, test } from "vitest";
import { register, requestSignUpCode } from "./accounts.ts";
import { sendDm } from "./messaging.ts";
import { saveFilter } from "./profiles.ts";
import { adultProblem, ageOn, parseLocation, readFields } from "./fields.ts";

const faultsOf = (form: Record<string, unknown>): Record<string, string[]> => {
  const reading = readFields(register.input, form);
  return reading.ok ? {} : reading.errors;
};

test("a form hears all its faults at once, under its fields' names", () => {
  const faults = faultsOf({
    userId: "a b",
    password: "long enough 1",
    passwordConfirmation: "something else",
    weight: "heavy",
    date_of_birth: "1983-02-30",
    twitter: "javascript:alert(1)",
    search_min_range: "7.5",
    search_max_range: "5",
    search_min_age: "130",
    search_max_age: "",
  });

  expect(faults).toMatchObject({
    user_id: ["user_id_characters"],
    password_confirmation: ["password_mismatch"],
    weight: ["not_a_number"],
    date_of_birth: ["date_invalid"],
    twitter: ["url_invalid"],
    search_min_range: ["whole_number"],
    search_max_range: ["range_reversed"],
    search_max_age: ["range_reversed"], // an end that is left open is 120
    icon: ["icon_required"],
    username: ["required"],
  });
});

test("what two fields say together is heard although one of them breaks its own rules", () => {
  expect(faultsOf({ password: "short", passwordConfirmation: "other", userId: "sho" })).toMatchObject({
    password: ["password_length"],
    password_confirmation: ["password_mismatch"],
  });
  const change = readFields(saveFilter.input, {
    search_sex: "nobody",
    search_min_range: "600",
    search_max_range: "10",
    search_min_age: "40",
    search_max_age: "30",
  });
  expect(change).toMatchObject({
    errors: {
      search_sex: ["unknown_choice"],
      search_min_range: ["too_big"],
      search_max_range: ["range_reversed"],
      search_max_age: ["range_reversed"],
    },
  });
});

test("of a faulty form the fields that are right by themselves are known", () => {
  const reading = readFields(saveFilter.input, {
    search_sex: "all",
    search_min_age: "4O",
    search_max_age: "60",
  });

  expect(reading).toMatchObject({ ok: false, right: { search_sex: "all", search_max_age: 60 } });
  expect(Object.keys(reading.ok ? {} : reading.right)).not.toContain("search_min_age");
});

test.each([
  ["5.11", "feet inches", undefined],
  ["5.12", "feet inches", "inches_too_big"],
  ["5.111", "feet inches", "inches_too_big"],
  ["9.11", "feet inches", undefined],
  ["0.05", "feet inches", "invalid"],
  ["165.5", "cm", undefined],
  ["20", "cm", "invalid"],
])("a height of %s %s is %s", (tall, tall_unit, fault) => {
  expect(faultsOf({ tall, tall_unit })["tall"]?.[0]).toBe(fault);
});

test.each(["\u200B\u200B", "\u3164", "\u2800", " \u00AD\u2060 ", "\uFE0F", "\u{E0041}"])(
  "a name that nobody can see is none: %j",
  (unseen) => {
    const faults = faultsOf({ username: unseen, description: unseen, hobby: unseen });

    expect(faults).toMatchObject({ username: ["required"], description: ["required"], hobby: ["required"] });
    expect(faultsOf({ username: `${unseen}花\u200B子` })["username"]).toBeUndefined();
    expect(faultsOf({ username: "👩🏽‍🦰" })["username"]).toBeUndefined();
  },
);

test("nobody is a member before the eighteenth birthday, counted by the calendar", () => {
  expect(adultProblem("2026-11-21", "2008-11-21")).toBeNull();
  expect(adultProblem("2026-11-21", "2008-11-22")).toBe("too_young");
  expect(adultProblem("2026-11-21", "1886-11-21")).toBeNull();
  expect(adultProblem("2026-11-21", "1885-11-21")).toBe("too_old");
  expect(ageOn("2026-02-28", "2008-02-29")).toBe(17);
  expect(ageOn("2026-03-01", "2008-02-29")).toBe(18);
});

test("both agreements are needed, however a client says yes", () => {
  const agreed = (yes: unknown) =>
    readFields(requestSignUpCode.input, { email: "a@b.example", agree_tos: yes, agree_privacy_policy: yes })
      .ok;

  for (const yes of ["yes", "on", "true", "1", true]) expect(agreed(yes)).toBe(true);
  for (const no of ["no", "", false, 0, null, undefined, "maybe"]) expect(agreed(no)).toBe(false);
});

test("a message may have 2,000 characters as people count them, a line break being one", () => {
  const fits = (description: string) => readFields(sendDm.input, { receiverId: "taro", description }).ok;

  expect(fits("花".repeat(2_000))).toBe(true);
  expect(fits("🌸".repeat(2_000))).toBe(true);
  expect(fits(`${"a\r\n".repeat(999)}ab`)).toBe(true);
  expect(fits("a".repeat(2_001))).toBe(false);
  expect(fits("half a pair \uD83C")).toBe(false);
  expect(fits("turned \u202E around")).toBe(false);
  expect(fits("nul \u0000")).toBe(false);
});

test("a break that a program copies as a mark of its own is a line break", () => {
  const reading = readFields(sendDm.input, {
    receiverId: "taro",
    description: "Dear Taro,\u000Bsee you.\u000CHanako",
  });

  expect(reading).toMatchObject({ ok: true, value: { description: "Dear Taro,\nsee you.\nHanako" } });
});

test("what telephones put around a number or a name that is copied is taken out", () => {
  const reading = readFields(sendDm.input, {
    receiverId: "taro",
    description: "Call \u202A+81 3 1234 5678\u202C, says \u2068אורי\u2069",
  });

  expect(reading).toMatchObject({ ok: true, value: { description: "Call +81 3 1234 5678, says אורי" } });
  expect(readFields(sendDm.input, { receiverId: "taro", description: "\u2068\u2069" })).toMatchObject({
    ok: false,
  });
});

test("a place is read as longitude and latitude, and nothing else is", () => {
  expect(parseLocation("139.7671,35.6812")).toEqual({ longitude: 139.7671, latitude: 35.6812 });
  expect(parseLocation(" -180 , -90 ")).toEqual({ longitude: -180, latitude: -90 });
  for (const nowhere of ["", "139", "35.6,139.7,1", "181,0", "0,91", "NaN,0", "1e2,0", "a,b", "0x10,0"]) {
    expect(parseLocation(nowhere)).toBeNull();
  }
});

test.each([
  "password",
  "Passw0rd!",
  "p@$$w0rd",
  "12345678",
  "qwertyuiop",
  "1q2w3e4r",
  "11223344",
  "aaaa1111",
  "iloveyou2",
  "qwer1234",
  "abcabcabc",
  "sakura123",
  "woaini1314",
  "a123456789",
  "ｐａｓｓｗｏｒｄ1",
  "passwordpassword",
  "87654321",
])("%s is among the first that others would try", (password) => {
  expect(faultsOf({ password })["password"]).toEqual(["password_common"]);
});

test.each([
  "quiet-evenings-7",
  "correct horse battery staple",
  "x7k2m9qp",
  "夜はゆっくり過ごしたい",
  "loveletter77",
])("%s can be a password", (password) => expect(faultsOf({ password })["password"]).toBeUndefined());

test("a password built around the user id is refused, in whatever case", () => {
  const faults = faultsOf({ password: "xxHANAKOxx9", userId: "Hanako" });

  expect(faults["password"]).toEqual(["password_contains_user_id"]);
});
