import { expect, onTestFinished, test } from "vitest";
import { register } from "@alcove/contract/accounts";
import { startMailbox } from "@alcove/test-services/mail";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { requestSignUpCodeFor, signUpForm } from "../../testing/sign-up.ts";

test("returns the field's error and stores nothing when one field of a complete form is odd", async () => {
  const mailbox = await startMailbox();
  onTestFinished(() => mailbox.close());
  const service = await serviceForTest({ config: { smtpUrl: mailbox.url } });
  const email = "whole@example.com";
  const code = await requestSignUpCodeFor(service, mailbox, email);
  const good = signUpForm({ email, code });
  const odd: [string, string][] = [
    ["userId", "😀😀😀"],
    ["userId", "ab"],
    ["userId", "a".repeat(31)],
    ["userId", "Admin"],
    ["username", "\u0000"],
    ["username", "\u202E\u200B"],
    ["username", "x".repeat(51)],
    ["username", "   "],
    ["sex", "other"],
    ["date_of_birth", "1983-02-30"],
    ["date_of_birth", "06/05/1983"],
    ["date_of_birth", "２０００-01-01"],
    ["description", "x".repeat(5_001)],
    ["how_long_married", "-1"],
    ["how_long_married", "1e400"],
    ["how_long_married_unit", "decade"],
    ["tall", "5.12"],
    ["tall", "abc"],
    ["weight", "-5"],
    ["salary", "1e30"],
    ["salary_unit", "EUR"],
    ["salary_duration", "hour"],
    ["twitter", "javascript:alert(1)"],
    ["line", "https://user:pass@example.com"],
    ["facebook", "not a url"],
    ["search_sex", "both"],
    ["search_max_range", "501"],
    ["search_min_age", "-1"],
    ["search_max_age", "30.5"],
    ["password", "short"],
    ["password", "😀".repeat(129)],
    ["passwordConfirmation", "other"],
    ["email", "a@b"],
    ["code", " "],
  ];

  for (const [field, value] of odd) {
    const form = new FormData();
    for (const [name, kept] of Object.entries({ ...good, [field]: value })) {
      form.append(name, kept instanceof File ? kept : String(kept ?? ""));
    }
    const response = await service.fetch(`/en${register.path}`, { method: "POST", body: form });
    const body = (await response.json()) as { validation_errors?: Record<string, string[]> };
    const snake = field.replaceAll(/[A-Z]/g, (sentEmail) => `_${sentEmail.toLowerCase()}`);

    expect(response.status, `${field}=${value.slice(0, 40)}`).toBe(400);
    expect(Object.keys(body.validation_errors ?? {}), `${field}=${value.slice(0, 40)}`).toContain(snake);
  }
  for (const table of ["logins", "members", "email_index", "profiles", "media_files"] as const) {
    expect(await service.db.selectFrom(table).select("member_no").execute()).toEqual([]);
  }

  const { user } = await service.call(register, {
    ...good,
    username: "花子 👩🏽‍🦰 العربية",
    description: "𠮷野家で😀\n**bold** <b>",
  });
  expect(user).toMatchObject({ username: "花子 👩🏽‍🦰 العربية", description: "𠮷野家で😀\n**bold** <b>" });
});
