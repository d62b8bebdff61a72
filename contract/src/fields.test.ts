import fc from "fast-check";
import { expect, test } from "vitest";
import { checkSignUpCode, logIn, register, requestSignUpCode } from "./accounts.ts";
import { contactSupport } from "./contact.ts";
import { getUser } from "./discovery.ts";
import { checkCoupon } from "./membership.ts";
import { sendDm } from "./messaging.ts";
import { addHiddenArea, saveFilter, saveProfile } from "./profiles.ts";
import { transferBrokerage } from "./referral.ts";
import { parseNeverSee } from "./safety.ts";
import { ageError, ageOn, hasReservedPart, parseLocation, parseFields, shownAgeOn } from "./fields.ts";

const errorsOf = (form: Record<string, unknown>): Record<string, string[]> => {
  const result = parseFields(register.input, form);
  return result.ok ? {} : result.errors;
};

test("returns all errors of a form at once, by field name", () => {
  const errors = errorsOf({
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

  expect(errors).toMatchObject({
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

test("checks two fields together when one of them breaks its own rules", () => {
  expect(errorsOf({ password: "short", passwordConfirmation: "other", userId: "sho" })).toMatchObject({
    password: ["password_length"],
    password_confirmation: ["password_mismatch"],
  });
  const change = parseFields(saveFilter.input, {
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

test("returns the valid fields of an invalid form", () => {
  const result = parseFields(saveFilter.input, {
    search_sex: "all",
    search_min_age: "4O",
    search_max_age: "60",
  });

  expect(result).toMatchObject({ ok: false, valid: { search_sex: "all", search_max_age: 60 } });
  expect(Object.keys(result.ok ? {} : result.valid)).not.toContain("search_min_age");
});

test.each([
  ["5.11", "feet inches", undefined],
  ["5.12", "feet inches", "inches_too_big"],
  ["5.111", "feet inches", "inches_too_big"],
  ["9.11", "feet inches", undefined],
  ["0.05", "feet inches", "invalid"],
  ["165.5", "cm", undefined],
  ["20", "cm", "invalid"],
])("validates a height of %s %s as %s", (tall, tall_unit, error) => {
  expect(errorsOf({ tall, tall_unit })["tall"]?.[0]).toBe(error);
});

test.each([
  "\u200B\u200B",
  "\u3164",
  "\u2800",
  " \u00AD\u2060 ",
  "\uFE0F",
  "\u{E0041}",
  "\u0301",
  "\u{1D159}",
  "\u{13441}",
  "\u{16FE4}",
  "\uFFFF",
])("rejects a name of invisible characters: %j", (invisible) => {
  const errors = errorsOf({ username: invisible, description: invisible, hobby: invisible });

  expect(errors).toMatchObject({ username: ["required"], description: ["required"], hobby: ["required"] });
  expect(errorsOf({ username: `${invisible}花\u200B子` })["username"]).toBeUndefined();
  expect(errorsOf({ username: "👩🏽‍🦰" })["username"]).toBeUndefined();
});

test.each([
  ["\u202D+81 90\u202C", "+81 90"],
  ["\u0000nul", "nul"],
  ["twenty\u001Eone", "twenty-one"],
  ["\uFEFFhy\u0002phen\u200B", "hyphen"],
  ["\u00A0a\u202Eb\uD800", "ab"],
])("drops the invisible characters of %j in every text of a profile", (copied, text) => {
  const form = { username: copied, description: copied, purpose: copied, hobby: copied };

  expect(parseFields(saveProfile.input, form)).toMatchObject({
    ok: true,
    value: { username: text, description: text, purpose: text, hobby: text },
  });
});

test.each([
  ["copied@mail.example.org\u200B"],
  ["\u202Acopied@mail.example.org\u202C"],
  ["\u00A0copied\u00AD@mail.example.org\u3000"],
  ["ｃｏｐｉｅｄ＠ｍａｉｌ．ｅｘａｍｐｌｅ．ｏｒｇ"],
  ["copied@mail。example｡org"],
  ["\uFEFFcopied@mail.ex\u2060ample.org\u0000"],
])("reads the copied address %j", (typed) => {
  const email = "copied@mail.example.org";
  const agreed = { agree_tos: "yes", agree_privacy_policy: "yes" };

  expect(parseFields(requestSignUpCode.input, { ...agreed, email: typed })).toMatchObject({
    ok: true,
    value: { email },
  });
  expect(parseFields(contactSupport.input, { email: typed, message: "Hello" })).toMatchObject({
    value: { email },
  });
  expect(parseFields(transferBrokerage.input, { email: typed, price: 10 })).toMatchObject({
    value: { email },
  });
  expect(parseNeverSee(`hanako, ${typed}`)).toEqual([
    { kind: "handle", value: "hanako" },
    { kind: "email", value: email },
  ]);
});

test.each([
  "hanako_7 ",
  "\u3000hanako_7",
  "ｈａｎａｋｏ＿７",
  "@hanako_7",
  "＠hanako_7\u200B",
  "\u202Ahanako_7\u202C",
])("reads the typed user id %j", (typed) => {
  const userId = "hanako_7";

  expect(parseFields(logIn.input, { user_id: typed, password: " ｐ\u3000" })).toMatchObject({
    value: { user_id: userId, password: " ｐ\u3000" },
  });
  expect(parseFields(getUser.input, { userId: typed })).toMatchObject({ value: { userId } });
  expect(parseNeverSee(typed)).toEqual([{ kind: "handle", value: userId }]);
});

test.each([
  "spring-27",
  " ｓｐｒｉｎｇ－２７",
  "SPRING\u201127\u200B",
  "\u202Aspring-27\u202C",
  "spring\u001E27\u00A0",
])("reads the typed coupon %j", (typed) => {
  expect(parseFields(checkCoupon.input, { coupon_id: typed })).toMatchObject({
    value: { coupon_id: "SPRING-27" },
  });
});

test.each([
  "12345678",
  "1234 5678\u200B",
  "１２３４－５６７８",
  "\u202D1234\u00AD5678\u202C",
  "1234\u20115678\uFEFF",
])("reads the typed code %j", (typed) => {
  expect(parseFields(checkSignUpCode.input, { email: "a@b.example", code: typed })).toMatchObject({
    value: { code: "12345678" },
  });
});

test("rejects members before their eighteenth birthday by the calendar", () => {
  expect(ageError("2026-11-21", "2008-11-21")).toBeNull();
  expect(ageError("2026-11-21", "2008-11-22")).toBe("too_young");
  expect(ageError("2026-11-21", "1886-11-21")).toBeNull();
  expect(ageError("2026-11-21", "1885-11-21")).toBe("too_old");
  expect(ageOn("2026-02-28", "2008-02-29")).toBe(17);
  expect(ageOn("2026-03-01", "2008-02-29")).toBe(18);
});

test("shows others an age that turns with the month of birth and is never below that of the day", () => {
  expect(shownAgeOn("2026-05-31", "2008-06-30")).toBe(17);
  expect(shownAgeOn("2026-06-01", "2008-06-30")).toBe(18);
  expect(shownAgeOn("2026-06-30", "2008-06-01")).toBe(18);
  expect(shownAgeOn("2026-01-31", "2008-02-29")).toBe(17);
  expect(shownAgeOn("2026-02-01", "2008-02-29")).toBe(18);
  const date = fc.date({ min: new Date("1990-01-01"), max: new Date("2030-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(date, date, (now, born) => {
      const [day, birth] = [now, born].map((at) => at.toISOString().slice(0, 10)) as [string, string];
      const isBeforeBirthday =
        day.slice(0, 7).slice(5) === birth.slice(5, 7) && day.slice(8) < birth.slice(8);
      expect(shownAgeOn(day, birth) - ageOn(day, birth)).toBe(isBeforeBirthday ? 1 : 0);
      // The day of birth changes nothing.
      expect(shownAgeOn(day, `${birth.slice(0, 7)}-15`)).toBe(shownAgeOn(day, birth));
    }),
  );
});

test("requires both agreements in every notation of yes", () => {
  const agreed = (yes: unknown) =>
    parseFields(requestSignUpCode.input, { email: "a@b.example", agree_tos: yes, agree_privacy_policy: yes })
      .ok;

  for (const yes of ["yes", "on", "true", "1", true]) expect(agreed(yes)).toBe(true);
  for (const no of ["no", "", false, 0, null, undefined, "maybe"]) expect(agreed(no)).toBe(false);
});

test("accepts a message of 2,000 code points, with a line break as one", () => {
  const fits = (description: string) => parseFields(sendDm.input, { receiverId: "taro", description }).ok;

  expect(fits("花".repeat(2_000))).toBe(true);
  expect(fits("🌸".repeat(2_000))).toBe(true);
  expect(fits(`${"a\r\n".repeat(999)}ab`)).toBe(true);
  expect(fits("a".repeat(2_001))).toBe(false);
  expect(fits("a\u200B".repeat(2_000))).toBe(true);
});

test.each([
  ["sixty paragraphs", "a\n\n".repeat(60), true],
  ["61 paragraphs", "a\n\n".repeat(61), false],
  ["a paragraph of 500 lines", "line\n".repeat(500), true],
  ["61 items of a list", "- a\n".repeat(61), false],
  ["61 numbered items", "1. a\n".repeat(61), false],
  ["61 headings", "# a\n".repeat(61), false],
  ["61 quotes apart by spaces", "> a\n  \n".repeat(61), false],
  ["twenty sections of heading, text and list", "## a\n\nb\n\n- c\n".repeat(20), true],
])("accepts an introduction of at most sixty blocks: %s", (_, description, isValid) => {
  expect(errorsOf({ description })["description"]).toEqual(isValid ? undefined : ["too_many_blocks"]);
});

test("converts copied soft breaks to line breaks", () => {
  const result = parseFields(sendDm.input, {
    receiverId: "taro",
    description: "Dear Taro,\u000Bsee you.\u000CHanako",
  });

  expect(result).toMatchObject({ ok: true, value: { description: "Dear Taro,\nsee you.\nHanako" } });
});

test("removes direction marks around copied numbers and names", () => {
  const result = parseFields(sendDm.input, {
    receiverId: "taro",
    description: "Call \u202A+81 3 1234 5678\u202C, says \u2068אורי\u2069",
  });

  expect(result).toMatchObject({ ok: true, value: { description: "Call +81 3 1234 5678, says אורי" } });
  expect(parseFields(sendDm.input, { receiverId: "taro", description: "\u2068\u2069" })).toMatchObject({
    ok: false,
  });
});

test("parses a place as longitude and latitude only", () => {
  expect(parseLocation("139.7671,35.6812")).toEqual({ longitude: 139.7671, latitude: 35.6812 });
  expect(parseLocation(" -180 , -90 ")).toEqual({ longitude: -180, latitude: -90 });
  for (const invalid of ["", "139", "35.6,139.7,1", "181,0", "0,91", "NaN,0", "1e3,0", "a,b", "0x10,0"]) {
    expect(parseLocation(invalid)).toBeNull();
  }
});

test.each([
  ["1e-7,51.4779", 0.000_000_1, 51.4779],
  ["32.58,-2e-7", 32.58, -0.000_000_2],
  ["1e2,-1.5E+1", 100, -15],
  ["+12.5, .5", 12.5, 0.5],
  ["１３９．７６，３５．６８", 139.76, 35.68],
  ["\u22120.1278,\u200B51.5074\u00A0", -0.1278, 51.5074],
  ["-0,-0.0", 0, 0],
])("parses the place %s", (typed, longitude, latitude) => {
  expect(parseLocation(typed)).toEqual({ longitude, latitude });
});

test.each([
  ["7e1", 70],
  ["+72.5", 72.5],
  ["７２．５", 72.5],
  [" 72\u00A0", 72],
  ["7.25e+1", 72.5],
])("parses the number %j in every field", (typed, number) => {
  expect(parseFields(saveProfile.input, { weight: typed, salary: typed })).toMatchObject({
    value: { weight: number, salary: number },
  });
  if (Number.isInteger(number))
    expect(parseFields(saveFilter.input, { search_max_age: typed })).toMatchObject({
      value: { search_max_age: number },
    });
});

test.each(["0x46", "7,5", "Infinity", "1e", "7 0", "1e999", "七十"])("rejects %j as a number", (typed) => {
  expect(errorsOf({ weight: typed, search_min_age: typed })).toMatchObject({
    weight: ["not_a_number"],
    search_min_age: [expect.stringMatching(/not_a_number|whole_number/)],
  });
});

test.each([
  ["Admin-Hanako", false],
  ["xx_ad_min", false],
  ["AlcoveSUPPORT", false],
  ["Login", false],
  ["adm1n-hanako", false],
  ["SUPP0RT_7", false],
  ["adrnin", false],
  ["heIp", false],
  ["0fficial", false],
  ["security_team", false],
  ["help-desk", false],
  ["paypaI", false],
  ["ver1fied", false],
  ["log-in-again", true],
  ["hanako_1983", true],
])("reserves words of the service in user ids: %s", (userId, isFree) => {
  expect(errorsOf({ userId })["user_id"]).toEqual(isFree ? undefined : ["user_id_reserved"]);
});

test.each([
  ["quiet-room7", "Quiet Room", true],
  ["the_QUIETROOM", "Quiet Room", true],
  ["cafe_tokyo", "Café", true],
  ["AIc0ve-team", "Alcove", true],
  ["quiet-r00rn", "Quiet Room", true],
  ["quietly", "Quiet Room", false],
  ["hanako", "静かな部屋", false],
  ["exit", "X", false],
])("finds in %s the name %s: %s", (userId, name, isFound) => {
  expect(hasReservedPart(userId, name)).toBe(isFound);
});

test.each(["userId", "code"])("reads a quarter of a megabyte in %s in less than 20 ms", (name) => {
  const long = "\uFDFA".repeat(80_000);
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    expect(errorsOf({ [name]: long })).toHaveProperty(name === "userId" ? "user_id" : name);
    return performance.now() - start;
  });

  expect(Math.min(...times)).toBeLessThan(20);
});

test("rejects a password that contains the user id in any case", () => {
  const errors = errorsOf({ password: "xxHANAKOxx9", userId: "Hanako" });

  expect(errors["password"]).toEqual(["password_contains_user_id"]);
});

test("reads a choice among numbers from a form", () => {
  const form = { location: "139.7,35.6", radius: "5" };

  expect(parseFields(addHiddenArea.input, form)).toMatchObject({ ok: true, value: { radius: 5 } });
  expect(parseFields(addHiddenArea.input, { ...form, radius: "7" })).toMatchObject({
    errors: { radius: ["unknown_choice"] },
  });
});
