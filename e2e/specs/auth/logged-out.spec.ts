import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { clientOf, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { languages } from "@alcove/i18n";
import { mouse } from "../../actions/input-method.ts";
import { requestCode, logInOnScreen, signUpOnScreen, type NewUser } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

for (const language of languages) {
  test(`somebody signs up on a telephone in ${language}`, async ({ visit, mailbox, server }) => {
    const visitor = await visit({ language, device: "phone" });
    const who: NewUser = {
      userId: `phone-${language}`,
      email: `phone-${language}@example.com`,
      password: "seventeen violet walruses",
      username: "花子 🦊",
      sex: "female",
      description: "静かな夜が**好き**です。",
    };

    await signUpOnScreen(visitor, mouse, mailbox, who);

    const { access } = await clientOf(server.url).ask(logIn, { user_id: who.userId, password: who.password });
    const { user } = await clientOf(server.url, access).ask(getOwnUser, {});
    expect(user).toMatchObject({ username: who.username, description: who.description, icon_process: true });
  });
}

const alertOf = ({ page }: Visitor, text: string) => page.getByRole("alert").filter({ hasText: text });

test("a wrong password is said, what was typed stays, and the right one leads to where one was going", async ({
  visit,
  mailbox,
  server,
}) => {
  const { userId, password } = await signUp(server.url, mailbox, personOf("login-next"));
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);

  await visitor.open(`/login?next=${encodeURIComponent("/ja/setting?from=login")}`);
  await page.getByLabel(t.login.userId).fill(userId.toUpperCase());
  await page.getByLabel(t.login.password, { exact: true }).fill("not this one");
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();

  await expect(alertOf(visitor, t.errors.wrong_credentials)).toBeVisible();
  await expect(page.getByLabel(t.login.userId)).toHaveValue(userId.toUpperCase());
  await logInOnScreen(visitor, mouse, { userId, password });
  await expect(page).toHaveURL(visitor.url("/setting?from=login"));
});

test("a login never leads to another site", async ({ visit, mailbox, server }) => {
  const member = await signUp(server.url, mailbox, personOf("login-elsewhere"));
  const visitor = await visit();

  await visitor.open(`/login?next=${encodeURIComponent("//evil.example/en")}`);
  await logInOnScreen(visitor, mouse, member);

  await expect(visitor.page).toHaveURL(visitor.url(""));
});

test("the fifth wrong code leads back to the first step, and the misses are shown before", async ({
  visit,
}) => {
  const visitor = await visit();
  const { page, t } = visitor;
  const { signUp: step } = t;

  await visitor.open("/sign-up");
  await page.getByLabel(t.codes.email, { exact: true }).fill("five-misses@example.com");
  await page.getByRole("checkbox", { name: formatText(step.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: formatText(step.agreeTerms) }).check();
  await page.getByRole("button", { name: t.codes.send }).click();
  for (let misses = 1; misses < CODE_MISSES; misses++) {
    await page.getByLabel(t.codes.code).fill("00000");
    await page.getByRole("button", { name: t.codes.confirm }).click();
    await expect(page.getByText(formatText(t.codes.wrong, { misses }))).toBeVisible();
  }
  await page.getByRole("button", { name: t.codes.confirm }).click();

  await expect(alertOf(visitor, t.codes.missedTooOften)).toBeVisible();
  await expect(page.getByRole("heading", { name: step.title })).toBeVisible();
  await expect(page.getByLabel(t.codes.email, { exact: true })).toHaveValue("five-misses@example.com");
});

test("another code can be asked for without typing anything again, and only the newest one counts", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit({ language: "en" });
  const { page, t } = visitor;
  const step = t.signUp;
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, "second-code@example.com");
  const { code: older } = await mailbox.waitForLetter("second-code@example.com");

  await page.getByRole("button", { name: t.codes.another }).click();
  await expect(page.getByText(t.codes.sent)).toBeVisible();
  const { code: newer } = await mailbox.waitForLetter("second-code@example.com", 2);

  await page.getByLabel(t.codes.code).fill(older!);
  await page.getByRole("button", { name: t.codes.confirm }).click();
  await expect(page.getByText(formatText(t.codes.wrong, { misses: 1 }))).toBeVisible();
  await page.getByLabel(t.codes.code).fill(newer!);
  await page.getByRole("button", { name: t.codes.confirm }).click();
  await expect(page.getByRole("heading", { name: step.profileTitle })).toBeVisible();
});

