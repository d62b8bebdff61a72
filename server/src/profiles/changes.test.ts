import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { InputOf } from "@alcove/contract";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getUser } from "@alcove/contract/discovery";
import { saveProfile } from "@alcove/contract/profiles";
import { serviceForTest } from "../testing/match.ts";
import { memberWithIcon } from "../testing/sample-members.ts";
import { cornersOf, corners, fileOf, plainPicture, quarters } from "../testing/sample-pictures.ts";
import { eventually, expectError, type TestMember, type TestService } from "../testing/test-service.ts";
import { readFiles } from "../testing/data-traces.ts";
import { changeProfile } from "./changes.ts";

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

const own = async (member: TestMember) => (await member.call(getOwnUser, {})).user;
const picture = await quarters().png().toBuffer();

async function kept({ db, dataDir }: TestService): Promise<{ rows: number; files: number }> {
  const rows = await db.selectFrom("media_files").select("media_id").execute();
  const files = (await readFiles(dataDir)).filter(({ name }) => name.includes("/media/"));
  return { rows: rows.length, files: files.length };
}

async function shown(service: TestService, address: string): Promise<Buffer> {
  const response = await service.fetch(address);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const isClear = async (shownPicture: Buffer) =>
  (await cornersOf(shownPicture, 0.48)).join() === corners.join();

test("saves all profile fields and shows them to others at once", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female" });
  const taro = await service.member("taro", { sex: "male" });
  const before = await own(hanako);

  const { user } = await hanako.call(saveProfile, whole);

  expect(user).toEqual({ ...before, ...whole });
  expect(await own(hanako)).toEqual(user);
  expect((await taro.call(getUser, { userId: "hanako" })).user).toMatchObject(whole);
});

test("keeps missing fields and clears empty ones", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { ...whole, at: null });
  const before = await own(hanako);
  const form = new FormData();
  for (const name of ["how_long_married", "tall", "weight", "salary", "purpose", "hobby", "twitter", "line"])
    form.append(name, " ");
  form.append("icon", new File([], ""));
  form.append("icon_process", "");

  await hanako.call(saveProfile, { hobby: "Clocks" });
  expect(await own(hanako)).toEqual({ ...before, hobby: "Clocks" });
  const response = await hanako.fetch("/ja/users/api/user", { method: "PATCH", body: form });

  expect(response.status).toBe(200);
  expect(await own(hanako)).toEqual({
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
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female", at: null });
  const before = await own(hanako);
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
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const before = await own(hanako);
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
  expect(await own(hanako)).toEqual(before);

  const saved = {
    hobby: "Clocks",
    search_min_age: 30,
    search_max_age: 60,
    location: [expect.any(Number), expect.any(Number)],
  };
  expect(await send(form)).toEqual([200, { user: expect.objectContaining(saved) }]);
  expect(await own(hanako)).toMatchObject(saved);

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
  expect(await own(hanako)).toMatchObject(saved);
});

test("changes nothing when the form has no changeable field", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { at: null });
  const user = await own(hanako);

  for (const form of ["", "sex=male&date_of_birth=1990-01-01"]) {
    const response = await hanako.fetch("/en/users/api/user", {
      method: "PATCH",
      body: new URLSearchParams(form),
    });
    expect([response.status, await response.json()]).toEqual([200, { user }]);
  }
});

test("returns all field errors at once and saves nothing", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { ...whole, at: null });
  const before = await own(hanako);
  const invalid = {
    username: " \n ",
    description: "",
    how_long_married: "-1",
    how_long_married_unit: "",
    tall_unit: "ells",
    weight: "heavy",
    weight_unit: "",
    salary: "1e3",
    salary_unit: "EUR",
    salary_duration: "",
    purpose: "a".repeat(501),
    hobby: "a\u202eb",
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
      hobby: ["invalid_characters"],
      twitter: ["url_invalid"],
      instagram: ["url_invalid"],
      facebook: ["url_invalid"],
      line: ["url_invalid"],
      icon_process: ["invalid"],
    },
  });
  expect(await own(hanako)).toEqual(before);
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
    const service = await serviceForTest();
    const hanako = await service.member("hanako", { ...whole, at: null });

    if (problem === null) {
      expect((await hanako.call(saveProfile, options)).user).toMatchObject(options);
    } else {
      const { body } = await expectError(
        hanako.call(saveProfile, { ...options, hobby: "Clocks" }),
        "invalid_input",
      );
      expect(body["validation_errors"]).toEqual({ tall: [problem] });
      expect(await own(hanako)).toMatchObject({ tall: 5.11, tall_unit: "feet inches", hobby: "Kites" });
    }
  });
});

