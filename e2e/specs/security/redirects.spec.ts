import { mouse } from "../../actions/input-method.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

// Other spellings are in the test of `localUrl`.
const UNSAFE_TARGETS = ["//evil.example/en", "/\t/evil.example/", "javascript:document.title='run'"];

test("never leads to another site after a login", async ({ visit, member }) => {
  const hanako = await member("next-target");
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, t } = visitor;
  const ownOrigin = new URL(visitor.url("")).origin;

  for (const next of UNSAFE_TARGETS) {
    await visitor.open(`/login?next=${encodeURIComponent(next)}`);
    await logInOnScreen(visitor, mouse, hanako);
    await expect(page.getByText(t.login.welcomeBack)).toBeHidden();
    expect(new URL(page.url()).origin, next).toBe(ownOrigin);
    await expect(page).toHaveTitle("Alcove");
    await page.evaluate(() => localStorage.removeItem("session"));
  }
});
