import { afterAll, expect, test } from "vitest";
import { checkSignUpCode, getOwnUser, logIn, register, requestSignUpCode } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { startMailbox } from "@alcove/test-services/mail";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError } from "../../testing/test-service.ts";
import { agreed, requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";
import { findMemberId } from "../../members/find-member.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.close());
const smtp = { config: { smtpUrl: mailbox.url } };

test("signs up with the code of an email and logs in", async () => {
  const service = await serviceForTest(smtp);

  const code = await requestSignUpCodeFor(service, mailbox, "hanako@example.com");
  const isRight = await service.call(checkSignUpCode, { email: "hanako@example.com", code });
  const chosen = { tall: 5.04, tall_unit: "feet inches", search_sex: "male" } as const;
  const form = signUpForm({ email: "hanako@example.com", code, ...chosen });
  const { user } = await service.call(register, form, "ja");
  const { access } = await service.call(logIn, { user_id: "HANAKO", password: "quiet-evenings-7" });

  expect(isRight).toBe(true);
  expect(user).toMatchObject({
    user_id: "hanako",
    email: "hanako@example.com",
    tall: 5.04,
    status: "free",
    location: null,
  });
  const response = await service.fetch("/ja/users/api/user", {
    headers: { authorization: `Bearer ${access}` },
  });
  expect(await response.json()).toMatchObject({
    user: { user_id: "hanako", search_sex: "male", search_max_age: 120 },
  });
  const icon = await service.fetch(user.icon);
  expect(icon.headers.get("content-type")).toMatch(/^image\//);
});

test("responds with 201 in the last step", async () => {
  const service = await serviceForTest(smtp);
  const code = await requestSignUpCodeFor(service, mailbox, "created@example.com");

  const form = new FormData();
  for (const [name, value] of Object.entries(signUpForm({ email: "created@example.com", code }))) {
    form.append(name, value instanceof File ? value : String(value ?? ""));
  }
  const response = await service.fetch("/en/users/api/user", { method: "POST", body: form });

  expect(response.status).toBe(201);
});

test("treats an address as the same in any spelling", async () => {
  const service = await serviceForTest(smtp);
  const code = await requestSignUpCodeFor(service, mailbox, "Case@Example.com");

  const isRight = await service.call(checkSignUpCode, { email: "case@EXAMPLE.com", code });
  await service.call(register, signUpForm({ email: "cASE@example.com", code }));

  expect(isRight).toBe(true);
  await service.call(requestSignUpCode, { email: "CASE@example.COM", ...agreed });
  expect((await mailbox.waitForEmail("CASE@example.COM", 2)).code).toBeNull();

  const other = await requestSignUpCodeFor(service, mailbox, "case@exämple.com");
  expect(await service.call(checkSignUpCode, { email: "case@xn--exmple-cua.com", code: other })).toBe(true);
});

test("stores the inviter in upper or lower case, and drops an unknown one", async () => {
  const service = await serviceForTest(smtp);
  const inviter = await service.member("inviter", { at: null });
  const invitedBy = async (userId: string, invited_by_user_id: string) => {
    const email = `${userId}@example.com`;
    const code = await requestSignUpCodeFor(service, mailbox, email);
    await service.call(register, signUpForm({ email, code, userId, invited_by_user_id }));
    return service.db
      .selectFrom("members")
      .select("invited_by")
      .where("member_no", "=", (await findMemberId(service.ctx, userId))!)
      .executeTakeFirstOrThrow();
  };

  expect(await invitedBy("invited", "INVITER")).toEqual({ invited_by: inviter.memberId });
  expect(await invitedBy("uninvited", "nobody\u0000'--")).toEqual({ invited_by: null });
});

test("rejects a person who turns 18 tomorrow and keeps the code valid for the right date", async () => {
  const service = await serviceForTest(smtp);
  service.clock.set("2026-05-05T23:00:00Z");
  const code = await requestSignUpCodeFor(service, mailbox, "young@example.com");
  const email = "young@example.com";

  const young = await expectError(
    service.call(register, signUpForm({ email, code, date_of_birth: "2008-05-06" })),
    "invalid_input",
  );
  const old = await expectError(
    service.call(register, signUpForm({ email, code, date_of_birth: "1885-05-05" })),
    "invalid_input",
  );
  await service.call(register, signUpForm({ email, code, date_of_birth: "2008-05-05" }));

  expect(young.body["validation_errors"]).toEqual({ date_of_birth: ["too_young"] });
  expect(old.body["validation_errors"]).toEqual({ date_of_birth: ["too_old"] });
});

test("returns all field errors at once, under snake case names", async () => {
  const service = await serviceForTest(smtp);
  await service.member("taken", { at: null });
  const email = "faults@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);

  const known = await expectError(
    service.call(
      register,
      signUpForm({ email, code, userId: "TAKEN", password: "Taken-12345", date_of_birth: "2020-01-01" }),
    ),
    "invalid_input",
  );
  const worst = await expectError(
    service.call(register, signUpForm({ email, code, password: "Password123", username: "Alcove Support" })),
    "invalid_input",
  );

  expect(known.body["validation_errors"]).toEqual({
    user_id: ["user_id_taken"],
    password: ["password_contains_user_id"],
    date_of_birth: ["too_young"],
  });
  expect(worst.body["validation_errors"]).toEqual({
    password: ["password_common"],
    username: ["username_reserved"],
  });
  expect(await service.call(checkSignUpCode, { email, code })).toBe(true);
});

test("returns every message of each field, so that a common password hides no taken user id", async () => {
  const service = await serviceForTest(smtp);
  for (const userId of ["taken", "password123"]) await service.member(userId, { at: null });
  const email = "messages@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const errorsOf = async (form: object) =>
    (await expectError(service.call(register, { ...signUpForm({ email, code }), ...form }), "invalid_input"))
      .body["validation_errors"];
  const both = (password: string) => ({ password, passwordConfirmation: password });

  expect(await errorsOf({ userId: "Taken", ...both("Password123") })).toEqual({
    user_id: ["user_id_taken"],
    password: ["password_common"],
  });
  expect(await errorsOf({ userId: "password123", ...both("Password123") })).toEqual({
    user_id: ["user_id_taken"],
    password: ["password_contains_user_id", "password_common"],
  });
  expect(await errorsOf({ userId: "TAKEN", date_of_birth: "2020-01-01" })).toEqual({
    user_id: ["user_id_taken"],
    date_of_birth: ["too_young"],
  });
  expect(await errorsOf({ userId: "taken", username: "Alcove Support" })).toEqual({
    user_id: ["user_id_taken"],
    username: ["username_reserved"],
  });
  expect(await errorsOf({ userId: "a!", ...both("qwerty12") })).toEqual({
    user_id: ["user_id_characters", "user_id_length"],
    password: ["password_common"],
  });
  expect(await service.call(checkSignUpCode, { email, code })).toBe(true);
});

test("returns all errors of an incomplete form, a taken user id only with a right code, and keeps the code valid", async () => {
  const service = await serviceForTest(smtp);
  await service.member("taken", { at: null });
  const email = "rounds@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const invalid = {
    userId: "TAKEN",
    password: "Taken-12345",
    passwordConfirmation: "something else",
    date_of_birth: "2020-01-01",
    tall: 5.12,
    tall_unit: "feet inches",
    twitter: "javascript:alert(1)",
    search_min_age: 30.5,
    search_max_age: 20,
    search_min_range: 50,
    search_max_range: 20,
    icon: undefined,
  };

  const errorsWith = async (form: Record<string, unknown>) =>
    (await expectError(service.call(register, form as never), "invalid_input")).body["validation_errors"];
  for (let i = 0; i <= CODE_MISSES; i++) {
    expect(await errorsWith(signUpForm({ email, code, ...(invalid as object) }))).toEqual({
      user_id: ["user_id_taken"],
      password: ["password_contains_user_id"],
      password_confirmation: ["password_mismatch"],
      date_of_birth: ["too_young"],
      tall: ["inches_too_big"],
      twitter: ["url_invalid"],
      search_min_age: ["whole_number"],
      search_max_age: ["range_reversed"],
      search_max_range: ["range_reversed"],
      icon: ["icon_required"],
    });
  }

  expect(await errorsWith({ ...signUpForm({ email, code: "00000000" }), ...invalid })).toEqual({
    code: ["code_wrong"],
  });
  expect(await errorsWith({ email, code, userId: "spare" })).not.toHaveProperty("user_id");
  expect(await errorsWith(signUpForm({ email, code, userId: "TAKEN" }))).toEqual({
    user_id: ["user_id_taken"],
  });
  await service.call(register, signUpForm({ email, code }));
});

test("rejects an invalid picture, stores nothing and keeps the code valid", async () => {
  const service = await serviceForTest(smtp);
  const email = "picture@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], "icon.png");

  await expectError(service.call(register, signUpForm({ email, code, icon: svg })), "not_an_image");
  expect(await service.db.selectFrom("members").selectAll().execute()).toEqual([]);
  expect(await service.db.selectFrom("logins").selectAll().execute()).toEqual([]);
  await service.call(register, signUpForm({ email, code }));
});

test("keeps a clear picture only beside a processed one, and only on request", async () => {
  const service = await serviceForTest(smtp);
  const options = [
    { icon_process: true, keep_clear_icon: true },
    { icon_process: true },
    { icon_process: false, keep_clear_icon: true },
  ];

  const kept: boolean[] = [];
  for (const [i, option] of options.entries()) {
    const email = `clear${i}@example.com`;
    const code = await requestSignUpCodeFor(service, mailbox, email);
    const { user } = await service.call(
      register,
      signUpForm({ email, code, userId: `clear${i}`, ...option }),
    );
    kept.push(user.clear_icon !== null);
  }

  expect(kept).toEqual([true, false, false]);
});

test("creates one member when many sign-ups use one code at the same time", async () => {
  const service = await serviceForTest(smtp);
  const email = "once@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);

  const forms = Array.from({ length: 8 }, (_, i) => signUpForm({ email, code, userId: `once${i}` }));
  const outcomes = await Promise.allSettled(forms.map((form) => service.call(register, form)));

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const table of ["members", "logins", "email_index", "profiles"] as const) {
    expect(await service.db.selectFrom(table).select("member_no").execute()).toHaveLength(1);
  }
  expect(await service.call(checkSignUpCode, { email, code })).toBe(false);
});

