import { logIn } from "@alcove/contract/accounts";
import { getTransfers } from "@alcove/contract/referral";
import { clientOf, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { buyYear } from "../../actions/payments.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { type NewUser, signUpOnScreen, signUpWithGoogle } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use({ payments: "stand-in", signIn: "google" });
test.afterEach(async ({ paypal }) => paypal!.sendWebhooksTo(null));

const PAYEE = "payee@example.com";

function friend(userId: string): NewUser {
  return {
    userId,
    email: `${userId}@example.com`,
    password: "seventeen violet walruses",
    username: userId,
    sex: "female",
    description: "By a friend.",
  };
}

/** Follows the link to the terms before the app runs, as an impatient visitor does, and comes back without the query. */
async function leaveAtOnce({ page, t, url }: Visitor, query: string): Promise<void> {
  await page.route("**/assets/*.js", () => undefined);
  await page.goto(url(`/sign-up${query}`), { waitUntil: "commit" });
  await page.getByRole("contentinfo").getByRole("link", { name: t.shell.terms }).click();
  await expect(page).toHaveURL(/\/tos$/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

test("who invites by a link earns from what friends buy, who came by mail and by Google, and transfers it; what comes back is there again", async ({
  visit,
  mailbox,
  server,
  paypal,
  google,
}) => {
  test.slow();
  const inviter = await signUp(server.url, mailbox, personOf("the-inviter"));
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
  await expect(page.getByText("20%")).toBeVisible();
  await expect(page.getByText(referral.tooLittle)).toBeVisible();
  await expect(email).toBeDisabled();
  await expect(page.getByRole("button", { name: referral.transfer, exact: true })).toBeDisabled();

  await page.getByRole("button", { name: referral.copyLink }).click();
  await expect(page.getByText("Copied to clipboard")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(visitor.url("/sign-up?invited_by=the-inviter"));
  const { search } = new URL(link);

  const byMail = await visit({ device: "desktop" });
  await leaveAtOnce(byMail, search);
  await signUpOnScreen(byMail, mouse, mailbox, friend("friend-by-mail"));
  expect(await byMail.page.evaluate(() => localStorage.getItem("invitedBy"))).toBeNull();
  const byGoogle = await visit({ device: "desktop" });
  await google.addAccount({ subject: "300000000000000001", email: friend("friend-by-google").email });
  byGoogle.allowOrigin(google.origin);
  await signUpWithGoogle(byGoogle, mouse, friend("friend-by-google"), search);
  await byGoogle.page.getByRole("button", { name: t.signUp.create }).click();
  await expect(byGoogle.page).toHaveURL(/\/login$/);
  for (const who of ["friend-by-mail", "friend-by-google"]) {
    const { access } = await clientOf(server.url).ask(logIn, {
      user_id: who,
      password: friend(who).password,
    });
    await buyYear(paypal!, clientOf(server.url, access));
  }

  await page.reload();
  await expect(amount(referral.available)).toContainText(/USD\s32\.00/);
  await checkAccessibility(visitor, "what was earned");
  const transfer = page.getByRole("button", { name: /^Transfer USD\s32\.00$/ });
  await keyboard.press(transfer);
  await expect(page.getByText(t.fields.required).first()).toBeVisible();
  await keyboard.type(email, PAYEE);
  await keyboard.type(password, "not this one");
  await keyboard.press(transfer);
  await expect(page.getByText(t.deleteAccount.wrongPassword)).toBeVisible();
  await password.fill("");
  await keyboard.type(password, inviter.password);
  await keyboard.press(transfer);
  const question = page.getByRole("dialog");
  await expect(question).toContainText(PAYEE);
  await checkAccessibility(visitor, "the last question before a transfer");
  await keyboard.press(question.getByRole("button", { name: referral.notNow }));
  await expect(question).toBeHidden();
  await paypal!.payoutFate(PAYEE, "UNCLAIMED");
  await keyboard.press(transfer);
  await keyboard.press(question.getByRole("button", { name: /^Transfer USD/ }));

  await expect(page.getByText(referral.sent)).toBeVisible();
  await expect(amount(referral.available)).toContainText(/USD\s0\.00/);
  await expect(amount(referral.received)).toContainText(/USD\s32\.00/);
  const row = page.getByRole("row").last();
  await expect(row).toContainText(referral.pending);
  await expect(email).toBeDisabled();

  const { transfers } = await inviter.ask(getTransfers, {});
  await paypal!.sendWebhooksTo(`${server.url}/webhooks/paypal`);
  await paypal!.settlePayout(transfers[0]!.id, "RETURNED");
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText(referral.returned, { timeout: 1_000 });
  }).toPass();
  await expect(amount(referral.available)).toContainText(/USD\s32\.00/);
  await expect(amount(referral.received)).toContainText(/USD\s0\.00/);
  await checkAccessibility(visitor, "a transfer that came back");
  const paidOut = (await paypal!.book()).filter(({ kind }) => kind === "paid out" || kind === "came back");
  expect(paidOut.map(({ kind, units }) => [kind, units])).toEqual([
    ["paid out", 3_200],
    ["came back", 3_200],
  ]);
});

for (const [language, currency] of [
  ["ja", "USD"],
  ["zh-hans", "JPY"],
  ["zh-hant", "TWD"],
] as const) {
  test(`what a friend paid in ${currency} brings is transferred in ${language}, in USD`, async ({
    visit,
    mailbox,
    server,
    paypal,
  }) => {
    const inviter = await signUp(server.url, mailbox, personOf(`invites-${language}`));
    const invited = { invited_by_user_id: inviter.userId };
    const buyer = await signUp(server.url, mailbox, personOf(`invited-${language}`, invited));
    await buyYear(paypal!, buyer, currency);
    const visitor = await visit({ language, device: "phone" });
    const { page, t } = visitor;
    const { referral } = t;
    const amount = (name: string) => page.getByText(name, { exact: true }).locator("xpath=..");
    const transfer = page.getByRole("button", {
      name: formatText(referral.transferAmount, { amount: "USD 16.00" }),
      exact: true,
    });
    await openAsMember(visitor, inviter, "/brokerage-fee");
    await expect(amount(referral.available)).toContainText(/USD\s16\.00/);
    await expect(page.getByText(referral.noCancel)).toBeVisible();

    await page.getByLabel(referral.email).fill(`${language}@example.com`);
    await page.getByLabel(t.deleteAccount.password, { exact: true }).fill(inviter.password);
    await transfer.click();
    const question = page.getByRole("dialog");
    await expect(question).toContainText(`${language}@example.com`);
    await question.getByRole("button").first().click();

    await expect(page.getByText(referral.sent)).toBeVisible();
    await expect(amount(referral.available)).toContainText(/USD\s0\.00/);
    await expect(amount(referral.received)).toContainText(/USD\s16\.00/);
    await expect(page.getByRole("row").last()).toContainText(referral.pending);
  });
}
