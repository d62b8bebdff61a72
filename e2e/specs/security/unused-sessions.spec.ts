import { getOwnUser } from "@alcove/contract/accounts";
import { mouse } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { screenScript, scriptWith } from "../../fixtures/scripts.ts";
import { expect, test } from "../../fixtures/test.ts";

const MINUTE = 60_000;

test("ends an unused session after the chosen time, with a warning before", async ({ visit, member }) => {
  const [hanako, taro] = await Promise.all([
    member("idle-hanako"),
    member("idle-taro", { sex: "male", username: "Idle Taro" }),
  ]);
  const visitor = await visit();
  // The jump of the clock makes the socket open again, maybe after the session has ended.
  visitor.allowError(/status of 401.*\/ws-ticket/);
  const { page, t } = visitor;
  await page.clock.install();
  await openAsMember(visitor, hanako, "/setting/device");
  await page.getByRole("radio", { name: t.privacy.idle_15 }).check();
  await visitor.open(`/home/${taro.userId}`);
  const warning = page.getByRole("dialog", { name: t.privacy.idleWarning });
  await expect(page.getByRole("heading", { name: "Idle Taro" })).toBeVisible();

  await page.clock.fastForward(13 * MINUTE);
  await page.keyboard.press("Tab"); // the member is active
  await page.clock.fastForward(13 * MINUTE);
  await expect(page.getByRole("heading", { name: "Idle Taro" })).toBeVisible();
  await expect(warning).toBeHidden();
  await page.clock.fastForward(MINUTE);
  await expect(warning).toBeVisible();
  await warning.getByRole("button", { name: t.privacy.stay }).click();
  await expect(warning).toBeHidden();
  await page.clock.fastForward(13 * MINUTE);
  await expect(page.getByRole("heading", { name: "Idle Taro" })).toBeVisible();
  await page.clock.fastForward(2 * MINUTE);

  await expect(page).toHaveURL(visitor.url("/login"));
  await expect(page.getByText(t.login.endedUnused)).toBeVisible();
  await expect(page.getByText("Idle Taro")).toHaveCount(0);
  await expect
    .poll(() => hanako.call(getOwnUser, {}).catch((error: Error) => error.message))
    .toMatch(/401|log/i);
  await logInOnScreen(visitor, mouse, hanako);
  await visitor.open("/login");
  await expect(page.getByText(t.login.endedUnused)).toBeHidden();
});

/** Whether the page has loaded all preloads, including a given file. */
function hasPreloaded(file: string): boolean {
  const loaded = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const preloads = [
    ...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload], link[rel=prefetch]"),
  ];
  return preloads.some(({ href }) => href.includes(file)) && preloads.every(({ href }) => loaded.has(href));
}

const hasLoaded = (file: string) =>
  performance.getEntriesByType("resource").some(({ name }) => name.endsWith(file));

test("clears the device at once when logging out offline, and logs out at the server later", async ({
  visit,
  member,
}) => {
  const hanako = await member("offline-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");
  await expect(page.getByRole("heading", { name: t.settings.profile })).toBeVisible();
  await expect.poll(() => page.evaluate(hasPreloaded, screenScript("screens/login/login"))).toBe(true);
  const dialogs = scriptWith("--nested-dialogs");
  await expect.poll(() => page.evaluate(hasLoaded, dialogs)).toBe(true);
  await page.evaluate(async (file) => void (await import(file)), dialogs); // also the files that it imports
  await visitor.goOffline();

  await page.getByRole("button", { name: t.settings.logout }).click();
  await page.getByRole("dialog").getByRole("button", { name: t.settings.logout }).click();
  await expect(page.getByRole("heading", { name: t.login.welcomeBack })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("session"))).toBeNull();
  await hanako.call(getOwnUser, {});
  await visitor.goOnline();

  await expect
    .poll(() => hanako.call(getOwnUser, {}).catch((error: Error) => error.message))
    .toMatch(/401|log/i);
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain(hanako.refresh);
});

test("limits the session on a shared computer to the tab and to 15 unused minutes", async ({
  visit,
  member,
}) => {
  const hanako = await member("shared-hanako");
  const visitor = await visit();
  const { page, t, context } = visitor;
  await context.clock.install();
  await visitor.open("/login?next=/en/setting/device");
  await page.getByRole("checkbox", { name: t.login.shared }).check();
  await page.getByLabel(t.login.userId).fill(hanako.userId);
  await page.getByLabel(t.login.password, { exact: true }).fill(hanako.password);
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(page.getByText(t.privacy.idleShared)).toBeVisible();

  await page.reload();
  await expect(page.getByText(t.privacy.idleShared)).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const other = await context.newPage();
  await other.goto(visitor.url("/setting"));
  await expect(other.getByRole("heading", { name: t.login.welcomeBack })).toBeVisible();
  await context.clock.fastForward(15 * MINUTE);

  await expect(page.getByText(t.login.endedUnused)).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("session"))).toBeNull();
});
