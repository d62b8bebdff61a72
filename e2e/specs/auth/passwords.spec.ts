import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { clientOf, Refused, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember } from "../../actions/open-as-member.ts";
import { keyboard, mouse, type InputMethod } from "../../actions/input-method.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const NEW = "eighteen yellow herons";
const alertOf = ({ page }: Visitor, text: string) => page.getByRole("alert").filter({ hasText: text });

/** From the login to the code, which is on its way then. */
async function askForReset(visitor: Visitor, input: InputMethod, email: string): Promise<void> {
  const { page, t } = visitor;
  await visitor.open("/login");
  await input.press(page.getByRole("link", { name: t.login.forgot }));
  await expect(page.getByRole("heading", { name: t.passwords.resetTitle })).toBeVisible();
  await input.type(page.getByLabel(t.codes.email, { exact: true }), email);
  await input.press(page.getByRole("button", { name: t.codes.send }));
  await expect(page.getByRole("heading", { name: t.codes.title })).toBeVisible();
}

test("a forgotten password is set anew with the keys alone in Japanese, after five misses and a fresh start", async ({
  visit,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("forgetful"));
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  const { passwords, codes } = t;
  const codeField = page.getByLabel(codes.code);
  const confirm = page.getByRole("button", { name: codes.confirm });

  await askForReset(visitor, keyboard, member.email);
  await expect(page.getByText(formatText(codes.wrong, { misses: 0 }))).toBeHidden();
  await keyboard.type(codeField, "00000");
  for (let misses = 1; misses < CODE_MISSES; misses++) {
    await keyboard.press(confirm);
    await expect(page.getByText(formatText(codes.wrong, { misses }))).toBeVisible();
  }
  await keyboard.press(confirm);
  await expect(alertOf(visitor, codes.missedTooOften)).toBeVisible();
  await expect(page.getByRole("heading", { name: passwords.resetTitle })).toBeVisible();
  await expect(page.getByLabel(codes.email, { exact: true })).toBeFocused();
  await expect(page.getByLabel(codes.email, { exact: true })).toHaveValue(member.email);

  await keyboard.press(page.getByRole("button", { name: codes.send }));
  // The first letter of all had the code to sign up, the second one that is over.
  const { code } = await mailbox.waitForLetter(member.email, 3);
  await keyboard.type(codeField, code!);
  await keyboard.press(confirm);
  await expect(page.getByRole("heading", { name: passwords.newTitle })).toBeVisible();
  const first = page.getByLabel(passwords.newPassword, { exact: true });
  const again = page.getByLabel(passwords.newPasswordAgain);
  await expect(first).toBeFocused();
  await keyboard.type(first, NEW);
  await keyboard.type(again, "something else");
  await keyboard.press(page.getByRole("button", { name: passwords.save }));
  await expect(alertOf(visitor, t.fields.passwords_differ)).toBeVisible();
  await expect(again).toBeFocused();
  await expect(again).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Control+A");
  await keyboard.type(again, NEW);
  await keyboard.press(page.getByRole("button", { name: passwords.save }));

  await expect(page.getByText(passwords.resetDone)).toBeVisible();
  await expect(page).toHaveURL(visitor.url(""));
  await logInOnScreen(visitor, keyboard, { userId: member.userId, password: NEW });
  const old = clientOf(server.url).ask(logIn, { user_id: member.userId, password: member.password });
  await expect(old).rejects.toBeInstanceOf(Refused);
});

test("who had no account reads the same on the screen as who has one", async ({ visit, mailbox }) => {
  const visitor = await visit();

  await askForReset(visitor, mouse, "nobody-resets@example.com");

  expect((await mailbox.waitForLetter("nobody-resets@example.com")).code).toBeNull();
});

test("a throwaway address is told at its field while signing up", async ({ visit }) => {
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  await visitor.open("/sign-up");

  await page.getByLabel(t.codes.email, { exact: true }).fill("somebody@mailinator.com");
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreeTerms) }).check();
  await page.getByRole("button", { name: t.codes.send }).click();

  await expect(alertOf(visitor, t.fields.email_disposable)).toBeVisible();
  await expect(page.getByLabel(t.codes.email, { exact: true })).toHaveAttribute("aria-invalid", "true");
});

test("a changed password logs the other device out, and this one goes on", async ({
  visit,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("changes"));
  const { userId, password } = member;
  const [here, there] = await Promise.all([visit(), visit({ language: "ja", device: "phone" })]);
  there.allowError(/status of 401/);
  const { page, t } = here;
  const { passwords } = t;
  await openAsMember(
    here,
    { ...member, ...(await clientOf(server.url).ask(logIn, { user_id: userId, password })) },
    "/setting",
  );
  await openAsMember(there, member, "/setting");
  await expect(there.page.getByRole("button", { name: there.t.settings.logout })).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") asked.push(request.url());
  });

  await page.getByRole("link", { name: t.settings.password, exact: true }).click();
  const current = page.getByLabel(passwords.current);
  const first = page.getByLabel(passwords.newPassword, { exact: true });
  const again = page.getByLabel(passwords.newPasswordAgain);
  const change = page.getByRole("button", { name: passwords.change });
  await current.fill("not this one");
  await first.fill("Passw0rd123");
  await again.fill("something else");
  await change.click();
  await expect(first).toHaveAccessibleDescription(new RegExp(t.fields.password_common));
  await expect(again).toHaveAccessibleDescription(new RegExp(t.fields.confirmation_differs));
  await first.fill(NEW);
  await change.click();
  await expect(alertOf(here, "Password confirmation does not match")).toBeVisible();
  expect(await page.getByRole("alert").count()).toBe(1); // what was wrong before is not any more
  await expect(again).toBeFocused();
  expect(asked).toEqual([]);
  await again.fill(NEW);
  await change.click();
  await expect(alertOf(here, "Password is incorrect")).toBeVisible();
  expect(await page.getByRole("alert").count()).toBe(1);
  await expect(current).toBeFocused();
  await current.fill(password);
  await change.click();

  await expect(page.getByText(passwords.changed)).toBeVisible();
  await expect(current).toHaveValue("");
  await expect(there.page.getByRole("button", { name: there.t.login.logIn, exact: true })).toBeVisible();
  await page.getByRole("link", { name: t.settings.filter }).click();
  await expect(page.getByRole("heading", { name: t.settings.filter })).toBeVisible();
  const { access } = await clientOf(server.url).ask(logIn, { user_id: userId, password: NEW });
  expect((await clientOf(server.url, access).ask(getOwnUser, {})).user.user_id).toBe(userId);
});
