import { allTranslations } from "@alcove/i18n/all";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { expect, test } from "../../fixtures/test.ts";

test("sends a question once by keyboard and without an account, after a reload and without a connection", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, context, t } = visitor;
  await visitor.open("/login");
  await page.getByRole("link", { name: t.shell.help, exact: true }).click();
  const title = page.getByRole("heading", { name: t.contact.title });
  await expect(title).toBeFocused();
  await page.keyboard.press("Shift"); // shows the ring of a control
  await expect(title).toHaveCSS("outline-style", "none");
  const email = page.getByLabel(t.contact.email);
  const message = page.getByLabel(t.contact.message);
  const send = page.getByRole("button", { name: t.contact.send, exact: true });

  await keyboard.press(send);
  await expect(email).toBeFocused();
  await expect(message).toHaveAccessibleDescription(t.fields.required);
  await checkAccessibility(visitor, "contact with errors");
  await page.keyboard.type("hanako@example.com");
  await keyboard.type(message, "コードが");
  await page.reload();
  await keyboard.type(email, "hanako@example.com");
  await keyboard.type(message, "コードが届きません。");
  await visitor.goOffline();
  await keyboard.press(send);
  await expect(page.getByText(t.errorScreen.offline)).toBeVisible();
  await visitor.goOnline();
  const answer = Promise.withResolvers<void>();
  let calls = 0;
  await context.route("**/api/contact", async (route) => {
    calls++;
    await answer.promise;
    await route.fallback();
  });
  await keyboard.press(send);
  await expect(send).toHaveAttribute("aria-busy", "true");
  await send.press("Enter");
  answer.resolve();

  await expect(page.getByRole("heading", { name: t.contact.sent })).toBeFocused();
  await expect(page.getByText("hanako@example.com")).toBeVisible();
  const questions = () =>
    mailbox.emails("hello@alcove.example").filter(({ text }) => text.includes("コードが届きません。"));
  await expect
    .poll(() => questions().map(({ headers }) => headers.get("reply-to")))
    .toEqual(["hanako@example.com"]);
  expect(calls).toBe(1);
});

test("keeps a question when the language changes", async ({ visit }) => {
  const visitor = await visit({ language: "en", device: "desktop" });
  const { page, t } = visitor;
  await visitor.open("/contact");
  await page.getByLabel(t.contact.email).fill("hanako@example.com");
  await page.getByLabel(t.contact.message).fill("No code arrives.");

  await page.getByRole("button", { name: t.shell.language }).click();
  await page.getByRole("dialog").getByRole("link", { name: "日本語" }).click();

  const ja = allTranslations.ja.contact;
  await expect(page.getByLabel(ja.message)).toHaveValue("No code arrives.");
  await expect(page.getByLabel(ja.email)).toHaveValue("hanako@example.com");
  await page.reload();
  await expect(page.getByLabel(ja.message)).toHaveValue("");
});

test("keeps and sends a question whose form had no connection when it was first used", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit({ language: "zh-hant", device: "desktop" });
  visitor.allowError(/Failed to load resource/);
  const { page, t } = visitor;
  const send = page.getByRole("button", { name: t.contact.send, exact: true });
  await visitor.open("/contact");
  await expect(page.locator("[data-built]")).toHaveCount(0);

  await visitor.goOffline();
  await page.getByLabel(t.contact.email).fill("offline@example.com");
  await page.getByLabel(t.contact.message).fill("驗證碼沒有寄到。");
  await send.click();
  await expect(page.getByText(t.errorScreen.offline)).toBeVisible();
  await visitor.goOnline();
  await expect(page.getByLabel(t.contact.message)).toHaveValue("驗證碼沒有寄到。");
  await send.click();

  await expect(page.getByRole("heading", { name: t.contact.sent })).toBeFocused();
  await expect
    .poll(() => mailbox.emails("hello@alcove.example").map(({ text }) => text))
    .toContainEqual(expect.stringContaining("驗證碼沒有寄到。"));
});
