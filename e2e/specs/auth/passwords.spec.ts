import { getOwnUser, logIn } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { createClient, CallError } from "@alcove/test-services/client";
import { enlargeText, expectNothingCutOff } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const NEW = "eighteen yellow herons";

test("resets a password by keyboard on a narrow phone with double text, after wrong codes, reloads and a broken connection", async ({
  visit,
  member,
  mailbox,
  server,
}) => {
  const hanako = await member("forgetful");
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  const { passwords, codes } = t;
  const offline = alertWith(visitor, t.errorScreen.offline);
  const email = page.getByLabel(codes.email, { exact: true });
  const send = page.getByRole("button", { name: codes.send });
  const code = page.getByLabel(codes.code);
  const confirm = page.getByRole("button", { name: codes.confirm, exact: true });
  const first = page.getByLabel(passwords.newPassword, { exact: true });
  const again = page.getByLabel(passwords.newPasswordAgain);
  const save = page.getByRole("button", { name: passwords.save });
  await enlargeText(visitor);
  await visitor.open("/login");
  await keyboard.press(page.getByRole("link", { name: t.login.forgot }));
  await expect(page.getByRole("heading", { name: passwords.resetTitle })).toBeVisible();

  await keyboard.type(email, hanako.email);
  await visitor.goOffline();
  await keyboard.press(send);
  await expect(offline).toBeVisible();
  await expect(email).toHaveValue(hanako.email);
  await visitor.goOnline();
  await keyboard.press(send);
  await expect(page.getByRole("heading", { name: codes.title })).toBeVisible();
  for (let left = CODE_MISSES - 1; left > 0; left--) {
    await keyboard.type(code, "00000000");
    await expect(page.getByText(formatText(codes.wrong, { left }))).toBeVisible();
  }
  await keyboard.type(code, "00000000");
  await expect(alertWith(visitor, codes.missedTooOften)).toBeVisible();
  await expect(page.getByRole("heading", { name: passwords.resetTitle })).toBeVisible();
  await expect(email).toBeFocused();
  await expect(email).toHaveValue(hanako.email);

  await keyboard.press(send);
  await expect(code).toBeVisible();
  await expectNothingCutOff(visitor, "the code's step");
  await page.reload();
  await expect(page.getByText(hanako.email)).toBeVisible();
  // The sign-up sent the first email, the failed start the second.
  const right = (await mailbox.waitForEmail(hanako.email, 3)).code!;
  await visitor.goOffline();
  await keyboard.type(code, right);
  await expect(offline).toBeVisible();
  await expect(code).toHaveValue(right);
  await visitor.goOnline();
  await keyboard.press(confirm);
  await expect(page.getByRole("heading", { name: passwords.newTitle })).toBeVisible();
  await expect(first).toBeFocused();
  await keyboard.type(first, NEW);
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  for (const secret of [right, NEW]) expect(stored).not.toContain(secret);
  await page.reload();
  await keyboard.type(code, right);
  await keyboard.type(first, NEW);
  await keyboard.type(again, "something else");
  await keyboard.press(save);
  await expect(alertWith(visitor, t.fields.passwords_differ)).toBeVisible();
  await expect(again).toBeFocused();
  await expect(again).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Control+A");
  await keyboard.type(again, NEW);
  await expectNothingCutOff(visitor, "the new password");
  await visitor.goOffline();
  await keyboard.press(save);
  await expect(offline).toBeVisible();
  await expect(again).toHaveValue(NEW);
  await visitor.goOnline();
  await keyboard.press(save);

  await expect(page.getByText(passwords.resetDone)).toBeVisible();
  await expect(page).toHaveURL(visitor.url(""));
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("reset"))).toBeNull();
  await expect(page.getByText(formatText(t.login.yourId, { userId: hanako.userId }))).toBeVisible();
  await expect(page.getByLabel(t.login.userId)).toHaveValue(hanako.userId);
  await expect(page.getByLabel(t.login.password, { exact: true })).toBeFocused();
  await logInOnScreen(visitor, keyboard, { userId: hanako.userId, password: NEW });
  const old = createClient(server.url).call(logIn, { user_id: hanako.userId, password: hanako.password });
  await expect(old).rejects.toBeInstanceOf(CallError);
});

test("logs out the other device when the password changes", async ({ visit, member, server }) => {
  const hanako = await member("changes");
  const { userId, password } = hanako;
  const [here, there] = await Promise.all([visit(), visit({ device: "phone" })]);
  there.allowError(/status of 401/);
  here.allowError(/status of 400/); // the common password
  const { page, t } = here;
  const { passwords } = t;
  await openAsMember(
    here,
    { ...hanako, ...(await createClient(server.url).call(logIn, { user_id: userId, password })) },
    "/setting",
  );
  await openAsMember(there, hanako, "/setting");
  await expect(there.page.getByRole("button", { name: there.t.settings.logout })).toBeVisible();
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") changes.push(request.url());
  });

  await page.getByRole("link", { name: t.settings.password }).click();
  const current = page.getByLabel(passwords.current);
  const first = page.getByLabel(passwords.newPassword, { exact: true });
  const again = page.getByLabel(passwords.newPasswordAgain);
  const change = page.getByRole("button", { name: passwords.change });
  await current.fill("not this one");
  await first.fill("short");
  await again.fill("something else");
  await change.click();
  await expect(first).toHaveAccessibleDescription(new RegExp(t.fields.password_length));
  await expect(again).toHaveAccessibleDescription(new RegExp(t.fields.confirmation_differs));
  await first.fill(NEW);
  await change.click();
  await expect(alertWith(here, "Password confirmation does not match")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(1);
  await expect(again).toBeFocused();
  expect(changes).toEqual([]);
  await first.fill("Password123");
  await again.fill("Password123");
  await change.click();
  await expect(first).toHaveAccessibleDescription(new RegExp(t.fields.password_common));
  await first.fill(NEW);
  await again.fill(NEW);
  await change.click();
  await expect(alertWith(here, "Password is incorrect")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(1);
  await expect(current).toBeFocused();
  await current.fill(password);
  await change.click();

  await expect(page.getByText(passwords.changed)).toBeVisible();
  await expect(current).toHaveValue("");
  await expect(there.page.getByRole("button", { name: there.t.login.logIn, exact: true })).toBeVisible();
  await page.getByRole("link", { name: t.settings.filter }).click();
  await expect(page.getByRole("heading", { name: t.settings.filter })).toBeVisible();
  const { access } = await createClient(server.url).call(logIn, { user_id: userId, password: NEW });
  expect((await createClient(server.url, access).call(getOwnUser, {})).user.user_id).toBe(userId);
});
