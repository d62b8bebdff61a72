import { logOut } from "@alcove/contract/accounts";
import { mouse } from "../../actions/input-method.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

test("keeps the menu on public pages, which offer members no new account", async ({ visit, member }) => {
  const hanako = await member("public-menu");
  const visitor = await visit();
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/about-service");

  for (const path of [
    "/about-service",
    "/pricing",
    "/tos",
    "/privacy-policy",
    "/contact",
    "/unsubscribe?token=a",
    "/nowhere",
  ]) {
    await visitor.open(path);
    await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
    await expect(page.getByRole("link", { name: t.about.createAccount })).toHaveCount(0);
  }
});

test("keeps the typed login when a slow logout ends", async ({ visit, member }) => {
  const hanako = await member("hasty");
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  await page.route("**/users/api/logout", async (route) => {
    await mayEnd;
    await route.continue();
  });

  await page.getByRole("button", { name: t.settings.logout }).click();
  const question = page.getByRole("dialog", { name: t.settings.confirmLogout });
  await question.getByRole("button", { name: t.settings.logout }).click();
  await page.getByLabel(t.login.userId).fill(hanako.userId);
  await page.getByLabel(t.login.password, { exact: true }).fill(hanako.password);
  const response = page.waitForResponse("**/users/api/logout");
  end();
  await response;
  await expect(page).toHaveURL(visitor.url("/login"));
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();

  await expect(page.getByLabel(t.login.userId)).toBeHidden();
});

/** New tokens of the second in which the member logged in would equal theirs. */
const EXPIRED = "expired";

/** Lets the access token `EXPIRED` expire. Returns the refresh tokens of later renewals; the first waits for `mayRenew`. */
async function expireAccess({ context, t }: Visitor, mayRenew?: Promise<void>): Promise<string[]> {
  const renewed: string[] = [];
  await context.route("**/*", async (route) => {
    const isExpired = route.request().headers()["authorization"] === `Bearer ${EXPIRED}`;
    const body = JSON.stringify({ code: "token_expired", error_message: t.errors.token_expired });
    if (isExpired) await route.fulfill({ status: 401, contentType: "application/json", body });
    else if (route.request().url().endsWith("/api/token/refresh/")) {
      await mayRenew;
      const response = await route.fetch();
      renewed.push(((await response.json()) as { refresh: string }).refresh);
      await route.fulfill({ response });
    } else await route.fallback();
  });
  return renewed;
}

test("renews the tokens once when they expire in two tabs", async ({ visit, member, place }) => {
  const hanako = await member("expired-access");
  await setPosition(place, hanako);
  const visitor = await visit({ at: place });
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  const renewed = await expireAccess(visitor);

  const second = await context.newPage();
  await Promise.all([
    openAsMember(visitor, { ...hanako, access: EXPIRED }, "/setting/blocks"),
    page
      .waitForURL("**/setting/blocks", { waitUntil: "commit" })
      .then(() => second.goto(visitor.url("/setting/filter"))),
  ]);

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  await expect(second.getByRole("button", { name: t.settings.save })).toBeVisible();
  expect(new Set(renewed).size).toBe(1);
});

test("uses the tokens of another tab when storage shows them late", async ({ visit, member }) => {
  const hanako = await member("late-tokens");
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  const renewalGate = Promise.withResolvers<void>();
  const renewed = await expireAccess(visitor, renewalGate.promise);
  const second = await context.newPage();
  const renewal = page.waitForRequest("**/api/token/refresh/");
  await openAsMember(visitor, { ...hanako, access: EXPIRED }, "/setting/blocks");
  await renewal;
  await second.goto(visitor.url("/setting/filter"));
  const isWaiting = async () => {
    const { pending } = await navigator.locks.query();
    return pending!.some(({ name }) => name === "session");
  };
  await expect.poll(() => second.evaluate(isWaiting)).toBe(true);

  // Browsers under load grant the lock before they show the stored tokens.
  await second.evaluate(() => {
    const { getItem } = Storage.prototype;
    const { fetch } = globalThis;
    const old = new Map(Object.entries(localStorage) as [string, string][]);
    Storage.prototype.getItem = (name) => old.get(name) ?? null;
    globalThis.fetch = async (...request) => {
      const response = await fetch(...request);
      if (response.url.endsWith("/api/token/refresh/")) Storage.prototype.getItem = getItem;
      return response;
    };
  });
  renewalGate.resolve();

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  await expect(second.getByRole("button", { name: t.settings.save })).toBeVisible();
  expect(renewed).toHaveLength(2);
  expect(new Set(renewed).size).toBe(1);
  await page.reload();
  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
});

test("stays logged in after a reload when the response with new tokens was lost", async ({
  visit,
  member,
}) => {
  const hanako = await member("lost-response");
  const visitor = await visit();
  visitor.allowError(/status of 401|net::ERR_FAILED|Offline/);
  const { page, context, t } = visitor;
  let renewals = 0;
  await context.route("**/*", async (route) => {
    const isExpired = route.request().headers()["authorization"] === `Bearer ${EXPIRED}`;
    const body = JSON.stringify({ code: "token_expired", error_message: t.errors.token_expired });
    if (isExpired) await route.fulfill({ status: 401, contentType: "application/json", body });
    else if (route.request().url().endsWith("/api/token/refresh/") && renewals++ === 0) {
      await route.fetch(); // the server has given new tokens
      await route.abort();
    } else await route.fallback();
  });
  await openAsMember(visitor, { ...hanako, access: EXPIRED }, "/setting/blocks");
  // The page may retry before the reload.
  const offline = page.getByRole("heading", { name: t.errorScreen.offline });
  await expect(offline.or(page.getByText(t.settings.noBlocks))).toBeVisible();

  await page.reload();

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  expect(renewals).toBeGreaterThanOrEqual(2);
});

test("stays logged in when an error response is cut off", async ({ visit, member }) => {
  const hanako = await member("cut-refusal");
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  const path = "**/users/api/blocks";
  await context.route(path, (route) => route.fulfill({ status: 401, body: '{"code":"to' }));
  await openAsMember(visitor, hanako, "/setting/blocks");
  await expect(page.getByRole("heading", { name: t.errorScreen.offline })).toBeVisible();

  await context.unroute(path);
  // The screen tries again at once.
  await page.evaluate(() => dispatchEvent(new Event("online")));

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
});

test("clears a half-filled form when the session ends elsewhere, and returns to it after the login", async ({
  visit,
  member,
}) => {
  const hanako = await member("ended-hanako");
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/profile");
  await page.getByLabel(t.profileForm.hobby).fill("Kites");

  await hanako.call(logOut, { token: hanako.refresh });

  await expect(page.getByLabel(t.login.userId)).toBeVisible();
  expect(await page.content()).not.toContain("Kites");
  await logInOnScreen(visitor, mouse, hanako);
  await expect(page).toHaveURL(visitor.url("/setting/profile"));
  await expect(page.getByLabel(t.profileForm.hobby)).toHaveValue("");
  await expect(page.getByRole("heading", { name: t.settings.profile })).toBeFocused();
});
