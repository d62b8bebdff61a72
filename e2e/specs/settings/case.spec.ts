import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { mouse } from "../../actions/input-method.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

test("opens to a suspended member the case only: appeal, export, deletion and logout", async ({
  visit,
  member,
  runOperator,
}) => {
  const hanako = await member("case-hanako");
  await runOperator("members", "suspend", hanako.userId, "--reason", "sells watches");
  const visitor = await visit({ device: "phone" });
  visitor.allowError(/status of 401/);
  const { page, t } = visitor;
  await visitor.open("/login");
  await logInOnScreen(visitor, mouse, hanako);

  await expect(page.getByRole("heading", { level: 1, name: t.caseRoom.title })).toBeVisible();
  await expect(page.getByText(t.caseFacts.rule_other)).toBeVisible();
  await expect(page.getByText("watches")).toHaveCount(0);
  await checkAccessibility(visitor, "case");
  await page.getByLabel(t.caseRoom.appealLabel).fill("It was my brother.");
  await page.getByRole("button", { name: t.caseRoom.send }).click();
  await expect(page.getByText(t.caseRoom.open)).toBeVisible();
  await expect(page.getByText("It was my brother.")).toBeVisible();

  await visitor.open("/dm");
  await expect(page).toHaveURL(visitor.url("/case"));
  await page.getByRole("link", { name: t.settings.export }).click();
  await expect(page.getByRole("button", { name: t.deleteAccount.download })).toBeVisible();
  await page.getByRole("link", { name: t.caseRoom.title }).click();
  await page.getByRole("link", { name: t.settings.deleteAccount }).click();
  await expect(page.getByLabel(t.deleteAccount.password, { exact: true })).toBeVisible();
  await visitor.open("/case");
  await page.getByRole("button", { name: t.settings.logout }).click();
  await expect(page).toHaveURL(visitor.url("/login"));
});
