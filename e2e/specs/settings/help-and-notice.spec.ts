import { getHelp } from "@alcove/contract/help";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("asks under Help by keyboard, and shows the operator's reply as it arrives", async ({
  visit,
  member,
  answerHelp,
}) => {
  const hanako = await member("asks-hanako");
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/help");
  const question = page.getByLabel(t.help.text);
  const send = page.getByRole("button", { name: t.help.send });
  const log = page.getByRole("log", { name: t.help.title });

  await keyboard.press(send);
  await expect(question).toHaveAccessibleDescription(t.fields.required);
  await expect(question).toBeFocused();
  await page.keyboard.type("領収書はどこですか。");
  await keyboard.press(send);
  await expect(log.getByText("領収書はどこですか。")).toBeVisible();
  await expect(question).toHaveValue("");

  const { messages } = await hanako.call(getHelp, {});
  await answerHelp(messages[0]!.id, "購入履歴をご覧ください。");
  await expect(log.getByText("購入履歴をご覧ください。")).toBeVisible();
  await checkAccessibility(visitor, "the help thread");
  await visitor.open("/setting");
  await expect(page.getByRole("link", { name: new RegExp(`^${t.settings.help}`) }).first()).toContainText(
    t.help.lineAnswered,
  );
});

test("reports content without an account, with a number and a receipt", async ({ visit, mailbox }) => {
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const { notice } = t;
  await visitor.open("/notice");
  const send = page.getByRole("button", { name: notice.send, exact: true });
  const choose = page.getByRole("button", { name: notice.choosePicture });

  await page.getByLabel(notice.kind).selectOption({ label: notice.kind_child });
  await expect(page.getByText(notice.childNote)).toBeVisible();
  await expect(choose).toBeHidden();
  await page.getByLabel(notice.kind).selectOption({ label: notice.kind_picture });
  await expect(choose).toBeVisible();
  await send.click();
  await expect(page.getByLabel(notice.text)).toBeFocused();
  await expect(page.getByText(t.fields.good_faith_required)).toBeVisible();
  await checkAccessibility(visitor, "the notice with errors");

  await page.getByLabel(notice.text).fill("My picture from the harbour is here.");
  await page.getByLabel(notice.name).fill("Aki Mori");
  await page.getByLabel(notice.email).fill("aki@example.com");
  await page.getByRole("checkbox", { name: notice.goodFaith }).check();
  await send.click();
  await expect(page.getByRole("heading", { name: notice.sent })).toBeFocused();
  const number = await page.getByText(`${notice.number}:`).getByRole("strong").innerText();
  expect((await mailbox.waitForEmail("aki@example.com")).text).toContain(number);
});
