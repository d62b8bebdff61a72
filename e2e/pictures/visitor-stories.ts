import { expect } from "@playwright/test";
import { signUp } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { buyYear, openCoupon } from "../actions/buy-membership.ts";
import { mouse } from "../actions/input-method.ts";
import { openAsMember } from "../actions/open-as-member.ts";
import {
  choosePicture,
  cropPicture,
  enterCode,
  fillInAbout,
  fillInSignIn,
  goOn,
  requestCode,
} from "../actions/sign-up.ts";
import { button, type Stage, type Story } from "./stage.ts";

let newUsers = 0;

async function signUpOnScreen({ visitor, mailbox, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  const form = signUpForm(`new_member_${++newUsers}`, { username: "Adrian", sex: "male" });
  const user = { ...form, date_of_birth: "1980-04-18" };
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await shoot("sign-up-code");
  await page.getByLabel(t.codes.code).fill("00000000");
  await expect(page.getByLabel(t.codes.code)).toHaveAttribute("aria-invalid", "true");
  await shoot("sign-up-code-wrong");
  await enterCode(visitor, mouse, mailbox, user.email);
  await choosePicture(visitor, mouse);
  await cropPicture(visitor, mouse);
  await shoot("sign-up-picture");
  await goOn(visitor, mouse, "signInTitle");
  await button(visitor, t.signUp.continue).click();
  await shoot("sign-up-login-errors");
  await fillInSignIn(visitor, mouse, user);
  await shoot("sign-up-login");
  await goOn(visitor, mouse, "aboutTitle");
  await fillInAbout(visitor, mouse, user);
  await shoot("sign-up-about-you");
  await page.getByText(t.signUp.addMore).click();
  await shoot("sign-up-about-you-more");
  await goOn(visitor, mouse, "meetTitle");
  await shoot("sign-up-meet");
  await mouse.tick(page.getByRole("radio", { name: t.profileForm.everyone, exact: true }));
  await button(visitor, t.signUp.create).click();
  await expect(page.getByLabel(t.login.password, { exact: true })).toBeFocused();
  await shoot("login-after-sign-up");
}

async function logIn({ visitor, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await visitor.open("");
  await button(visitor, t.login.logIn).click();
  await shoot("landing-log-in");
  await visitor.open("/login");
  await page.evaluate(() => localStorage.setItem("device", "of an earlier login"));
  await visitor.open("");
  await shoot("login-known-device");
  visitor.allowError(/status of 401/);
  await page.getByLabel(t.login.userId).fill("adrian83");
  await page.getByLabel(t.login.password, { exact: true }).fill("not this one");
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await shoot("login-wrong");
}

async function resetPassword({ visitor, member, mailbox, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  const known = mailbox.emails(member.email).length;
  await visitor.open("/reset-password");
  await page.getByLabel(t.codes.email, { exact: true }).fill(member.email);
  await button(visitor, t.codes.send).click();
  await expect(page.getByRole("heading", { name: t.codes.title })).toBeVisible();
  await shoot("reset-password-code");
  const { code } = await mailbox.waitForEmail(member.email, known + 1);
  await page.getByLabel(t.codes.code).fill(code!);
  await expect(page.getByRole("heading", { name: t.passwords.newTitle })).toBeVisible();
  await shoot("reset-password-new");
}

/** Google's account is checked forever. */
async function googleReturn({ visitor, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await visitor.open("/login");
  await page.route(/social-account/, () => new Promise(() => {}));
  const intent = { purpose: "login", next: null, isShared: false };
  await page.evaluate(
    (google) => sessionStorage.setItem("google", google),
    JSON.stringify({ state: "x", intent }),
  );
  await page.goto(`${visitor.url("/oauth-callback/login")}#access_token=a&state=x`);
  await expect(page.getByRole("heading", { name: t.login.signingIn })).toBeVisible();
  await shoot("oauth-callback");
  await page.unroute(/social-account/);
}

async function plans({ visitor, newcomer, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await openAsMember(visitor, newcomer, "/upgrade-account");
  await openCoupon(visitor);
  await shoot("upgrade-coupon");
  await visitor.open("/setting");
  await page.evaluate(() => sessionStorage.removeItem("plan"));
  // The card of the day stays for the next view.
  await page.route(/\/users\/api\/unlike/, (route) =>
    route.fulfill({
      status: 402,
      json: { code: "upgrade_required", error_message: t.errors.upgrade_required },
    }),
  );
  visitor.allowError(/status of 402/);
  await visitor.open("");
  await button(visitor, t.home.pass).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await shoot("upgrade-modal");
  await page.unroute(/\/users\/api\/unlike/);
}

async function purchase({ visitor, member, mailbox, paypal, serverUrl, shoot }: Stage): Promise<void> {
  const { page, t, language } = visitor;
  const invited = { invited_by_user_id: member.userId };
  const buyer = await signUp(serverUrl, mailbox, signUpForm(`buyer_${++newUsers}`, invited), language);
  const orderId = await buyYear(paypal, buyer, language === "ja" ? "JPY" : "USD");
  await openAsMember(visitor, buyer, `/upgrade-account/payment/successed/${orderId}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await shoot("payment-success");
  await visitor.open("/purchase-history");
  await expect(page.getByRole("table")).toBeVisible();
  await shoot("purchase-history-bought");
  await visitor.open("/upgrade-account");
  await expect(page.getByRole("heading", { name: t.membership.titlePaid, exact: true })).toBeVisible();
  await shoot("upgrade-paid");
  await openAsMember(visitor, member, "/brokerage-fee");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByLabel(t.referral.email).scrollIntoViewIfNeeded();
  await shoot("brokerage-fee-earned");
}

async function farewell({ visitor, member, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await openAsMember(visitor, member, "/setting");
  await button(visitor, t.settings.logout).click();
  await shoot("log-out");
  await visitor.open("/setting/delete-account");
  await page.getByLabel(t.deleteAccount.password, { exact: true }).fill(member.password);
  await button(visitor, t.deleteAccount.delete).click();
  await expect(page.getByText(t.deleteAccount.noWayBack)).toBeVisible();
  await shoot("delete-account-sure");
}

export const visitorStories: readonly Story[] = [
  { name: "sign-up-pages", sheet: "sign-up", tell: signUpOnScreen },
  { name: "logging-in", sheet: "public", tell: logIn },
  { name: "resetting", sheet: "public", tell: resetPassword },
  { name: "google", sheet: "public", tell: googleReturn },
  { name: "plans", sheet: "membership", tell: plans },
  { name: "purchase", sheet: "membership", tell: purchase },
  { name: "farewell", sheet: "settings", tell: farewell },
];
