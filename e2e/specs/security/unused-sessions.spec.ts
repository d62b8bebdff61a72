import { getOwnUser } from "@alcove/contract/accounts";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

const MINUTE = 60_000;

test("a session that nobody uses ends after the chosen time, with a warning that lets one stay", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("idle-hanako")),
    signUp(server.url, mailbox, personOf("idle-taro", { sex: "male", username: "Idle Taro" })),
  ]);
  const visitor = await visit();
  const { page, t } = visitor;
  await page.clock.install();
  await openAsMember(visitor, hanako, "/setting/privacy");
  await page.getByRole("radio", { name: t.privacy.idle_15 }).check();
  await visitor.open(`/home/${taro.userId}`);
  const warning = page.getByRole("dialog", { name: t.privacy.idleWarning });
  await expect(page.getByRole("heading", { name: "Idle Taro" })).toBeVisible();

  await page.clock.fastForward(13 * MINUTE);
  await page.keyboard.press("Tab"); // somebody is there
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
    .poll(() => hanako.ask(getOwnUser, {}).catch((error: Error) => error.message))
    .toMatch(/401|log/i);
  await logInOnScreen(visitor, mouse, hanako);
  await visitor.open("/login");
  await expect(page.getByText(t.login.endedUnused)).toBeHidden();
});

test("the time counts over tabs and while the browser is closed", async ({ visit, mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("tabs-hanako"));
  const visitor = await visit();
  const { page, t, context } = visitor;
  await context.clock.install();
  await openAsMember(visitor, hanako, "/setting/privacy");
  await page.getByRole("radio", { name: t.privacy.idle_60 }).check();
  const other = await context.newPage();
  await other.goto(visitor.url("/setting"));
  await expect(other.getByRole("heading", { name: t.settings.title })).toBeVisible();

  await context.clock.fastForward(50 * MINUTE);
  await other.keyboard.press("Tab");
  await context.clock.fastForward(50 * MINUTE);
  await expect(page.getByRole("heading", { name: t.privacy.title })).toBeVisible();
  await page.close();
  await other.goto("about:blank");
  await context.clock.fastForward(11 * MINUTE);
  await other.goto(visitor.url("/setting"));

  await expect(other.getByRole("heading", { name: t.login.pitch })).toBeVisible();
  await expect(other.getByText(t.login.endedUnused)).toBeVisible();
  await expect
    .poll(() => hanako.ask(getOwnUser, {}).catch((error: Error) => error.message))
    .toMatch(/401|log/i);
});

/** Whether the page has all that it loads ahead, such a part of a screen among it. */
function hasLoadedAhead(part: string): boolean {
  const loaded = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const ahead = [
    ...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload], link[rel=prefetch]"),
  ];
  return ahead.some(({ href }) => href.includes(part)) && ahead.every(({ href }) => loaded.has(href));
}

test("without a connection the device forgets at once, and the server hears of it later", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("offline-hanako"));
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");
  await expect(page.getByRole("heading", { name: t.settings.title })).toBeVisible();
  await expect.poll(() => page.evaluate(hasLoadedAhead, "/assets/login-")).toBe(true);
  await visitor.goOffline();

  await page.getByRole("button", { name: t.settings.logout }).click();
  await page.getByRole("dialog").getByRole("button", { name: t.settings.logout }).click();
  await expect(page.getByRole("heading", { name: t.login.pitch })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("session"))).toBeNull();
  await hanako.ask(getOwnUser, {});
  await visitor.goOnline();

  await expect
    .poll(() => hanako.ask(getOwnUser, {}).catch((error: Error) => error.message))
    .toMatch(/401|log/i);
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain(hanako.refresh);
});

test("on a shared computer the session is the tab's alone, and ends unused after a quarter of an hour", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("shared-hanako"));
  const visitor = await visit();
  const { page, t, context } = visitor;
  await context.clock.install();
  await visitor.open("/login?next=/en/setting/privacy");
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
  await expect(other.getByRole("heading", { name: t.login.pitch })).toBeVisible();
  await context.clock.fastForward(15 * MINUTE);

  await expect(page.getByText(t.login.endedUnused)).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("session"))).toBeNull();
});