test("returns a height error that depends on the saved unit with all other errors", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { ...whole, at: null });

  const options = { tall: 165, twitter: "javascript:alert(1)" };
  const { body } = await expectError(hanako.call(saveProfile, options), "invalid_input");

  expect(body["validation_errors"]).toEqual({ tall: ["invalid"], twitter: ["url_invalid"] });
});

test("keeps all changes when two devices save at the same time", async () => {
  const service = await serviceForTest();
  const hanako = await memberWithIcon(service, "hanako", picture);

  for (let round = 0; round < 10; round++) {
    const changes: InputOf<typeof saveProfile>[] = [
      { username: `Hanako ${round}` },
      { hobby: `Clocks ${round}` },
      { purpose: `Company ${round}` },
      { weight: 50 + round, weight_unit: "kg" },
      { icon: fileOf(picture), icon_process: false },
    ];
    await Promise.all(changes.map((change) => hanako.call(saveProfile, change)));

    expect(await own(hanako)).toMatchObject({
      username: `Hanako ${round}`,
      hobby: `Clocks ${round}`,
      purpose: `Company ${round}`,
      weight: 50 + round,
    });
  }
});

test("leaves the search row unchanged when the profile changes", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako");
  const rev = async () => (await service.db.selectFrom("profiles").select("rev").executeTakeFirst())?.rev;
  const before = await rev();

  await hanako.call(saveProfile, { hobby: "Clocks" });

  expect(await rev()).toBe(before);
});

