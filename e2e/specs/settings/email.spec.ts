import { getEmail } from "@alcove/contract/mailboxes";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("changes the email address in two steps by keyboard, and stops the account by the button of the link", async ({
  visit,
  member,
  mailbox,
}) => {
  const hanako = await member("email-hanako");
  const visitor = await visit({ device: "phone" });
  visitor.allowError(/status of 401/); // the stop ends this browser's session too
  const { page, t } = visitor;
  const password = page.getByLabel(t.deleteAccount.password, { exact: true });
  const address = "email-hanako-new@example.com";
  await openAsMember(visitor, hanako, "/setting/email");
  await keyboard.type(page.getByLabel(t.ownEmail.newEmail), address);
  await keyboard.press(page.getByRole("button", { name: t.ownEmail.send }));
  await expect(page.getByLabel(t.codes.code)).toBeFocused();
  await checkAccessibility(visitor, "the code for a new address");

  await keyboard.type(page.getByLabel(t.codes.code), (await mailbox.waitForEmail(address)).code!);
  await expect(password).toBeFocused();
  await expect(page.getByRole("main").getByText(t.fields.required)).toHaveCount(0);
  await keyboard.type(password, hanako.password);
  await keyboard.press(page.getByRole("button", { name: t.ownEmail.change }));
  await expect(page.getByRole("heading", { name: t.settings.email })).toBeFocused();
  await expect(page.getByRole("main").getByText(address)).toBeVisible();
  await expect(page.getByLabel(t.ownEmail.newEmail)).toHaveValue("");

  const { text } = await mailbox.waitForEmail(hanako.email, 2);
  const [, link = ""] = /\/en(\/email-undo#\S+)/.exec(text) ?? [];
  await visitor.open(link);
  await expect(page.getByRole("heading", { name: t.lostEmail.undoTitle })).toBeVisible();
  expect((await hanako.call(getEmail, {})).email).toBe(address);
  await keyboard.press(page.getByRole("button", { name: t.lostEmail.undo }));
  await expect(page.getByRole("heading", { name: t.lostEmail.undoneTitle })).toBeFocused();
  await expect(page.getByRole("link", { name: t.lostEmail.logIn })).toBeVisible();
  await expect(hanako.call(getEmail, {})).rejects.toMatchObject({ status: 401 });
});

test("asks for a new address from the login, with the same page for an unknown user id", async ({
  visit,
  member,
  mailbox,
}) => {
  const hanako = await member("email-lost");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  const shown: string[] = [];
  for (const [userId, to] of [
    [hanako.userId, "email-lost-new@example.com"],
    ["nobody-of-this-id", "email-lost-nobody@example.com"],
  ] as const) {
    await visitor.open("/login");
    await keyboard.press(page.getByRole("link", { name: t.login.cannotReach }));
    await expect(page.getByRole("heading", { name: t.lostEmail.title })).toBeFocused();
    await keyboard.tick(page.getByRole("radio", { name: t.lostEmail.byText }));
    await keyboard.press(page.getByRole("button", { name: t.lostEmail.send }));
    await expect(page.getByLabel(t.lostEmail.userId)).toBeFocused();
    await keyboard.type(page.getByLabel(t.lostEmail.userId), userId);
    await keyboard.type(page.getByLabel(t.lostEmail.email), to);
    await keyboard.type(
      page.getByLabel(t.lostEmail.text, { exact: true }),
      "春に登録し、一度だけ支払いました。",
    );
    await keyboard.press(page.getByRole("button", { name: t.lostEmail.send }));
    await expect(page.getByRole("heading", { name: t.lostEmail.sentTitle })).toBeFocused();
    shown.push((await page.getByRole("main").innerText()).replace(to, ""));
    await mailbox.waitForEmail(to);
  }
  expect(shown[1]).toBe(shown[0]);
});
