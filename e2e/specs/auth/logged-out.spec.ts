import { keyboard, mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows a wrong password, keeps the user id, and leads to the requested page after the login", async ({
  visit,
  member,
}) => {
  const { userId, password } = await member("login-next");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);

  await visitor.open(`/login?next=${encodeURIComponent("/ja/setting?from=login")}`);
  await page.getByLabel(t.login.userId).fill(userId.toUpperCase());
  await page.getByLabel(t.login.password, { exact: true }).fill("not this one");
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();

  await expect(alertWith(visitor, t.errors.wrong_credentials)).toBeVisible();
  await expect(page.getByLabel(t.login.userId)).toHaveValue(userId.toUpperCase());
  await logInOnScreen(visitor, mouse, { userId, password });
  await expect(page).toHaveURL(visitor.url("/setting?from=login"));
});

test("shows an empty form after a reload in the middle of a login", async ({ visit, member }) => {
  const hanako = await member("reload-login");
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  await visitor.open("/login");
  const userId = page.getByLabel(t.login.userId);
  const password = page.getByLabel(t.login.password, { exact: true });
  await userId.fill(hanako.userId);
  await password.fill("quiet even");

  await page.reload();

  await expect(userId).toHaveValue("");
  await expect(password).toHaveValue("");
  await logInOnScreen(visitor, mouse, hanako);
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeAttached();
});

test("leads a newcomer in, keeps a login that goes offline, and leads a member home from login and sign-up", async ({
  visit,
  member,
}) => {
  const hanako = await member("landing-member");
  const visitor = await visit();
  const { page, t } = visitor;
  const welcome = page.getByRole("heading", { name: t.login.welcomeBack });
  const password = page.getByLabel(t.login.password, { exact: true });
  const menu = page.getByRole("navigation", { name: t.shell.menu });
  await visitor.open("");
  await expect(page.getByText(formatText(t.login.factStatement, { text: "ONLINE SERVICES" }))).toBeVisible();
  await page.getByRole("link", { name: t.login.howItWorks }).click();
  await expect(page.getByRole("heading", { name: t.about.title })).toBeVisible();
  await page.goBack();

  await keyboard.press(page.getByRole("button", { name: t.login.logIn, exact: true }));
  await page.keyboard.press("Enter");
  await expect(page.getByText(t.fields.required)).toHaveCount(2);
  await keyboard.type(page.getByLabel(t.login.userId), hanako.userId);
  await expect(page.getByText(t.fields.required)).toHaveCount(1);
  await keyboard.type(password, hanako.password);
  await visitor.goOffline();
  await page.keyboard.press("Enter");
  await expect(alertWith(visitor, t.errorScreen.offline)).toBeVisible();
  await expect(password).toHaveValue(hanako.password);
  await visitor.goOnline();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();

  for (const path of ["/login", "/sign-up", "/login?from=mail"]) {
    await visitor.open(path);
    await expect(page).toHaveURL(visitor.url(""));
    await expect(menu).toBeVisible();
  }
  await visitor.open("/login?next=/en/setting/filter");
  await expect(page).toHaveURL(visitor.url("/setting/filter"));

  await page.evaluate(() => localStorage.removeItem("session"));
  await visitor.open("");
  await expect(welcome).toBeVisible();
  await expect(password).toBeVisible();
});

test("shows that a page does not exist and leads home", async ({ visit }) => {
  const visitor = await visit({ language: "ja" });
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;

  await visitor.open("/no-such-corner");

  await expect(page.getByRole("heading", { name: t.errorScreen.notFound })).toBeVisible();
  await page.getByRole("link", { name: t.errorScreen.home }).click();
  await expect(page).toHaveURL(visitor.url(""));
});

test("shows the login in place of a member screen, and the screen after the login", async ({
  visit,
  member,
}) => {
  const hanako = await member("login-in-place");
  const visitor = await visit();

  await visitor.open("/setting?a=b");
  await expect(alertWith(visitor, visitor.t.errors.login_required)).toBeVisible();
  await logInOnScreen(visitor, mouse, hanako);

  await expect(visitor.page).toHaveURL(visitor.url("/setting?a=b"));
  await expect(visitor.page.getByRole("navigation", { name: visitor.t.shell.menu })).toBeVisible();
});

test("does not mention Google when Google sign-in is off", async ({ visit }) => {
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
