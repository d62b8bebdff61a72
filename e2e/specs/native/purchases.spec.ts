import { getSessions } from "@alcove/contract/accounts";
import { createOrder } from "@alcove/contract/membership";
import { priceOf } from "@alcove/contract/prices";
import { buyYear, goToPayPal, payPalButton, thanks } from "../../actions/buy-membership.ts";
import { alertWith } from "../../actions/locators.ts";
import { NATIVE_ORIGIN } from "../../fixtures/native-phone.ts";
import { expect, logInOnPhone, t, test } from "../../fixtures/native-test.ts";
import { formatText } from "../../fixtures/translations.ts";

test(
  "buys in the system's browser, which a code logs in once, and shows the new status in the app",
  { tag: "@long" },
  async ({ phone, member, server, visit, paypal }) => {
    const hanako = await member("native-buyer");
    const native = await phone({ launchUrl: `${server.url}/en/upgrade-account` });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);
    await expect(page.getByRole("button", { name: t.membership.pay })).toHaveCount(0);
    await page.getByRole("button", { name: t.nativeApp.openBrowser }).click();
    await expect.poll(() => native.callsOf("Browser.open")).toHaveLength(1);
    const { pathname, hash } = new URL(String(native.callsOf("Browser.open")[0]!["url"]));
    expect(pathname).toBe("/en/app-login");

    const buyer = await visit({ device: "phone" });
    buyer.allowOrigin(paypal.origin);
    await buyer.open(`/app-login${hash}`);
    const question = formatText(t.login.continueAs, { userId: hanako.userId });
    await expect(buyer.page.getByRole("heading", { name: question })).toBeFocused();
    expect(buyer.page.url()).not.toContain(hash);
    await buyer.page.getByRole("button", { name: t.login.continue }).click();
    await expect(buyer.page.getByRole("heading", { name: t.membership.title })).toBeVisible();
    expect((await hanako.call(getSessions, {})).sessions.length).toBeGreaterThan(1);
    await goToPayPal(buyer);
    await payPalButton(buyer, "Approve").click();
    await expect(thanks(buyer)).toBeVisible();
    await buyer.open("/purchase-history");
    await expect(buyer.page.getByRole("row")).toHaveCount(3);
    await buyer.open("/tos");
    await buyer.open("/upgrade-account");
    await expect(buyer.page.locator("h1 + span")).toHaveText(t.membership.paid);
    buyer.allowError(/401/);
    await buyer.open("/dm");
    await expect(buyer.page.getByLabel(t.login.password, { exact: true })).toBeVisible();

    await native.closeBrowser();
    await expect(page.locator("h1 + span")).toHaveText(t.membership.paid);
    const paidUntil = page.getByText(/\d{4}\/\d\d\/\d\d/);
    const before = await paidUntil.textContent();
    await buyYear(paypal, hanako);
    await native.setVisible(false);
    await native.setVisible(true);
    await expect(paidUntil).not.toHaveText(before!);

    const thief = await visit();
    thief.allowError(/401/);
    await thief.open(`/app-login${hash}`);
    await expect(alertWith(thief, t.login.codeUsed)).toBeVisible();
    await expect(thief.page).toHaveURL(/\/en\/login\?next=/);
  },
);

test(
  "settles an order when PayPal leads back into the app, while it runs and when that starts it",
  { tag: "@long" },
  async ({ phone, member, server, paypal }) => {
    const hanako = await member("native-return");
    const native = await phone({ launchUrl: `${server.url}/en/setting` });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);
    await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
    const plan = { year: 0, month: 1 };
    const approve = async () => {
      const order = { currency: "USD", price: priceOf("USD", plan), ...plan } as const;
      const { order_id, paypal_order_id } = await hanako.call(createOrder, order);
      await paypal.approve(paypal_order_id);
      return order_id;
    };

    const [first, second] = [await approve(), await approve()];
    await native.openUrl(`${server.url}/en/upgrade-account?order_id=${first}`);
    await expect(page.getByRole("heading", { name: t.membership.thanks })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/successed/${first}$`));
    await native.launch({ url: `${server.url}/en/upgrade-account?order_id=${second}` });
    await expect(page).toHaveURL(new RegExp(`/successed/${second}$`));
    await expect(page.getByRole("heading", { name: t.membership.thanks })).toBeVisible();
  },
);

test(
  "mentions no purchases where the operator hides them",
  { tag: "@long" },
  async ({ phone, member, place }) => {
    const hanako = await member("native-hidden");
    const native = await phone({ at: place });
    const { page } = native;
    await native.answerSettings((settings) => ({
      ...settings,
      page: { ...settings.page, nativePurchases: "hidden" },
    }));
    await native.launch();
    await logInOnPhone(native, hanako);
    await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();

    for (const path of ["upgrade-account", "purchase-history", "brokerage-fee", "pricing"]) {
      await page.goto(`${NATIVE_ORIGIN}/en/${path}`);
      await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en`);
    }
    await page.goto(`${NATIVE_ORIGIN}/en/about-service`);
    await expect(page.getByRole("heading", { name: t.about.processed })).toBeVisible();
    await expect(page.getByText(t.about.prices)).toHaveCount(0);
    await expect(page.getByText(t.about.paid)).toHaveCount(0);
    await page.goto(`${NATIVE_ORIGIN}/en/setting`);
    await expect(page.getByRole("link", { name: t.settings.export })).toBeVisible();
    await expect(page.getByText(t.settings.membership, { exact: true })).toHaveCount(0);
    await expect(page.getByRole("link", { name: t.settings.userStatus })).toHaveCount(0);
  },
);
