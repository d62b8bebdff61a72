import { signUpForm } from "@alcove/test-services/fixtures";
import { mouse } from "../../actions/input-method.ts";
import { logInOnScreen, requireBotCheckOnce, signUpOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

test.use({ botCheck: "altcha" });

test("solves the bot check that a login needs and logs in with the typed password", async ({
  visit,
  mailbox,
}) => {
  const user = signUpForm("checked");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/status of 429/);
  await signUpOnScreen(visitor, mouse, mailbox, user);
  const sent = await requireBotCheckOnce(visitor);
  await visitor.open("/setting");
  const challenge = page.waitForRequest((request) => request.url().includes("/bot-challenge"));

  await logInOnScreen(visitor, mouse, user);

  expect(new URL((await challenge).url()).searchParams.get("user_id")).toBe("checked");
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  expect(sent[1]).toMatchObject({ user_id: "checked", password: user.password });
  const { solution } = JSON.parse(atob(sent[1]!["recaptchaToken"] as string)) as {
    solution: { counter: number };
  };
  expect(solution.counter).toBeGreaterThan(0);
});
