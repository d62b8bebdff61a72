import { logIn } from "@alcove/contract/accounts";
import { getTransfers } from "@alcove/contract/referral";
import { createClient } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { buyYear } from "../../actions/buy-membership.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { signUpOnScreen } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

test.afterEach(async ({ paypal }) => paypal.sendWebhooksTo(null));

const PAYEE = "payee@example.com";

/** Follows the link to the login before hydration, and returns without the query. */
async function leaveBeforeHydration({ page, t, url }: Visitor, query: string): Promise<void> {
  await page.route("**/assets/*.js", () => undefined);
  await page.goto(url(`/sign-up${query}`), { waitUntil: "commit" });
  await page.getByRole("link", { name: t.signUp.alreadyMember }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

test("pays an inviter when invited members buy, transfers the fees, and returns them when PayPal returns the transfer", async ({
  visit,
  member,
  mailbox,
  server,
  paypal,
}) => {
  test.slow();
  const inviter = await member("the-inviter");
  const visitor = await visit({ device: "phone" });
  const { page, t, context } = visitor;
  const { referral } = t;
  const amount = (name: string) => page.getByText(name, { exact: true }).locator("xpath=..");
  const email = page.getByLabel(referral.email);
  const password = page.getByLabel(t.deleteAccount.password, { exact: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAsMember(visitor, inviter, "/setting");
  await page.getByRole("link", { name: t.settings.brokerageFee }).click();
  await expect(page.getByRole("heading", { name: t.settings.brokerageFee })).toBeVisible();
  await expect(page).toHaveTitle("Alcove");
  await expect(page.getByText("20%", { exact: true })).toBeVisible();
  await expect(page.getByText(referral.tooLittle)).toBeVisible();
  await expect(email).toHaveCount(0);

  await page.getByRole("button", { name: referral.copyLink }).click();
  await expect(page.getByText("Copied to clipboard")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(visitor.url("/sign-up?invited_by=the-inviter"));
  const { search } = new URL(link);

  const declines = await visit({ device: "phone" });
  await declines.open(`/sign-up${search}`);
  await expect(declines.page.getByText("You were invited by the-inviter.")).toBeVisible();
  await declines.page.getByRole("button", { name: t.signUp.dropInvitation }).click();
  await expect(declines.page).toHaveURL(/\/sign-up$/);
  await declines.page.reload();
  await expect(declines.page.getByRole("heading", { name: t.signUp.title })).toBeVisible();
  expect(await declines.page.evaluate(() => localStorage.getItem("invitedBy"))).toBeNull();

  const byMail = await visit({ device: "desktop" });
  await leaveBeforeHydration(byMail, search);
  await signUpOnScreen(byMail, mouse, mailbox, signUpForm("invited-by-mail"));
  expect(await byMail.page.evaluate(() => localStorage.getItem("invitedBy"))).toBeNull();
  const { password: chosen } = signUpForm("invited-by-mail");
  const login = { user_id: "invited-by-mail", password: chosen };
  const { access } = await createClient(server.url).call(logIn, login);
  for (const currency of ["USD", "TWD"] as const)
    await buyYear(paypal, createClient(server.url, access), currency);

  await page.reload();
  await expect(amount(referral.available)).toContainText(/\$32\.00/);
  await checkAccessibility(visitor, "earned fees");
  const transfer = page.getByRole("button", { name: /^Transfer \$32\.00$/ });
  await keyboard.press(transfer);
  await expect(page.getByText(t.fields.required).first()).toBeVisible();
  await keyboard.type(email, PAYEE);
  await keyboard.type(password, "not this one");
  await keyboard.press(transfer);
  await expect(page.getByText(t.deleteAccount.wrongPassword).first()).toBeVisible();
  await password.fill("");
  await keyboard.type(password, inviter.password);
  await keyboard.press(transfer);
  const question = page.getByRole("dialog");
  await expect(question).toContainText(PAYEE);
  await checkAccessibility(visitor, "the confirmation of a transfer");
  await keyboard.press(question.getByRole("button", { name: referral.notNow }));
  await expect(question).toBeHidden();
  await paypal.setPayoutOutcome(PAYEE, "UNCLAIMED");
  await keyboard.press(transfer);
  await keyboard.press(question.getByRole("button", { name: /^Transfer \$/ }));

  await expect(page.getByText(referral.sent)).toBeVisible();
  await expect(amount(referral.available)).toContainText(/\$0\.00/);
  await expect(amount(referral.received)).toContainText(/\$32\.00/);
  const row = page.getByRole("row").last();
  await expect(row).toContainText(referral.pending);
  await expect(email).toHaveCount(0);

  const { transfers } = await inviter.call(getTransfers, {});
  await paypal.sendWebhooksTo(`${server.url}/webhooks/paypal`);
  await paypal.settlePayout(transfers[0]!.id, "RETURNED");
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText(referral.returned, { timeout: 3_000 });
  }).toPass();
  await expect(amount(referral.available)).toContainText(/\$32\.00/);
  await expect(amount(referral.received)).toContainText(/\$0\.00/);
  await checkAccessibility(visitor, "a returned transfer");
});