describe("icon", () => {
  test("shows a new one at once, and deletes the old file and its URL", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", await plainPicture(300).png().toBuffer());
    const taro = await service.member("taro", { sex: "male" });
    const old = [(await own(hanako)).icon, (await taro.call(getUser, { userId: "hanako" })).user.icon];

    const { user } = await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });

    expect(user.icon_process).toBe(false);
    expect(await cornersOf(await shown(service, user.icon))).toEqual([...corners]);
    const seen = await taro.call(getUser, { userId: "hanako" });
    expect(await cornersOf(await shown(service, seen.user.icon))).toEqual([...corners]);
    for (const address of old) expect((await service.fetch(address)).status).toBe(404);
    await eventually(async () => expect(await kept(service)).toEqual({ rows: 1, files: 1 }));
  });

  test("processes a clear one on request and deletes the clear file", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", picture);
    const before = await own(hanako);

    const { user } = await hanako.call(saveProfile, { icon_process: true });

    expect(user).toEqual({ ...before, icon: user.icon, icon_process: true });
    expect((await service.fetch(before.icon)).status).toBe(404);
    expect(await isClear(await shown(service, user.icon))).toBe(false);
    await eventually(async () => expect(await kept(service)).toEqual({ rows: 1, files: 1 }));
  });

  test("keeps a processed one processed until another is uploaded", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", picture, { iconProcess: true });
    const before = await own(hanako);

    for (const icon_process of [false, true, null])
      expect((await hanako.call(saveProfile, { icon_process })).user).toEqual(before);
    // A missing field means no clear picture.
    const silent = await hanako.call(saveProfile, { icon: fileOf(picture) });
    expect(silent.user.icon_process).toBe(true);
    const clear = await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });

    expect(clear.user.icon_process).toBe(false);
    expect(await isClear(await shown(service, clear.user.icon))).toBe(true);
  });

  test("accepts a first one and stays without one otherwise", async () => {
    const service = await serviceForTest();
    const hanako = await service.member("hanako", { at: null });
    await service.db.updateTable("profiles").set({ icon_process: false }).execute();

    const without = await hanako.call(saveProfile, { icon_process: true });
    expect(without.user).toMatchObject({ icon: "/media/default-icon.svg", icon_process: true });
    const { user } = await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: true });

    const { width } = await sharp(await shown(service, user.icon)).metadata();
    expect(width).toBe(720);
  });

  test("rejects an invalid picture with all other field errors", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", picture);
    const before = await own(hanako);

    const { body } = await expectError(
      hanako.call(saveProfile, { icon: fileOf("<svg onload=alert(1)>"), hobby: "Clocks" }),
      "not_an_image",
    );

    expect(body["validation_errors"]).toEqual({ icon: ["not_an_image"] });
    expect(await own(hanako)).toEqual(before);
    expect(await kept(service)).toEqual({ rows: 1, files: 1 });
  });

  test("keeps no picture of a rejected form", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", picture, { tall: 165, tall_unit: "cm" });

    await expectError(
      hanako.call(saveProfile, { icon: fileOf(picture), tall_unit: "feet inches" }),
      "invalid_input",
    );

    expect(await kept(service)).toEqual({ rows: 1, files: 1 });
  });

  test("keeps one picture, the one in the profile, when many changes arrive at the same time", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", picture);

    for (let round = 0; round < 5; round++) {
      await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });
      await Promise.all([
        hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false }),
        hanako.call(saveProfile, { icon_process: true }),
        hanako.call(saveProfile, { icon: fileOf(picture) }),
        hanako.call(saveProfile, { icon_process: true }),
      ]);

      const { icon, icon_process } = await own(hanako);
      expect(await isClear(await shown(service, icon))).toBe(!icon_process);
      await eventually(async () => expect(await kept(service)).toEqual({ rows: 1, files: 1 }));
    }
  });

  test("keeps a new one that arrives while the old one is being processed", async () => {
    const service = await serviceForTest();
    const hanako = await memberWithIcon(service, "hanako", picture);
    const red = fileOf(await plainPicture(300).png().toBuffer());
    const [ofRed] = await cornersOf(await plainPicture(300).png().toBuffer());

    for (let round = 0; round < 5; round++) {
      await hanako.call(saveProfile, { icon: fileOf(picture), icon_process: false });
      await Promise.all([
        ...Array.from({ length: 3 }, () => hanako.call(saveProfile, { icon_process: true })),
        hanako.call(saveProfile, { icon: red, icon_process: false }),
      ]);

      const [shownCorner] = await cornersOf(await shown(service, (await own(hanako)).icon));
      expect(shownCorner).not.toBe(corners[0]);
      const differences = shownCorner!
        .split(",")
        .map((value, i) => Math.abs(Number(value) - Number(ofRed!.split(",")[i])));
      expect(Math.max(...differences)).toBeLessThan(8);
    }
  });

  test("keeps no picture and returns no unexpected error when the member is deleted during the change", async () => {
    const service = await serviceForTest();

    for (let round = 0; round < 8; round++) {
      const hanako = await memberWithIcon(service, `hanako${round}`, picture);
      const changes = Array.from({ length: 8 }, (_, i) =>
        hanako.call(saveProfile, i % 4 === 3 ? { hobby: "Clocks" } : { icon: fileOf(picture) }),
      );
      await Promise.race(changes);
      await hanako.call(deleteAccount, {});

      for (const outcome of await Promise.allSettled(changes))
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 401 });
      await expect(changeProfile(service.ctx, hanako, { hobby: "Masks" })).rejects.toMatchObject({
        code: "login_required",
      });
    }
    await eventually(async () => expect(await kept(service)).toEqual({ rows: 0, files: 0 }));
  });
});

test("rejects a logged-out visitor", async () => {
  const service = await serviceForTest();
  await expectError(service.call(saveProfile, { hobby: "Masks" }), "login_required");
});