test("creates one member when many request one user id at the same time in upper or lower case", async () => {
  const service = await serviceForTest(smtp);
  const emails = Array.from({ length: 8 }, (_, i) => `same${i}@example.com`);
  const codes = await Promise.all(emails.map((email) => requestSignUpCodeFor(service, mailbox, email)));

  const outcomes = await Promise.allSettled(
    emails.map((email, i) =>
      service.call(register, signUpForm({ email, code: codes[i]!, userId: i % 2 ? "wanted" : "WANTED" })),
    ),
  );

  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await service.db.selectFrom("members").select("member_no").execute()).toHaveLength(1);
  const losers = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(losers.every(({ reason }) => JSON.stringify(reason.body).includes("user_id_taken"))).toBe(true);
  expect(
    (await service.db.selectFrom("codes").selectAll().where("network_misses", "=", 0).execute()).length,
  ).toBe(7);
});

test("returns the missing agreements or the malformed address with status 200 in the first step", async () => {
  const service = await serviceForTest(smtp);
  const first = async (fields: Record<string, string>, language = "en") => {
    const response = await service.fetch(`/${language}/users/api/user`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    return { status: response.status, ...((await response.json()) as { error_message?: string }) };
  };

  expect(await first({ email: "a@example.com", agree_tos: "yes" })).toEqual({
    status: 200,
    error_message: "Please agree to the privacy policy and the terms.",
  });
  expect(await first({ email: "no address", ...agreed }, "ja")).toEqual({
    status: 200,
    error_message: "有効なメールアドレスを入力してください。",
  });
  expect(await first({ ...agreed })).toEqual({ status: 200, error_message: "Please fill this in." });
  expect(await first({ email: "a@example.com", ...agreed })).toEqual({ status: 200 });
});

test("stores an Argon2id hash of the password and a digest of the address", async () => {
  const service = await serviceForTest(smtp);
  const member = await service.member("kept", { at: null, password: "quiet-evenings-7" });

  const row = await service.db.selectFrom("members").selectAll().executeTakeFirstOrThrow();
  expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await member.call(getOwnUser, {})).user.email).toBe("kept@example.com");
});
