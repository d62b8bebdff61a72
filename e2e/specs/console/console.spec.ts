import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { enrolOperator, linkOfOperator } from "../../actions/console.ts";
import { expect, test } from "../../fixtures/test.ts";

test("an operator registers a passkey, decides a case, and suspends and restores a member", async ({
  browser,
  server,
  member,
  place,
  runOperator,
}) => {
  const hanako = await member("console-hanako", { sex: "female", at: place });
  const taro = await member("console-taro", { sex: "male", at: place });
  await hanako.call(likeUser, { likedId: taro.userId });
  await taro.call(likeUser, { likedId: hanako.userId });
  const message = "I know where you live.";
  const { dm } = await taro.call(sendDm, { receiverId: hanako.userId, description: message });
  await hanako.call(reportUser, { userId: taro.userId, reason: "underage", dmId: dm.id });
  const { consoleUrl, link } = await linkOfOperator(server, runOperator, "Sato");
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", ({ message: text }) => problems.push(text));
  page.on("request", (request) => {
    if (request.url().startsWith("http") && !request.url().startsWith(consoleUrl))
      problems.push(request.url());
  });

  await enrolOperator(page, link);
  await expect(page).toHaveTitle("Console");
  const opensDroppedFiles = await page.evaluate(() => {
    const drop = new DragEvent("drop", { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true });
    return document.body.dispatchEvent(drop);
  });
  expect(opensDroppedFiles).toBe(false);
  await page.getByRole("link", { name: /^Open: Underage/ }).click();
  await expect(page.getByText(message)).toBeVisible();
  await page.getByRole("button", { name: "Close the case" }).click();
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveAccessibleDescription(
    /Please fill this in/,
  );
  await page.getByRole("combobox", { name: "Decision" }).selectOption({ label: "Warn" });
  await page.getByRole("combobox", { name: "Rule" }).selectOption({ label: "Underage" });
  await page.getByRole("textbox", { name: "Reason" }).fill("Threatened another member.");
  await page.getByRole("button", { name: "Close the case" }).click();
  await expect(page.getByRole("heading", { name: "Cases", exact: true })).toBeVisible();
  // Tests that share the server may have left other cases.
  await expect(page.getByRole("link", { name: /Underage/ })).toHaveCount(0);

  await page.getByRole("link", { name: "Member" }).click();
  await page.getByRole("textbox", { name: "User ID" }).fill(taro.userId);
  await page.getByLabel("Reason of the look").fill("Appeal by email");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByLabel("Reason of the change").fill("Threatened another member.");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("suspended", { exact: true })).toBeVisible();
  await page.getByLabel("Reason of the change").fill("The appeal was right");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("active", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Log", exact: true }).click();
  await expect(
    page.getByRole("row", { name: /Sato Restore an account console-taro The appeal was right/ }),
  ).toBeVisible();
  await page.getByRole("link", { name: "日本語" }).click();
  await expect(page.getByRole("heading", { name: "記録" })).toBeVisible();
  await page.getByRole("button", { name: "ログアウト" }).click();
  await expect(page.getByRole("button", { name: "パスキーでログイン" })).toBeVisible();
  await page.goto(`${consoleUrl}/ja/log`);
  await expect(page.getByText("セッションが終了しました")).toBeVisible();
  expect(problems).toEqual([]);
  await context.close();
});
