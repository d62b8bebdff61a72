import type { Route } from "@playwright/test";
import { buyYear, createCoupon } from "../../actions/buy-membership.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, fakeServices, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use(fakeServices);

interface FormUnderTest {
  path: string;
  call: string;
  fill: (visitor: Visitor) => Promise<void>;
  button: (visitor: Visitor) => string;
  /** The text that appears on success. */
  done: (visitor: Visitor) => string;
}

const FEE = "USD 16.00";

const FORMS = (taro: string, password: string, coupon: string): FormUnderTest[] => [
  {
    path: "/setting/profile",
    call: "/users/api/user",
    fill: ({ page, t }) => page.getByLabel(t.profileForm.hobby).fill("Kites"),
    button: ({ t }) => t.settings.save,
    done: ({ t }) => t.settings.saved,
  },
  {
    path: "/setting/filter",
    call: "/users/api/user",
    fill: ({ page, t }) => page.getByRole("radio", { name: t.profileForm.women }).check(),
    button: ({ t }) => t.settings.save,
    done: ({ t }) => t.settings.saved,
  },
  {
    path: "/setting/never-see",
    call: "/users/api/never-see",
    fill: ({ page, t }) => page.getByLabel(t.neverSee.who).fill("never@example.com"),
    button: ({ t }) => t.neverSee.add,
    done: ({ t }) => t.neverSee.added,
  },
  {
    path: `/home/${taro}`,
    call: "/users/api/report",
    async fill(visitor) {
      const { page, t } = visitor;
      await chooseFromMore(visitor, "report");
      await page.getByRole("radio", { name: t.safety.reason_spam }).check();
      await page.getByLabel(t.safety.detail).fill("He sells carpets.");
    },
    button: ({ t }) => t.safety.sendReport,
    done: ({ t }) => t.safety.reported,
  },
  {
    path: "/setting/delete-account",
    call: "/api/confirm-password",
    fill: ({ page, t }) => page.getByLabel(t.deleteAccount.password, { exact: true }).fill(password),
    button: ({ t }) => t.deleteAccount.delete,
    done: ({ t }) => t.deleteAccount.noWayBack,
  },
  {
    path: "/upgrade-account",
    call: "/users/api/coupon/use",
    async fill({ page, t }) {
      await page.getByRole("button", { name: t.membership.haveCoupon }).click();
      await page.getByLabel(t.membership.couponCode).fill(coupon);
      await page.keyboard.press("Tab");
      await expect(page.getByRole("button", { name: t.membership.applyCoupon })).toBeEnabled();
    },
    button: ({ t }) => t.membership.applyCoupon,
    done: ({ t }) => t.membership.couponApplied,
  },
  {
    path: "/brokerage-fee",
    call: "/api/confirm-password",
    async fill({ page, t }) {
      await page.getByLabel(t.referral.email).fill("payee@example.com");
      await page.getByLabel(t.deleteAccount.password, { exact: true }).fill(password);
    },
    button: ({ t }) => formatText(t.referral.transferAmount, { amount: FEE }),
    done: ({ t }) => formatText(t.referral.confirmTransfer, { amount: FEE }),
  },
  {
    path: "/setting/password",
    call: "/users/api/user",
    async fill({ page, t }) {
      await page.getByLabel(t.passwords.current, { exact: true }).fill(password);
      await page.getByLabel(t.passwords.newPassword, { exact: true }).fill("eighteen yellow herons");
      await page.getByLabel(t.passwords.newPasswordAgain).fill("eighteen yellow herons");
    },
    button: ({ t }) => t.passwords.change,
    done: ({ t }) => t.passwords.changed,
  },
];

for (const language of ["en", "ja"] as const) {
  test(`shows errors, keeps the input and sends each form once in ${language}`, async ({
    visit,
    member,
    paypal,
    runOperator,
  }) => {
    test.slow();
    const hanako = await member(`forms-hanako-${language}`);
    const invited = { sex: "male", invited_by_user_id: hanako.userId } as const;
    const taro = await member(`forms-taro-${language}`, invited);
    await buyYear(paypal!, taro);
    const coupon = `FORMS-${language.toUpperCase()}`;
    await createCoupon(runOperator, coupon);
    const visitor = await visit({ language });
    visitor.allowError(/status of (429|50[03])|net::ERR_FAILED|Offline/);
    const { page, context, t } = visitor;
    await openAsMember(visitor, hanako, "/setting");

    for (const { path, call, fill, button, done } of FORMS(taro.userId, hanako.password, coupon)) {
      await visitor.open(path);
      await fill(visitor);
      const form = page.locator("form").last();
      const submit = form.getByRole("button", { name: button(visitor), exact: true });
      const typed = () =>
        form.evaluate((element: HTMLFormElement) =>
          JSON.stringify([...new FormData(element)].filter(([, value]) => typeof value === "string")),
        );
      const before = await typed();
      let handle: (route: Route) => unknown = (route) => route.fallback();
      await context.route(`**${call}`, (route) =>
        route.request().method() === "GET" ? route.fallback() : handle(route),
      );
      const failWith =
        (status: number, code: "too_many_requests" | "service_unavailable" | "fault") => (route: Route) =>
          route.fulfill({ status, json: { code, error_message: t.errors[code] } });
      for (const [failure, sentence] of [
        [failWith(429, "too_many_requests"), t.errors.too_many_requests],
        [failWith(503, "service_unavailable"), t.errors.service_unavailable],
        [failWith(500, "fault"), t.errors.fault],
        [(route: Route) => route.abort(), t.errorScreen.offline],
      ] as const) {
        handle = failure;
        await submit.click();
        const alert = page.getByRole("alert").getByText(sentence, { exact: true });
        await expect(alert, `${path} shows the error`).toBeVisible();
        expect(await page.getByRole("alert").count(), `${path} shows no outdated error`).toBe(1);
        expect(await typed(), `${path} keeps the input`).toBe(before);
        await expect(submit).not.toHaveAttribute("aria-busy");
      }

      const gate = Promise.withResolvers<void>();
      let sent = 0;
      handle = async (route) => {
        sent++;
        await gate.promise;
        await route.fallback();
      };
      await submit.dblclick();
      await expect(submit).toHaveAttribute("aria-busy", "true");
      await submit.press("Enter");
      const field = form.locator("input:not([type=hidden])").last();
      if ((await field.count()) > 0) await field.press("Enter");
      gate.resolve();
      await expect(page.getByText(done(visitor)).first(), `${path} succeeds`).toBeVisible();
      expect(await page.getByRole("alert").count(), `${path} shows no outdated error`).toBe(0);
      expect(sent, `${path} is sent once`).toBe(1);
      await context.unrouteAll({ behavior: "wait" });
    }
  });
}
