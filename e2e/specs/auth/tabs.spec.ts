import type { Page } from "@playwright/test";
import { getDms, sendDm } from "@alcove/contract/messaging";
import type { SignedUpMember } from "@alcove/test-services/client";
import { message, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { match } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import type { Place } from "../../fixtures/places.ts";
import { expect, type Fixtures, test, type Visitor } from "../../fixtures/test.ts";

let trioCount = 0;

/** Hanako and Jiro, who use one browser, and Taro, who matched with both. */
async function threeMembers(member: Fixtures["member"], at: Place) {
  const suffix = `of-tabs-${++trioCount}`;
  const [hanako, jiro, taro] = await Promise.all([
    member(`hanako-${suffix}`, { at, username: "Hanako" }),
    member(`jiro-${suffix}`, { at, username: "Jiro" }),
    member(`taro-${suffix}`, { at, username: "Taro", sex: "male", isPaid: true }),
  ]);
  await match(hanako, taro);
  await match(jiro, taro);
  return { hanako, jiro, taro };
}

/** Hides storage events from a page, as in a suspended tab. The returned function sends one. */
async function hideStorageEvents(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    addEventListener("storage", (event) => event.isTrusted && event.stopImmediatePropagation());
  });
  return () => page.evaluate(() => void dispatchEvent(new StorageEvent("storage")));
}

async function openTab({ context, url }: Visitor, path: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(url(path));
  return tab;
}

async function logOut({ t }: Visitor, tab: Page): Promise<void> {
  await tab.getByRole("button", { name: t.settings.logout }).click();
  const question = tab.getByRole("dialog", { name: t.settings.confirmLogout });
  await question.getByRole("button", { name: t.settings.logout }).click();
  await expect(tab.getByLabel(t.login.userId)).toBeVisible();
}

async function logIn({ t }: Visitor, tab: Page, { userId, password }: SignedUpMember): Promise<void> {
  await tab.getByLabel(t.login.userId).fill(userId);
  await tab.getByLabel(t.login.password, { exact: true }).fill(password);
  await tab.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(tab.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
}

test("does not send a waiting message as another member who logs in in another tab", async ({
  visit,
  member,
  place,
}) => {
  const { hanako, jiro, taro } = await threeMembers(member, place);
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/net::ERR_FAILED/);
  const sendStorageEvent = await hideStorageEvents(page);
  await page.route(/ws-ticket|dm\/api\/dm$/, (route) => route.abort());
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await sendMessage(visitor, mouse, "Hanako's own words.");
  await expect(page.getByText(t.chat.waiting)).toBeVisible();

  const tab = await openTab(visitor, "/setting");
  await logOut(visitor, tab);
  await logIn(visitor, tab, jiro);
  await page.unrouteAll({ behavior: "wait" });
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  await sendStorageEvent();

  await expect(page.getByText(t.chat.openersHint)).toBeVisible();
  await expect(message(visitor, "Hanako's own words.")).toBeHidden();
  expect((await jiro.call(getDms, { friendId: taro.userId })).dms).toEqual([]);
});

test("shows the new member in all tabs when another member logs in, and nothing of the previous one", async ({
  visit,
  member,
  place,
}) => {
  const { hanako, jiro, taro } = await threeMembers(member, place);
  await hanako.call(sendDm, { receiverId: taro.userId, description: "For Taro alone." });
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);
  const field = page.getByRole("textbox", { name: t.chat.write });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "For Taro alone.")).toBeVisible();
  await field.fill("Half a thou");

  const tab = await openTab(visitor, "/setting/profile");
  const username = tab.getByLabel(t.profileForm.username, { exact: true });
  await expect(username).toHaveValue("Hanako");
  await tab.goto(visitor.url("/setting"));
  await logOut(visitor, tab);
  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText(t.errors.login_required);
  await expect(tab.getByRole("alert")).toHaveCount(0);
  await logIn(visitor, tab, jiro);

  await expect(page.getByText(t.chat.openersHint)).toBeVisible();
  await expect(message(visitor, "For Taro alone.")).toBeHidden();
  await expect(field).toHaveValue("");
  await tab.goto(visitor.url("/setting/profile"));
  await expect(username).toHaveValue("Jiro");
});

test("shows the login when a page returns from the back-forward cache after a logout", async ({
  visit,
  member,
  place,
}) => {
  const { hanako, taro } = await threeMembers(member, place);
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);
  await hideStorageEvents(page);
  await page.route(/ws-ticket/, () => {});
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByText(t.chat.openersHint)).toBeVisible();
  await logOut(visitor, await openTab(visitor, "/setting"));
  await expect(page.getByText(t.chat.openersHint)).toBeVisible();

  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  await expect(page.getByText(t.chat.openersHint)).toBeHidden();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
