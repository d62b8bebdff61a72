import fc from "fast-check";
import { expect, test } from "vitest";
import { register, requestSignUpCode } from "./accounts.ts";
import { sendDm } from "./messaging.ts";
import { saveFilter, saveProfile } from "./profiles.ts";
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

test.each(["\u200B\u200B", "\u3164", "\u2800", " \u00AD\u2060 ", "\uFE0F", "\u{E0041}"])(
  "rejects a name of invisible characters: %j",
  (invisible) => {
    const errors = errorsOf({ username: invisible, description: invisible, hobby: invisible });

    expect(errors).toMatchObject({ username: ["required"], description: ["required"], hobby: ["required"] });
    expect(errorsOf({ username: `${invisible}花\u200B子` })["username"]).toBeUndefined();
    expect(errorsOf({ username: "👩🏽‍🦰" })["username"]).toBeUndefined();
  },
);

test.each(["\u0000<script>", "a\u202Egnp.exe", "\uD800"])(
  "rejects the control characters of %j in every text of a profile",
  (text) => {
    const form = { username: text, description: text, purpose: text, hobby: text };

    const result = parseFields(saveProfile.input, form);

    expect(result.ok ? [] : Object.keys(result.errors)).toEqual(Object.keys(form));
  },
);

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
  expect(fits("half a pair \uD83C")).toBe(false);
  expect(fits("turned \u202E around")).toBe(false);
  expect(fits("nul \u0000")).toBe(false);
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
  for (const invalid of ["", "139", "35.6,139.7,1", "181,0", "0,91", "NaN,0", "1e2,0", "a,b", "0x10,0"]) {
    expect(parseLocation(invalid)).toBeNull();
  }
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
