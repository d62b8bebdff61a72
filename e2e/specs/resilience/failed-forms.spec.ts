import type { Route } from "@playwright/test";
import { mouse } from "../../actions/input-method.ts";
import { signUpForForms, typedIn } from "../../actions/member-forms.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

for (const language of ["en", "ja"] as const) {
  test(
    `shows errors, keeps the input and sends each form once in ${language}`,
    { tag: "@long" },
    async ({ visit, member, paypal, runOperator }) => {
      test.slow();
      const { hanako, forms } = await signUpForForms({ member, paypal, runOperator }, `forms-${language}`);
      const visitor = await visit({ language });
      visitor.allowError(/status of (429|50[03])|net::ERR_FAILED|Offline/);
      const { page, context, t } = visitor;
      await openAsMember(visitor, hanako, "/setting");

      for (const { path, call, fill, button, done } of forms) {
        await visitor.open(path);
        await fill(visitor, mouse);
        const form = page.locator("form").last();
        const submit = form.getByRole("button", { name: button(visitor), exact: true });
        const typed = () => typedIn(form);
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
          await expect(page.getByRole("alert"), `${path} shows no outdated error`).toHaveCount(1);
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
        await expect(page.getByRole("alert"), `${path} shows no outdated error`).toHaveCount(0);
        expect(sent, `${path} is sent once`).toBe(1);
        await context.unrouteAll({ behavior: "wait" });
      }
    },
  );
}