test("what the server refuses is shown at its field, and nothing that was typed is lost", async ({
  visit,
  mailbox,
  server,
}) => {
  await signUp(server.url, mailbox, personOf("taken-name"));
  const visitor = await visit();
  visitor.allowError(/status of 400/);
  const who: NewUser = {
    userId: "TAKEN-name",
    email: "second@example.com",
    password: "seventeen violet walruses",
    username: "Second",
    sex: "male",
    description: "Late, but here.",
  };

  const signingUp = signUpOnScreen(visitor, mouse, mailbox, who).catch(() => null);
  const { page, t } = visitor;
  await expect(page.getByText(t.fields.user_id_taken).first()).toBeVisible({ timeout: 40_000 });
  await expect(page.getByLabel(t.profileForm.description)).toHaveValue(who.description);
  await expect(page.getByLabel(t.signUp.userId)).toBeFocused();
  // What the screen finds by itself is told together with what the server alone can find.
  await page.getByLabel(t.signUp.passwordAgain).fill("something else");
  await page.getByLabel(t.profileForm.dateOfBirth).fill(`${new Date().getFullYear() - 17}-01-01`);
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(alertOf(visitor, t.fields.password_mismatch)).toBeVisible();
  const isFaulty = (label: string, why: string) =>
    expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(why));
  await isFaulty(t.signUp.passwordAgain, t.fields.password_mismatch);
  await isFaulty(t.profileForm.dateOfBirth, t.fields.too_young);
  await isFaulty(t.signUp.userId, t.fields.user_id_taken);
  await page.getByLabel(t.signUp.passwordAgain).fill(who.password);
  await page.getByLabel(t.profileForm.dateOfBirth).fill("1983-05-06");
  await page.getByLabel(t.signUp.userId).fill("second-name");
  await page.getByRole("button", { name: t.signUp.create }).click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await signingUp;
});

test("another language shows the same page with its query, and is remembered at the front door", async ({
  visit,
}) => {
  const visitor = await visit({ language: "en" });
  const { page, t } = visitor;

  await visitor.open("/login?next=%2Fen%2Fdm&a=%E8%8A%B1");
  await page.getByRole("button", { name: t.shell.language }).click();
  await page.getByRole("dialog").getByRole("link", { name: "日本語" }).click();

  await expect(page).toHaveURL(/\/ja\/login\?next=%2Fen%2Fdm&a=%E8%8A%B1$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.goto(new URL("/", page.url()).href);
  await expect(page).toHaveURL(/\/ja$/);
});

test("the front door speaks the browser's language, and a page under an unknown one is served in place in English", async ({
  visit,
}) => {
  const visitor = await visit({ language: "zh-hant" });
  const { page } = visitor;

  await page.goto("/");
  await expect(page).toHaveURL(/\/zh-hant$/);
  await page.goto("/fr/login");

  await expect(page).toHaveURL(/\/fr\/login$/);
  await expect(page.getByRole("button", { name: "Log in", exact: true })).toBeVisible();
});

test("a page that does not exist says so and leads home", async ({ visit }) => {
  const visitor = await visit({ language: "ja" });
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;

  await visitor.open("/no-such-corner");

  await expect(page.getByRole("heading", { name: t.errorScreen.notFound })).toBeVisible();
  await page.getByRole("link", { name: t.errorScreen.home }).click();
  await expect(page).toHaveURL(visitor.url(""));
});

test("a member's page shows the login in place to who is logged out, and itself after", async ({
  visit,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("login-in-place"));
  const visitor = await visit();

  await visitor.open("/setting?a=b");
  await logInOnScreen(visitor, mouse, member);

  await expect(visitor.page).toHaveURL(visitor.url("/setting?a=b"));
  await expect(visitor.page.getByRole("navigation", { name: visitor.t.shell.menu })).toBeVisible();
});

test("Esc pressed twice hides the screen behind something plain, and going back does not show it", async ({
  visit,
}) => {
  const visitor = await visit();
  const { page, t } = visitor;
  await visitor.open("/login");
  await page.getByLabel(t.login.userId).fill("half-typed");

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
  await expect(page.getByLabel(t.login.userId)).toBeHidden();
  await page.getByRole("button", { name: t.privacyScreen.back }).click();

  await expect(page.getByLabel(t.login.userId)).toHaveValue("half-typed");
});

test("where Google is not configured nothing speaks of it", async ({ visit }) => {
  const visitor = await visit();
  const { page, t } = visitor;

  for (const path of ["/login", "/sign-up", "/setting"]) {
    await visitor.open(path);
    await expect(page.getByRole("button").first()).toBeVisible();
    await expect(page.locator("#main")).toBeVisible();
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(page.locator("body")).not.toContainText("Google");
  }
});
