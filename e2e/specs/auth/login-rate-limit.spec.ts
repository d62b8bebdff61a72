import { logIn } from "@alcove/contract/accounts";
import { clientOf, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { mouse } from "../../actions/input-method.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

test.use({ rateLimits: "on" });

test("after too many wrong passwords a stranger waits, and the member's own device still gets in", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("guessed"));
  const own = await visit({ language: "zh-hans", device: "phone" });
  await own.open("/setting");
  await logInOnScreen(own, mouse, hanako);
  await own.page.getByRole("button", { name: own.t.settings.logout }).click();
  await own.page.getByRole("dialog").getByRole("button", { name: own.t.settings.logout }).click();
  await expect(own.page).toHaveURL(/\/login$/);
  const visitor = clientOf(server.url);
  for (let i = 0; i < 10; i++) {
    await visitor.ask(logIn, { user_id: hanako.userId, password: `wrong-${i}` }).catch(() => undefined);
  }

  const stranger = await visit({ language: "ja" });
  stranger.allowError(/status of 429/);
  await stranger.open("/login");
  await mouse.type(stranger.page.getByLabel(stranger.t.login.userId), hanako.userId);
  await mouse.type(stranger.page.getByLabel(stranger.t.login.password, { exact: true }), hanako.password);
  await mouse.press(stranger.page.getByRole("button", { name: stranger.t.login.logIn, exact: true }));
  await expect(
    stranger.page.getByRole("alert").filter({ hasText: stranger.t.errors.too_many_requests }),
  ).toBeVisible();
  await expect(stranger.page.getByLabel(stranger.t.login.userId)).toHaveValue(hanako.userId);

  await logInOnScreen(own, mouse, hanako);
});
