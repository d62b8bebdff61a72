import type { Route } from "@playwright/test";
import { logOut } from "@alcove/contract/accounts";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { buyYear, createCoupon } from "../../actions/payments.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { requestCode, enterCode, fillInProfile, logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use({ payments: "stand-in" });

interface FormUnderTest {
  path: string;
  /** The call that its button makes. */
  call: string;
  fill: (visitor: Visitor) => Promise<void>;
  button: (visitor: Visitor) => string;
  /** What is there once it worked. */
  done: (visitor: Visitor) => string;
}

/** What a year that a friend bought brings. */
const EARNED = "USD 16.00";

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
    path: "/setting/notifications",
    call: "/users/api/notifications",
    fill: ({ page, t }) => page.getByRole("switch", { name: t.notifications.quietHours }).check(),
    button: ({ t }) => t.settings.save,
    done: ({ t }) => t.settings.saved,
  },
  {
    path: `/home/${taro}`,
    call: "/users/api/report",
    async fill({ page, t }) {
      await page.getByRole("button", { name: t.profile.report }).click();
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
    button: ({ t }) => formatText(t.referral.transferAmount, { amount: EARNED }),
    done: ({ t }) => formatText(t.referral.confirmTransfer, { amount: EARNED }),
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
  test(`what cannot be sent is said and stays as it was typed, and goes once however often it is pressed, in ${language}`, async ({
    visit,
    mailbox,
    server,
    paypal,
    runOperator,
  }) => {
    test.slow();
    const hanako = await signUp(server.url, mailbox, personOf(`forms-hanako-${language}`));
    const invited = { sex: "male", invited_by_user_id: hanako.userId } as const;
    const taro = await signUp(server.url, mailbox, personOf(`forms-taro-${language}`, invited));
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
      let answer: (route: Route) => unknown = (route) => route.fallback();
      await context.route(`**${call}`, (route) =>
        route.request().method() === "GET" ? route.fallback() : answer(route),
      );
      const refusing =
        (status: number, code: "too_many_requests" | "service_unavailable" | "fault") => (route: Route) =>
          route.fulfill({ status, json: { code, error_message: t.errors[code] } });
      for (const [trouble, sentence] of [
        [refusing(429, "too_many_requests"), t.errors.too_many_requests],
        [refusing(503, "service_unavailable"), t.errors.service_unavailable],
        [refusing(500, "fault"), t.errors.fault],
        [(route: Route) => route.abort(), t.errorScreen.offline],
      ] as const) {
        answer = trouble;
        await submit.click();
        const alert = page.getByRole("alert").getByText(sentence, { exact: true });
        await expect(alert, `${path} says it`).toBeVisible();
        expect(await page.getByRole("alert").count(), `${path} says nothing that is over`).toBe(1);
        expect(await typed(), `${path} keeps what was typed`).toBe(before);
        await expect(submit).not.toHaveAttribute("aria-busy");
      }

      const line = Promise.withResolvers<void>();
      let sent = 0;
      answer = async (route) => {
        sent++;
        await line.promise;
        await route.fallback();
      };
      await submit.dblclick();
      await expect(submit).toHaveAttribute("aria-busy", "true");
      await submit.press("Enter");
      const field = form.locator("input:not([type=hidden])").last();
      if ((await field.count()) > 0) await field.press("Enter");
      line.resolve();
      await expect(page.getByText(done(visitor)).first(), `${path} works at last`).toBeVisible();
      expect(await page.getByRole("alert").count(), `${path} says nothing that is over`).toBe(0);
      expect(sent, `${path} is sent once`).toBe(1);
      await context.unrouteAll({ behavior: "wait" });
    }
  });
}

test("whose account cannot be made just now is told so, and types nothing again", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit();
  visitor.allowError(/status of 503/);
  const { page, context, t } = visitor;
  const email = "forms-newcomer@example.com";
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, email);
  await enterCode(visitor, mouse, mailbox, email);
  await fillInProfile(visitor, mouse, {
    userId: "forms-newcomer",
    email,
    password: "seventeen green herons",
    username: "花子",
    sex: "female",
    description: "Walks by the river.",
  });
  const code = "service_unavailable";
  const json = { code, error_message: t.errors[code] };
  const create = page.getByRole("button", { name: t.signUp.create });

  await context.route("**/users/api/user", (route) => route.fulfill({ status: 503, json }));
  await create.click();
  await expect(page.getByRole("alert").getByText(t.errors[code], { exact: true })).toBeVisible();
  await context.unrouteAll({ behavior: "wait" });
  await create.click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
});

// Whoever ended it may not have the device in its hands: nothing half written waits there for somebody else.
test("a session that was ended elsewhere leaves nothing of a half-filled form, and its login leads back to it", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("ended-hanako"));
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/profile");
  await page.getByLabel(t.profileForm.hobby).fill("Kites");

  await hanako.ask(logOut, { token: hanako.refresh });

  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  expect(await page.content()).not.toContain("Kites");
  await logInOnScreen(visitor, mouse, hanako);
  await expect(page).toHaveURL(visitor.url("/setting/profile"));
  await expect(page.getByLabel(t.profileForm.hobby)).toHaveValue("");
  await expect(page.getByRole("heading", { name: t.settings.profile })).toBeFocused();
});
