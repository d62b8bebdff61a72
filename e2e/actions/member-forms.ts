import { expect, type Locator } from "@playwright/test";
import type { SignedUpMember } from "@alcove/test-services/client";
import type { Fixtures, Visitor } from "../fixtures/test.ts";
import { formatText } from "../fixtures/translations.ts";
import { buyYear, createCoupon } from "./buy-membership.ts";
import type { InputMethod } from "./input-method.ts";
import { chooseFromMore } from "./more-menu.ts";

interface FormUnderTest {
  path: string;
  call: string;
  fill: (visitor: Visitor, input: InputMethod) => Promise<void>;
  button: (visitor: Visitor) => string;
  /** The text that appears on success. */
  done: (visitor: Visitor) => string;
}

/** The inviter's fee for a year. */
const feeOf = ({ t }: Visitor) => formatText(t.ui.money_USD, { amount: "16.00" });

/** The forms to fill in. They need a coupon, and a member with a fee to transfer. The last form changes the password. */
const memberForms = (taro: string, password: string, coupon: string): FormUnderTest[] => [
  {
    path: "/setting/profile",
    call: "/users/api/user",
    fill: ({ page, t }, input) => input.type(page.getByLabel(t.profileForm.hobby), "Kites"),
    button: ({ t }) => t.settings.save,
    done: ({ t }) => t.settings.saved,
  },
  {
    path: "/setting/filter",
    call: "/users/api/user",
    fill: ({ page, t }, input) =>
      input.tick(page.getByRole("radio", { name: t.profileForm.women, exact: true })),
    button: ({ t }) => t.settings.save,
    done: ({ t }) => t.settings.saved,
  },
  {
    path: "/setting/never-see",
    call: "/users/api/never-see",
    async fill({ page, t }, input) {
      await input.type(page.getByLabel(t.neverSee.who), "never@example.com");
      await input.press(page.getByRole("button", { name: t.neverSee.add, exact: true }));
      await expect(page.getByRole("dialog")).toContainText("never@example.com");
    },
    button: ({ t }) => t.neverSee.confirm,
    done: ({ t }) => t.neverSee.added,
  },
  {
    path: `/home/${taro}`,
    call: "/users/api/report",
    async fill(visitor, input) {
      const { page, t } = visitor;
      await chooseFromMore(visitor, "report", input);
      await input.tick(page.getByRole("radio", { name: t.safety.reason_spam }));
      await input.type(page.getByLabel(t.safety.detail), "He sells carpets.");
    },
    button: ({ t }) => t.safety.sendReport,
    done: ({ t }) => t.safety.reported,
  },
  {
    path: "/setting/delete-account",
    call: "/api/confirm-password",
    fill: ({ page, t }, input) =>
      input.type(page.getByLabel(t.deleteAccount.password, { exact: true }), password),
    button: ({ t }) => t.deleteAccount.delete,
    done: ({ t }) => t.deleteAccount.noWayBack,
  },
  {
    path: "/upgrade-account",
    call: "/users/api/coupon/use",
    async fill({ page, t }, input) {
      // After a reload it is still open.
      const opener = page.getByRole("button", { name: t.membership.haveCoupon });
      await expect(opener.or(page.getByLabel(t.membership.couponCode))).toBeVisible();
      if (await opener.isVisible()) await input.press(opener);
      await input.type(page.getByLabel(t.membership.couponCode), coupon);
      await page.keyboard.press("Tab");
      await expect(page.getByRole("button", { name: t.membership.applyCoupon })).toBeEnabled();
    },
    button: ({ t }) => t.membership.applyCoupon,
    done: ({ t }) => t.membership.couponApplied,
  },
  {
    path: "/brokerage-fee",
    call: "/api/confirm-password",
    async fill({ page, t }, input) {
      await input.type(page.getByLabel(t.referral.email), "payee@example.com");
      await input.type(page.getByLabel(t.deleteAccount.password, { exact: true }), password);
    },
    button: (visitor) => formatText(visitor.t.referral.transferAmount, { amount: feeOf(visitor) }),
    done: (visitor) => formatText(visitor.t.referral.confirmTransfer, { amount: feeOf(visitor) }),
  },
  {
    path: "/setting/password",
    call: "/users/api/user",
    async fill({ page, t }, input) {
      await input.type(page.getByLabel(t.passwords.current, { exact: true }), password);
      await input.type(page.getByLabel(t.passwords.newPassword, { exact: true }), "eighteen yellow herons");
      await input.type(page.getByLabel(t.passwords.newPasswordAgain), "eighteen yellow herons");
    },
    button: ({ t }) => t.passwords.change,
    done: ({ t }) => t.passwords.changed,
  },
];

interface FormOwner {
  hanako: SignedUpMember;
  forms: FormUnderTest[];
}

/** Signs up the member of the forms. */
export async function signUpForForms(
  { member, paypal, runOperator }: Pick<Fixtures, "member" | "paypal" | "runOperator">,
  name: string,
): Promise<FormOwner> {
  const hanako = await member(`hanako-${name}`);
  const taro = await member(`taro-${name}`, { sex: "male", invited_by_user_id: hanako.userId });
  await buyYear(paypal, taro);
  const coupon = name.toUpperCase();
  await createCoupon(runOperator, coupon);
  return { hanako, forms: memberForms(taro.userId, hanako.password, coupon) };
}

/** Returns the texts of the form on screen, without files. */
export function typedIn(form: Locator): Promise<string> {
  return form.evaluate((element: HTMLFormElement) =>
    JSON.stringify([...new FormData(element)].filter(([, value]) => typeof value === "string")),
  );
}
