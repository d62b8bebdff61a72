import { createLoginCode, getSessions } from "@alcove/contract/accounts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("asks before a code of the app logs in, and never beside another login", async ({ member, visit }) => {
  const [attacker, victim] = await Promise.all([member("code-attacker"), member("code-victim")]);
  const stored = () => [localStorage.getItem("session"), sessionStorage.getItem("session")];

  const visitor = await visit();
  const { page, t } = visitor;
  const { code } = await attacker.call(createLoginCode, {});
  await visitor.open(`/app-login#${code}`);
  const question = formatText(t.login.continueAs, { userId: attacker.userId });
  const heading = page.getByRole("heading", { name: question });
  await expect(heading).toBeFocused();
  await expect(heading).toHaveCSS("outline-style", "none");
  expect(await page.evaluate(stored)).toEqual([null, null]);
  await page.getByRole("button", { name: t.login.notMyAccount }).click();
  await expect(page).toHaveURL(/\/en\/login\?next=/);
  expect(await page.evaluate(stored)).toEqual([null, null]);
  await expect.poll(async () => (await attacker.call(getSessions, {})).sessions).toHaveLength(1);

  const browser = await visit();
  await openAsMember(browser, victim, "/setting");
  const before = await browser.page.evaluate(stored);
  const again = await attacker.call(createLoginCode, {});
  await browser.page.goto("about:blank");
  await browser.open(`/app-login#${again.code}`);
  await expect(browser.page.getByRole("heading", { name: t.login.otherLogin })).toBeFocused();
  expect(await browser.page.evaluate(stored)).toEqual(before);
  await browser.page.getByRole("link", { name: t.login.keepLogin }).click();
  await expect(browser.page.getByRole("heading", { name: t.membership.title })).toBeVisible();
  expect((await attacker.call(getSessions, {})).sessions).toHaveLength(1);
});
