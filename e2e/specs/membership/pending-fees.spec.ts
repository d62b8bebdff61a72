import { captureOrder, createOrder } from "@alcove/contract/membership";
import { priceOf } from "@alcove/contract/prices";
import { getBrokerageFee } from "@alcove/contract/referral";
import { languages } from "@alcove/i18n";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows the pending amount and its date in every language", async ({ visit, member }) => {
  test.slow();
  const inviter = await member("waits-for-a-fee");
  const buyer = await member("buys-a-year", { invited_by_user_id: inviter.userId });
  const plan = { year: 1, month: 0 };
  const wish = { currency: "USD", price: priceOf("USD", plan), ...plan } as const;
  const { order_id, approve_url } = await buyer.call(createOrder, wish);
  const body = new URLSearchParams({ choice: "approve" });
  await fetch(approve_url, { method: "POST", body, redirect: "manual" });
  await buyer.call(captureOrder, { order_id });
  const { pending_until } = await inviter.call(getBrokerageFee, {});

  for (const language of languages) {
    const visitor = await visit({ language, device: "phone" });
    const { page, t } = visitor;
    await openAsMember(visitor, inviter, "/brokerage-fee");

    const pending = page.getByText(t.referral.held, { exact: true }).locator("xpath=..");
    await expect(pending).toContainText(/USD\s16\.00/);
    const day = await page.evaluate((until) => {
      const at = new Date(until);
      const twoDigits = (number: number) => String(number).padStart(2, "0");
      return `${at.getFullYear()}/${twoDigits(at.getMonth() + 1)}/${twoDigits(at.getDate())}`;
    }, pending_until!);
    await expect(pending).toContainText(formatText(t.referral.heldUntil, { day }));
    await expect(page.getByText(t.referral.tooLittle)).toBeVisible();
    if (language === "ja") await checkAccessibility(visitor, "a pending fee");
  }
});
