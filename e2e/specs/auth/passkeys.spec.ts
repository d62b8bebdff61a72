import type { CDPSession } from "@playwright/test";
import type { SignedUpMember } from "@alcove/test-services/client";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { addAuthenticator } from "../../actions/console.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

/** WebAuthn knows no addresses of numbers. */
const localhost = ({ url }: Visitor, path: string) => url(path).replace("127.0.0.1", "localhost");

/** Opens a page at localhost, where the member is logged in. */
async function openLoggedIn(visitor: Visitor, { userId, password }: SignedUpMember): Promise<CDPSession> {
  const { page, t, allowOrigin } = visitor;
  allowOrigin(new URL(localhost(visitor, "/")).origin);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await page.goto(localhost(visitor, "/login"));
  await page.getByLabel(t.login.userId).fill(userId);
  await page.getByLabel(t.login.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  return devtools;
}

async function logOut({ page, t, ...visitor }: Visitor): Promise<void> {
  await page.goto(localhost({ page, t, ...visitor }, "/setting"));
  await page.getByRole("button", { name: t.settings.logout }).click();
  await page.getByRole("dialog").getByRole("button", { name: t.settings.logout }).click();
  await expect(page.getByLabel(t.login.userId)).toBeVisible();
}

/**
 * Touches the key at requests of the browser that follow this call. The virtual key ignores earlier ones, and would
 * log in at once by a suggestion.
 */
async function touchBefore(
  call: RegExp,
  { page }: Visitor,
  device: Awaited<ReturnType<typeof addAuthenticator>>,
): Promise<void> {
  await page.route(call, async (route) => {
    await device.touch(true);
    await route.continue();
  });
}

test("registers a passkey under a word of the member's, and logs in without typing", async ({
  visit,
  member,
}) => {
  const hanako = await member("passkeys-hanako");
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  let suggestions = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/passkey/options")) suggestions++;
  });
  const devtools = await openLoggedIn(visitor, hanako);
  expect(suggestions).toBe(0); // on an unknown device
  const device = await addAuthenticator(devtools, "internal");

  await page.goto(localhost(visitor, "/setting/passkeys"));
  await expect(page.getByText(t.passkeys.shared)).toBeVisible();
  await expect(page.getByLabel(t.passkeys.account)).toHaveValue("Notes");
  await page.getByLabel(t.passkeys.account).fill("Recipes");
  await page.getByLabel(t.passkeys.name, { exact: true }).fill("Kitchen phone");
  await page.getByLabel(t.deleteAccount.password, { exact: true }).fill(hanako.password);
  await page.getByRole("button", { name: t.passkeys.add }).click();
  await expect(page.getByRole("list", { name: t.passkeys.yours })).toContainText("Kitchen phone");
  await checkAccessibility(visitor, "passkeys");
  const { credentials } = await devtools.send("WebAuthn.getCredentials", {
    authenticatorId: device.authenticatorId,
  });
  expect(credentials).toMatchObject([{ rpId: "localhost", userName: "Recipes" }]);
  expect(JSON.stringify(credentials)).not.toContain("hanako");

  await device.touch(false);
  await logOut(visitor);
  await expect.poll(() => suggestions).toBeGreaterThan(0);
  await touchBefore(/\/passkey\/options$/, visitor, device);
  await page.getByRole("button", { name: t.login.withPasskey }).click();
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  await page.goto(visitor.url("/login"));
  await expect(page.getByRole("button", { name: t.login.withPasskey })).toBeHidden();
});

test("asks for a passkey beside the password, and lets a recovery code in when it is lost", async ({
  visit,
  member,
}) => {
  const aoi = await member("passkeys-aoi");
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/401/);
  const devtools = await openLoggedIn(visitor, aoi);
  const device = await addAuthenticator(devtools, "internal");
  const confirm = async (button: string) => {
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: button }).click();
  };
  const logIn = async () => {
    await page.getByLabel(t.login.userId).fill("passkeys-aoi@example.com");
    await page.getByLabel(t.login.password, { exact: true }).fill(aoi.password);
    await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  };

  await page.goto(localhost(visitor, "/setting/passkeys"));
  await page.getByLabel(t.deleteAccount.password, { exact: true }).fill(aoi.password);
  await page.getByRole("button", { name: t.passkeys.add }).click();
  await expect(page.getByText(t.passkeys.secondNeedsCodes)).toBeVisible();
  await page.getByRole("button", { name: t.passkeys.makeCodes }).click();
  await confirm(t.passkeys.continue);
  const shown = page.getByRole("dialog").getByRole("listitem");
  await expect(shown).toHaveCount(8);
  const codes = await shown.allTextContents();
  await confirm(t.passkeys.codesDone);
  await page.getByRole("button", { name: t.passkeys.secondOn }).click();
  await confirm(t.passkeys.continue);
  await expect(page.getByText(t.passkeys.secondIsOn)).toBeVisible();

  await device.touch(false);
  await logOut(visitor);
  await touchBefore(/\/api\/token\/$/, visitor, device);
  await logIn();
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();

  // Without any authenticator Chromium would wait for one.
  await devtools.send("WebAuthn.clearCredentials", { authenticatorId: device.authenticatorId });
  await logOut(visitor);
  await logIn();
  await page.getByLabel(t.login.recoveryCode).fill("AAAA-BBBB-CCCC");
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(page.getByRole("main").getByText(t.errors.wrong_recovery_code)).toBeVisible();
  await page.getByLabel(t.login.recoveryCode).fill(codes[0]!);
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();

  await page.goto(localhost(visitor, "/setting/passkeys"));
  await page.getByRole("list", { name: t.passkeys.yours }).getByRole("button").last().click();
  await page.getByRole("dialog").getByRole("button", { name: t.passkeys.otherProof }).click();
  await page.getByRole("dialog").getByLabel(t.deleteAccount.password, { exact: true }).fill(aoi.password);
  await confirm(t.passkeys.remove);
  await expect(page.getByText(t.passkeys.none)).toBeVisible();
});
