import { readFile } from "node:fs/promises";
import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { readZip } from "@alcove/test-services/zip";
import { message } from "../../actions/chat-actions.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { keyboard } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { expect, test } from "../../fixtures/test.ts";

const NUUK = "-51.74,64.18";

/** Two who like each other, of whom the first has written. */
async function pair(hanako: SignedUp, taro: SignedUp): Promise<void> {
  await Promise.all([hanako, taro].map((member) => member.ask(saveLocation, { location: NUUK })));
  await hanako.ask(likeUser, { likedId: taro.userId });
  await taro.ask(likeUser, { likedId: hanako.userId });
  await hanako.ask(sendDm, { receiverId: taro.userId, description: "A word before I go" });
}

test("a member deletes its account with the keys alone, its friend's open chat ends, and its user id is free", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("leaving-hanako")),
    signUp(server.url, mailbox, personOf("leaving-taro", { sex: "male" })),
  ]);
  await pair(hanako, taro);
  const [leaver, friend] = [await visit(), await visit({ language: "ja", device: "phone" })];
  leaver.allowError(/status of 401/);
  const { page, t } = leaver;
  await openAsMember(friend, taro, "/dm/leaving-hanako");
  await expect(message(friend, "A word before I go")).toBeVisible();
  await openAsMember(leaver, hanako, "/setting");
  await keyboard.press(page.getByRole("link", { name: t.settings.deleteAccount }));
  const password = page.getByLabel(t.deleteAccount.password, { exact: true });
  const submit = page.locator("form").getByRole("button", { name: t.deleteAccount.delete });
  await expect(password).toBeVisible();
  await checkAccessibility(leaver, "delete account");

  await keyboard.type(password, "not the right one");
  await keyboard.press(submit);
  await expect(page.getByText("Password is incorrect")).toBeVisible();
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

  await expect(page.getByText("Account deleted")).toBeVisible();
  await expect(page).toHaveURL(leaver.url("/login"));
  await expect(friend.page.getByText(friend.t.chat.closed)).toBeVisible();
  await expect(message(friend, "A word before I go")).toHaveCount(0);
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(kept.filter((item) => item !== "language")).toEqual([]);
  const again = await signUp(server.url, mailbox, personOf("Leaving-Hanako", { email: "again@example.com" }));
  expect(again.access).not.toBe(hanako.access);
});

test("a member takes its data along: the browser saves a zip with what it wrote and its picture", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("copy-hanako", { description: "静かな夜が好きです。" })),
    signUp(server.url, mailbox, personOf("copy-taro", { sex: "male" })),
  ]);
  await pair(hanako, taro);
  const visitor = await visit({ language: "zh-hant", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/delete-account");

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: t.deleteAccount.download }).click();
  const download = await saving;

  expect(download.suggestedFilename()).toBe("data.zip");
  const files = await readZip(await readFile(await download.path()));
  const data = JSON.parse(files.get("data.json")!.toString()) as Record<string, unknown>;
  expect(data["user"]).toMatchObject({ user_id: "copy-hanako", description: "静かな夜が好きです。" });
  expect(data["messages_sent"]).toEqual([
    expect.objectContaining({ to: "copy-taro", text: "A word before I go" }),
  ]);
  expect([...files.keys()]).toContain((data["user"] as { icon: string }).icon);
  expect(new URL(page.url()).pathname).toBe("/zh-hant/setting/delete-account");
});

test("who has no connection is told so, stays, and may ask again", async ({ visit, mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("offline-copy"));
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/delete-account");
  await expect(page.getByRole("button", { name: t.deleteAccount.download })).toBeVisible();

  // What the page fetches ahead is there: a module that breaks off would have it loaded anew.
  await page.waitForLoadState("networkidle");
  await visitor.goOffline();
  await page.getByRole("button", { name: t.deleteAccount.download }).click();

  await expect(page.getByText(t.errorScreen.offline)).toBeVisible();
  await expect(page.getByRole("button", { name: t.deleteAccount.download })).toBeEnabled();
});
