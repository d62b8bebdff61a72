import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { createCoupon } from "../../actions/buy-membership.ts";
import { mouse } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen, requestCode, requireBotCheckOnce } from "../../actions/sign-up.ts";
import { expect, type Fixtures, test as base } from "../../fixtures/test.ts";

/** A server without Google and PayPal, and with the bot check of our own. */
function ownServices({ serverWith, google, paypal }: Pick<Fixtures, "serverWith" | "google" | "paypal">) {
  const foreign = Object.keys({ ...google.variables, ...paypal.variables });
  const unset = Object.fromEntries(foreign.map((name) => [name, undefined]));
  return serverWith({ ...unset, BOT_CHECK: "altcha" });
}

const test = base.extend({
  async visit({ visit, serverWith, google, paypal }, use) {
    const { url: serverUrl } = await ownServices({ serverWith, google, paypal });
    await use((options) => visit({ serverUrl, ...options }));
  },
});

// Without PayPal it ends the jobs of payments that other specs wait for.
test.afterAll(async ({ serverWith, google, paypal }) => {
  await (await ownServices({ serverWith, google, paypal })).stop();
});

test("solves the bot checks of a code and of a login, and logs in with the typed password", async ({
  visit,
  member,
}) => {
  const user = await member("checked");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/status of 429/);
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, "checked-code@example.com");
  const sent = await requireBotCheckOnce(visitor);
  await visitor.open("/setting");
  const challenge = page.waitForRequest((request) => request.url().includes("/bot-challenge"));

  await logInOnScreen(visitor, mouse, user);

  expect(new URL((await challenge).url()).searchParams.get("user_id")).toBe("checked");
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  expect(sent[1]).toMatchObject({ user_id: "checked", password: user.password });
  const { solution } = JSON.parse(atob(sent[1]!["recaptchaToken"] as string)) as {
    solution: { counter: number };
  };
  expect(solution.counter).toBeGreaterThan(0);
});

test("does not mention Google when Google sign-in is off", { tag: "@long" }, async ({ visit }) => {
  const { page, open } = await visit();

  for (const path of ["/login", "/sign-up", "/setting"]) {
    await open(path);
    await expect(page.locator("#main").getByRole("button").first()).toBeVisible();
    await expect(page.locator("body")).not.toContainText("Google");
  }
});

test(
  "shows that payments are off, and still applies a coupon",
  { tag: "@long" },
  async ({ visit, member, runOperator }) => {
    const hanako = await member("buys-nothing");
    await createCoupon(runOperator, "GIFT");
    const visitor = await visit({ language: "ja", device: "phone" });
    const { page, t } = visitor;
    const { referral, membership, errors } = t;
    await openAsMember(visitor, hanako, "/upgrade-account");

    await expect(page.getByText(errors.payments_off)).toBeVisible();
    await expect(page.getByRole("table")).toHaveCount(2);
    await expect(page.getByRole("link", { name: "hello@alcove.example" }).last()).toBeVisible();
    await expect(page.getByRole("button", { name: membership.pay })).toHaveCount(0);
    await checkAccessibility(visitor, "plans that cannot be bought", ["light"]);
    await page.getByLabel(membership.couponCode).fill("gift");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: membership.applyCoupon }).click();
    await expect(page.getByText(membership.couponApplied)).toBeVisible();
    await visitor.open("/brokerage-fee");
    await expect(page.getByText(errors.transfers_off)).toBeVisible();
    await expect(page.getByLabel(referral.email)).toHaveCount(0);
    await checkAccessibility(visitor, "a transfer that cannot be sent", ["dark"]);
  },
);
