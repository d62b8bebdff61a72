import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("loads PayPal's script only when a plan is chosen, and lets a declined buyer try again in place", async ({
  visit,
  member,
  paypal,
  serverWith,
}) => {
  const hanako = await member("pays-by-buttons");
  const { url: serverUrl } = await serverWith({ PAYPAL_SCRIPT_URL: `${paypal.origin}/sdk/js` });
  const visitor = await visit({ serverUrl });
  const { page, t } = visitor;
  const { membership } = t;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const hasScript = () => page.locator("script[data-namespace]").count();
  const counts = async () => [
    (await paypal.ledger()).filter(({ kind }) => kind === "taken").length,
    await paypal.requestCount("create order"),
    await paypal.requestCount("capture order"),
  ];
  const before = await counts();
  // A request to PayPal before `allowOrigin` fails the test.
  await openAsMember(visitor, hanako, "/setting");
  await page.getByRole("link", { name: t.settings.userStatus }).click();
  await expect(page.getByRole("heading", { name: membership.title })).toBeVisible();
  await expect(button(membership.pay)).toBeEnabled();
  expect(await hasScript()).toBe(0);

  visitor.allowOrigin(paypal.origin);
  await page.getByRole("textbox", { name: membership.month }).fill("2");
  await page.getByRole("textbox", { name: membership.year }).fill("0");
  await button("PayPal").click();
  await button("Cancel").click();
  await expect(page.getByRole("heading", { name: membership.cancelled })).toBeVisible();
  await expect(page.getByRole("textbox", { name: membership.month })).toHaveValue("2");
  await page.getByLabel(membership.currency).selectOption("JPY");
  await expect.poll(hasScript).toBe(2);
  await button("PayPal").click();
  await button("Decline").click();
  await button("Decline").click();
  await button("Approve").click();

  await expect(page.getByRole("heading", { name: membership.thanks })).toBeVisible();
  await expect(page.getByText(/^¥3,000$/)).toBeVisible();
  await expect.poll(hasScript).toBe(0);
  // One order was cancelled, one was paid at its third capture.
  expect((await counts()).map((count, i) => count - before[i]!)).toEqual([1, 2, 3]);

  await page.goto(visitor.url("/upgrade-account"));
  await page.getByRole("textbox", { name: membership.year }).fill("2");
  await paypal.injectFault({ call: "create order", fault: "failing", times: 20 });
  visitor.allowError(/status of 503/);
  await button("PayPal").click();
  const sentence = formatText(membership.couldNotInitiate, { reason: t.errors.payments_unavailable });
  await expect(page.getByRole("alert").filter({ hasText: sentence })).toBeVisible();
  await paypal.clearFaults();
  await paypal.injectFault({ call: "capture order", fault: "pending" });
  await button("PayPal").click();
  await button("Approve").click();
  await expect(
    page.getByRole("heading", { name: formatText(membership.transaction, { status: "PENDING" }) }),
  ).toBeVisible();
});
