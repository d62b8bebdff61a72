import type { Page } from "@playwright/test";
import { getDms } from "@alcove/contract/messaging";
import { allTranslations } from "@alcove/i18n/all";
import { sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { match } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { screenScript } from "../../fixtures/scripts.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Everything that a page of this origin can find on the device. */
async function readDevice(page: Page) {
  return page.evaluate(async () => {
    const cached = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) cached.push(new URL(url).pathname);
    const workers = await navigator.serviceWorker.getRegistrations();
    return {
      cached,
      workers: workers.length,
      databases: (await indexedDB.databases()).length,
      browser: Object.keys(localStorage).toSorted(),
      tab: Object.keys(sessionStorage).toSorted(),
      cookie: document.cookie,
    };
  });
}

test("opens without a connection, sends the texts of that time, and keeps nothing personal after the logout", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await Promise.all([member("away-hanako"), member("away-taro", { sex: "male" })]);
  await match(hanako, taro);
  const visitor = await visit({ device: "phone", hasWorker: true });
  visitor.allowError(/status of 401|OfflineError/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByRole("textbox", { name: t.chat.write })).toBeVisible();
  await expect
    .poll(async () => (await readDevice(page)).cached.length, { timeout: 30_000 })
    .toBeGreaterThan(10);
  const { cached } = await readDevice(page);
  expect(cached.filter((path) => path !== "/app-shell" && !path.startsWith("/assets/"))).toEqual([]);

  await visitor.goOffline();
  await sendMessage(visitor, mouse, "Written on the train.");
  await expect(page.getByText(t.chat.waiting)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: t.errorScreen.offline })).toBeVisible();
  await visitor.goOnline();
  await expect
    .poll(async () => (await taro.call(getDms, { friendId: hanako.userId })).dms)
    .toMatchObject([{ description: "Written on the train." }]);
  await expect.poll(async () => (await readDevice(page)).tab).not.toContain("outbox");

  await visitor.open("/setting");
  await page.getByRole("button", { name: t.settings.logout }).click();
  await page
    .getByRole("dialog", { name: t.settings.confirmLogout })
    .getByRole("button", { name: t.settings.logout })
    .click();
  await expect(page.getByLabel(t.login.userId)).toBeVisible();

  await expect
    .poll(async () => readDevice(page))
    .toMatchObject({ cached: [], workers: 0, databases: 0, browser: ["device"], cookie: "" });
  const { tab } = await readDevice(page);
  expect(tab.filter((key) => key !== "react-router-scroll-positions")).toEqual([]);
});

test("opens by its icon without a connection in the member's language, and loads missing screens when it is back", async ({
  visit,
  member,
}) => {
  const hanako = await member("icon-hanako");
  const visitor = await visit({ language: "ja", device: "phone", hasWorker: true });
  visitor.allowError(/./);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await expect
    .poll(async () => (await readDevice(page)).cached.length, { timeout: 30_000 })
    .toBeGreaterThan(10);
  let documents = 0;
  page.on("domcontentloaded", () => documents++);
  const offline = page.getByRole("heading", { name: t.errorScreen.offline });
  const again = page.getByRole("button", { name: t.errorScreen.again });

  await visitor.goOffline();
  await page.goto(new URL("/", visitor.url("")).href);
  await expect(offline).toBeVisible();
  expect(page.url()).toBe(visitor.url(""));
  // Its code was never loaded.
  await visitor.open("/setting/export");
  await expect(offline).toBeVisible();
  documents = 0;
  await again.click();
  await page.getByRole("link", { name: t.shell.messages }).click();
  await expect(page).toHaveURL(visitor.url("/dm"));
  await expect(again).toBeVisible();
  expect(documents).toBe(0);
  await visitor.goOnline();

  await expect(page.getByRole("heading", { name: t.messages.title, level: 1 })).toBeVisible();
  expect(documents).toBe(0);
});

test("imports a screen's code once more when the connection is back after a failure, without a reload", async ({
  visit,
  member,
}) => {
  const visitor = await visit();
  visitor.allowError(/net::ERR_INTERNET_DISCONNECTED/);
  const { page, t } = visitor;
  await openAsMember(visitor, await member("import-hanako"), "/setting");
  let documents = 0;
  page.on("domcontentloaded", () => documents++);
  const script = `**${screenScript("screens/settings/export")}`;
  // The route imports the code, and its loader again.
  await page.route(script, (route) => route.abort("internetdisconnected"), { times: 2 });

  await page.getByRole("link", { name: t.settings.export }).click();

  await expect(page.getByRole("heading", { name: t.settings.export, level: 1 })).toBeVisible();
  expect(documents).toBe(0);
});

test(
  "shows in a known language that there is no connection, where the page's own was never loaded",
  { tag: "@long" },
  async ({ visit, member }) => {
    const hanako = await member("tongue-hanako");
    const visitor = await visit({ language: "en", device: "phone", hasWorker: true });
    visitor.allowError(/./);
    const { page, t } = visitor;
    const ja = allTranslations.ja;
    await openAsMember(visitor, hanako, "/dm");
    await expect
      .poll(async () => (await readDevice(page)).cached.length, { timeout: 30_000 })
      .toBeGreaterThan(10);
    const offline = page.getByRole("heading", { name: t.errorScreen.offline });
    const again = page.getByRole("button", { name: t.errorScreen.again });

    await page.getByRole("button", { name: t.shell.language }).click();
    const japanese = page.getByRole("link", { name: "日本語" });
    await expect(japanese).toBeVisible();
    await visitor.goOffline();
    await japanese.click();
    await expect(offline).toBeVisible();
    await page.goto(visitor.url("/dm").replace("/en/", "/zh-hant/"));
    await expect(offline).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await page.goto(visitor.url("/setting").replace("/en/", "/ja/"));
    let documents = 0;
    page.on("domcontentloaded", () => documents++);
    await again.click();
    await expect(page.getByText(/ [4-8] s$/)).toBeVisible(); // some seconds later
    expect(documents).toBe(0);
    await visitor.goOnline();

    await expect(page.getByRole("heading", { name: ja.settings.title, level: 1 })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  },
);
