import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { readZip } from "@alcove/test-services/zip";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { message } from "../../actions/chat-actions.ts";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { match, matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("deletes the account by keyboard, ends the other side's open chat and clears the device", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  await sendText(hanako, taro, "A word before I go");
  const [leaver, other] = [await visit(), await visit({ language: "ja", device: "phone" })];
  leaver.allowError(/status of 401/);
  const { page, t } = leaver;
  await openAsMember(other, taro, `/dm/${hanako.userId}`);
  await expect(message(other, "A word before I go")).toBeVisible();
  await openAsMember(leaver, hanako, "/setting");
  await keyboard.press(page.getByRole("link", { name: t.settings.deleteAccount }));
  const password = page.getByLabel(t.deleteAccount.password, { exact: true });
  const submit = page.locator("form").getByRole("button", { name: t.deleteAccount.delete });
  await expect(password).toBeVisible();
  await checkAccessibility(leaver, "delete account");

  await keyboard.type(password, "not the right one");
  await keyboard.press(submit);
  await expect(alertWith(leaver, "Password is incorrect")).toBeVisible();
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription("Password is incorrect");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(hanako.password);
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Are you sure to delete this account ?" });
  await keyboard.press(question.getByRole("button", { name: t.deleteAccount.keep }));
  await expect(question).toBeHidden();
  await keyboard.press(submit);
  await keyboard.press(question.getByRole("button", { name: t.deleteAccount.delete }));

  await expect(page.getByRole("heading", { name: "Account deleted" })).toBeFocused();
  await expect(page).toHaveURL(leaver.url("/account-deleted"));
  await checkAccessibility(leaver, "the last page");
  const receipt = await page.getByLabel(t.deleteAccount.record).inputValue();
  const downloading = page.waitForEvent("download");
  await keyboard.press(page.getByRole("button", { name: t.deleteAccount.recordSave }));
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("record.txt");
  expect(await readFile(await download.path(), "utf8")).toBe(`${receipt}\n`);
  expect(receipt).toMatch(/^Record of deletion: key \d{15} .* \S{86}==$/);
  await expect(other.page.getByText(other.t.chat.closed)).toBeVisible();
  await expect(message(other, "A word before I go")).toHaveCount(0);
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(stored.filter((item) => item !== "language")).toEqual([]);
  await page.reload();
  await expect(page).toHaveURL(leaver.url("/login"));
});

/** As a member opens the unpacked folder. */
async function expectReadablePage(browser: Browser, files: Map<string, Buffer>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "export-"));
  await mkdir(join(folder, "images"));
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  const reader = await browser.newPage();
  await reader.goto(pathToFileURL(join(folder, "index.html")).href);
  const picture = reader.locator("img").first();
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(reader.getByText("A word before I go")).toBeVisible();
  await reader.close();
}

test("downloads a zip with the member's messages and picture", async ({ browser, visit, member }) => {
  const [hanako, taro] = await Promise.all([
    member("copy-hanako", { description: "静かな夜が好きです。" }),
    member("copy-taro", { sex: "male" }),
  ]);
  await match(hanako, taro);
  await sendText(hanako, taro, "A word before I go");
  const visitor = await visit({ language: "zh-hant", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/export");

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: t.deleteAccount.download }).click();
  const download = await downloading;

  expect(download.suggestedFilename()).toBe("data.zip");
  const files = await readZip(await readFile(await download.path()));
  const data = JSON.parse(files.get("data.json")!.toString()) as Record<string, unknown>;
  expect(data["user"]).toMatchObject({ user_id: "copy-hanako", description: "静かな夜が好きです。" });
  expect(data["messages_sent"]).toEqual([
    expect.objectContaining({ to: "copy-taro", text: "A word before I go" }),
  ]);
  expect([...files.keys()]).toContain((data["user"] as { icon: string }).icon);
  expect(new URL(page.url()).pathname).toBe("/zh-hant/setting/export");
  await expectReadablePage(browser, files);
});
