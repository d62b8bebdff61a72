import { keyboard, mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows an empty form after a reload, a wrong password with the user id kept, and leads to the requested page after the login", async ({
  visit,
  member,
}) => {
  const { userId, password } = await member("login-next");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);

  await visitor.open(`/login?next=${encodeURIComponent("/ja/setting?from=login")}`);
  await page.getByLabel(t.login.userId).fill(userId);
  await page.getByLabel(t.login.password, { exact: true }).fill("quiet even");
  await page.reload();
  for (const name of [t.login.userId, t.login.password])
    await expect(page.getByLabel(name, { exact: true })).toHaveValue("");
  await page.getByLabel(t.login.userId).fill(userId.toUpperCase());
  await page.getByLabel(t.login.password, { exact: true }).fill("not this one");
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();

  await expect(alertWith(visitor, t.errors.wrong_credentials)).toBeVisible();
  await expect(page.getByLabel(t.login.userId)).toHaveValue(userId.toUpperCase());
  await logInOnScreen(visitor, mouse, { userId, password });
  await expect(page).toHaveURL(visitor.url("/setting?from=login"));
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
  await expect(page.getByRole("heading", { name: t.howItWorks.title })).toBeVisible();
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
