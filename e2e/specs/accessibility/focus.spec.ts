import type { Page } from "@playwright/test";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { match } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Counts how often a heading gets the focus, which a screen reader announces. */
async function countHeadingFocus(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset["focusCount"] = "0";
    addEventListener("focusin", ({ target }) => {
      const { dataset } = document.documentElement;
      if (target instanceof HTMLHeadingElement)
        dataset["focusCount"] = String(Number(dataset["focusCount"]) + 1);
    });
  });
  return async () => Number(await page.locator("html").getAttribute("data-focus-count"));
}

test("moves the focus once to the heading of the next screen when navigating by keyboard", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await Promise.all([
    member("arrive-hanako"),
    member("arrive-taro", { sex: "male", username: "Taro of the harbour" }),
  ]);
  await match(taro, hanako);
  const visitor = await visit();
  const { page, t } = visitor;
  const menu = page.getByRole("navigation", { name: t.shell.menu });
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 });
  const composer = page.getByRole("textbox", { name: t.chat.write });
  await openAsMember(visitor, hanako, "/setting");
  await expect(heading(t.settings.profile)).toBeVisible(); // the panel beside the menu
  await expect(heading(t.settings.profile)).not.toBeFocused(); // no navigation yet
  const focusCount = await countHeadingFocus(page);

  await keyboard.press(page.getByRole("link", { name: t.settings.filter }));
  await expect(heading(t.settings.filter)).toBeFocused();
  await keyboard.press(page.getByRole("link", { name: t.settings.blocks }));
  await expect(heading(t.settings.blocks)).toBeFocused();
  await keyboard.press(menu.getByRole("link", { name: t.shell.messages }));
  await expect(heading(t.messages.title)).toBeFocused();
  await keyboard.press(page.getByRole("link", { name: "Taro of the harbour" }));
  await expect(composer).toBeFocused();
  await keyboard.press(
    page
      .getByRole("region", { name: "Taro of the harbour" })
      .getByRole("link", { name: "Taro of the harbour" }),
  );
  await expect(page).toHaveURL(/\/home\//);
  await expect(heading("Taro of the harbour")).toBeFocused();
  await keyboard.press(page.getByRole("link", { name: t.profile.back }));
  await expect(page).toHaveURL(/\/dm\//);
  await expect(composer).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(/\/home\//);
  await expect(heading("Taro of the harbour")).toBeFocused();
  await keyboard.press(menu.getByRole("link", { name: t.shell.settings }));
  await expect(heading(t.settings.profile)).toBeFocused();
  expect(await focusCount()).toBe(6);

  // Another document.
  await keyboard.press(page.getByRole("link", { name: t.settings.howItWorks }));
  await expect(heading(t.howItWorks.title)).toBeFocused();
  await page.goBack();
  await expect(heading(t.settings.profile)).toBeFocused();
});

test("keeps the focus when the query or the language changes", async ({ visit }) => {
  const visitor = await visit();
  const { page, t } = visitor;
  await visitor.open("/login");
  await expect(page.getByRole("heading", { name: t.login.welcomeBack })).toBeVisible();
  const focusCount = await countHeadingFocus(page);

  const globe = page.locator("header").getByRole("button").last();
  await globe.click();
  await page.getByRole("dialog").getByRole("link", { name: "日本語" }).click();
  await expect(page).toHaveURL(/\/ja\/login$/);
  await expect(globe).toBeFocused();
  await page.getByLabel("パスワード", { exact: true }).focus();
  await page.evaluate(() => {
    history.pushState(history.state, "", "?a=b");
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  });
  await expect(page).toHaveURL(/\?a=b$/);

  await expect(page.getByLabel("パスワード", { exact: true })).toBeFocused();
  expect(await focusCount()).toBe(0);
});

test("starts a new screen at its top, and restores the scroll position when going back", async ({
  visit,
}) => {
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const top = () => page.evaluate(() => Math.round(scrollY));
  await visitor.open("/tos");
  await expect(page.getByRole("article")).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const left = await top();
  expect(left).toBeGreaterThan(300);

  await page.getByRole("contentinfo").getByRole("link", { name: t.shell.about }).click();
  await expect(page.getByRole("heading", { name: t.about.title })).toBeFocused();
  await expect.poll(top).toBe(0);
  await page.goBack();

  await expect(page.getByRole("article")).toBeVisible();
  await expect.poll(top).toBe(left);
});

test("moves the focus to the requested screen after a login in place", async ({ visit, member }) => {
  const hanako = await member("focus-place-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  await visitor.open("/setting/blocks?a=b");
  await expect(alertWith(visitor, t.errors.login_required)).toBeVisible();

  await logInOnScreen(visitor, mouse, hanako);

  await expect(page.getByRole("heading", { name: t.settings.blocks, exact: true })).toBeFocused();
  await expect(page).toHaveURL(visitor.url("/setting/blocks?a=b"));
});
