import type { Page } from "@playwright/test";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { message, sendMessage } from "../../actions/chat-actions.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { expect, test, type Fixtures, type Visitor } from "../../fixtures/test.ts";

// Taro meets two members on one day.
test.use({ freeCards: "100" });

let places = 0;

/** Hanako and Jiro, who use one browser, and Taro, whom both have met. */
async function threeMembers({ server, mailbox }: Pick<Fixtures, "server" | "mailbox">) {
  const name = `tabs-${++places}-${Date.now().toString(36)}`;
  const [hanako, jiro, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf(`${name}-h`, { username: "花子" })),
    signUp(server.url, mailbox, personOf(`${name}-j`, { username: "Jiro" })),
    signUp(server.url, mailbox, personOf(`${name}-t`, { username: "Taro", sex: "male" })),
  ]);
  for (const member of [hanako, jiro, taro])
    await member.ask(saveLocation, { location: `${-170 + 12 * places},-52` });
  for (const member of [hanako, jiro]) {
    await member.ask(likeUser, { likedId: taro.userId });
    await taro.ask(likeUser, { likedId: member.userId });
  }
  return { hanako, jiro, taro };
}

/** Keeps from a page what other tabs store, as a browser does that has put it aside; answers how to tell it. */
async function keepInTheDark(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    addEventListener("storage", (event) => event.isTrusted && event.stopImmediatePropagation());
  });
  return () => page.evaluate(() => void dispatchEvent(new StorageEvent("storage")));
}

/** Another tab of the same browser. */
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

async function logIn({ t }: Visitor, tab: Page, { userId, password }: SignedUp): Promise<void> {
  await tab.getByLabel(t.login.userId).fill(userId);
  await tab.getByLabel(t.login.password, { exact: true }).fill(password);
  await tab.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(tab.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
}

test("what waits to be sent is not sent as somebody else, who has logged in in another tab", async ({
  visit,
  server,
  mailbox,
}) => {
  const { hanako, jiro, taro } = await threeMembers({ server, mailbox });
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/net::ERR_FAILED/);
  const tell = await keepInTheDark(page);
  await page.route(/ws-ticket|dm\/api\/dm$/, (route) => route.abort());
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await sendMessage(visitor, mouse, "Hanako's own words.");
  await expect(page.getByText(t.chat.waiting)).toBeVisible();

  const tab = await openTab(visitor, "/setting");
  await logOut(visitor, tab);
  await logIn(visitor, tab, jiro);
  await page.unrouteAll({ behavior: "wait" });
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  await tell();

  await expect(page.getByText(t.chat.sayHello)).toBeVisible();
  await expect(message(visitor, "Hanako's own words.")).toBeHidden();
  expect((await jiro.ask(getDms, { friendId: taro.userId })).dms).toEqual([]);
});

test("a tab shows nothing of whoever was logged in before", async ({ visit, server, mailbox }) => {
  const { hanako, jiro } = await threeMembers({ server, mailbox });
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);
  await openAsMember(visitor, hanako, "/setting/profile");
  const username = page.getByLabel(t.profileForm.username);
  await expect(username).toHaveValue("花子");

  const tab = await openTab(visitor, "/setting");
  await logOut(visitor, tab);
  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  await logIn(visitor, tab, jiro);

  await expect(username).toHaveValue("Jiro");
});

test("who logs in where somebody else was sees nothing of them, not even for a moment", async ({
  visit,
  server,
  mailbox,
}) => {
  const { hanako, jiro, taro } = await threeMembers({ server, mailbox });
  await hanako.ask(sendDm, { receiverId: taro.userId, description: "For Taro alone." });
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);
  await openAsMember(visitor, hanako, "/dm");
  await expect(page.getByText("For Taro alone.")).toBeVisible();
  await logOut(visitor, await openTab(visitor, "/setting"));
  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  await page.route("**/last-dms", () => {});

  await page.getByLabel(t.login.userId).fill(jiro.userId);
  await page.getByLabel(t.login.password, { exact: true }).fill(jiro.password);
  const list = page.waitForRequest("**/last-dms");
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await list;

  await expect(page.getByText("For Taro alone.")).toBeHidden();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a page that was put aside while its member logged out shows the login when it is taken out again", async ({
  visit,
  server,
  mailbox,
}) => {
  const { hanako, taro } = await threeMembers({ server, mailbox });
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);
  await keepInTheDark(page);
  await page.route(/ws-ticket/, () => {});
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByText(t.chat.sayHello)).toBeVisible();
  await logOut(visitor, await openTab(visitor, "/setting"));
  await expect(page.getByText(t.chat.sayHello)).toBeVisible();

  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  await expect(page.getByText(t.chat.sayHello)).toBeHidden();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a draft that a tab has kept is not there for whoever logs in meanwhile", async ({
  visit,
  server,
  mailbox,
}) => {
  const { hanako, jiro, taro } = await threeMembers({ server, mailbox });
  const visitor = await visit();
  const { page, t } = visitor;
  const field = page.getByRole("textbox", { name: t.chat.write });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await field.fill("Half a thou");
  await page.goto("about:blank");

  const tab = await openTab(visitor, "/setting");
  await logOut(visitor, tab);
  await logIn(visitor, tab, jiro);
  await visitor.open(`/dm/${taro.userId}`);

  await expect(page.getByText(t.chat.sayHello)).toBeVisible();
  await expect(field).toHaveValue("");
});
