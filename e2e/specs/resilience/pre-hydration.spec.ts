import { keyboard, mouse } from "../../actions/input-method.ts";
import { enterCode } from "../../actions/sign-up.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { entryScript, screenScript } from "../../fixtures/scripts.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText, translationsOf } from "../../fixtures/translations.ts";

/** Opens a page whose scripts wait for `hydrate`. `sent` collects the URLs of navigations and POST requests. */
async function openUnhydrated(
  visitor: Visitor,
  path: string,
): Promise<{ hydrate: () => void; sent: string[] }> {
  const { page, context, url } = visitor;
  const { promise, resolve } = Promise.withResolvers<void>();
  await context.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === "POST" || request.isNavigationRequest()) sent.push(pathname + search);
  });
  await page.goto(url(path), { waitUntil: "commit" });
  sent.length = 0;
  return { hydrate: resolve, sent };
}

test("logs in once at hydration when the login was submitted before", async ({ visit, member }) => {
  const hanako = await member("early-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  const { hydrate, sent } = await openUnhydrated(visitor, "/login?next=/en/setting");
  const userId = page.getByLabel(t.login.userId);
  const password = page.getByLabel(t.login.password, { exact: true });
  const button = page.getByRole("button", { name: t.login.logIn, exact: true });

  await userId.fill("early-hana");
  await password.fill(hanako.password);
  await page.getByRole("checkbox", { name: t.login.shared }).check();
  await password.press("Enter");
  await expect(button).toHaveAttribute("aria-busy", "true");
  await button.click();
  await userId.press("End");
  await userId.pressSequentially("ko");
  expect(sent).toEqual([]);
  hydrate();

  await expect(page.getByRole("heading", { name: t.settings.profile })).toBeVisible();
  expect(sent.filter((path) => path.endsWith("/api/token/"))).toHaveLength(1);
  expect(sent.join()).not.toContain(hanako.password);
  expect(await page.evaluate(() => localStorage.getItem("session"))).toBeNull(); // shared computer
});

test("opens the login on the landing and logs in when all was typed before hydration", async ({
  visit,
  member,
}) => {
  const hanako = await member("landing-hanako");
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const { hydrate } = await openUnhydrated(visitor, "");
  const userId = page.getByLabel(t.login.userId);
  const password = page.getByLabel(t.login.password, { exact: true });

  await expect(page.getByRole("link", { name: t.login.createAccount })).toBeVisible();
  await expect(userId).toBeHidden();
  await keyboard.press(page.getByRole("button", { name: t.login.logIn, exact: true }));
  await expect(userId).toBeFocused();
  await expect(page.getByRole("checkbox", { name: t.login.shared })).toBeHidden(); // a phone
  await page.keyboard.type("landing-hanako");
  await keyboard.type(password, hanako.password);
  hydrate();
  await expect(page.locator(".start-form")).toHaveCount(0);
  await expect(userId).toHaveValue("landing-hanako");
  await expect(password).toBeFocused();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  await expect(userId).toBeHidden();
});

test("picks the view of the first page before hydration, and the same one after it", async ({
  visit,
  member,
}) => {
  const hanako = await member("views-hanako");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  const session = JSON.stringify({ access: hanako.access, refresh: hanako.refresh });
  const pitch = page.getByRole("heading", { name: formatText(t.login.pitch) });
  const login = page.getByRole("heading", { name: t.login.welcomeBack });
  const menu = page.getByRole("navigation", { name: t.shell.menu });
  const views = async () => [await pitch.isVisible(), await login.isVisible(), await menu.isVisible()];
  await page.goto("/favicon.svg");

  for (const [stored, expected] of [
    [{}, [true, false, false]],
    [{ device: "of an earlier login" }, [false, true, false]],
    [{ session }, [false, false, true]],
  ] as const) {
    await page.evaluate((entries) => {
      localStorage.clear();
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, stored);
    const { hydrate } = await openUnhydrated(visitor, "");
    await expect.poll(views).toEqual(expected);
    hydrate();
    await expect(page.locator(".start-visitor, .start-home")).toHaveCount(0);
    expect(await views()).toEqual(expected);
    await page.context().unrouteAll();
  }
  await page.evaluate(() => localStorage.setItem("lock", "{}"));
  await openUnhydrated(visitor, "");
  await expect(page.locator("html")).toHaveAttribute("data-start", "locked");
  expect(await page.locator("body").innerText()).toBe("");
});

test("keeps and sends a login that the browser filled in before hydration", async ({ visit, member }) => {
  const hanako = await member("filled-hanako");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  const { hydrate } = await openUnhydrated(visitor, "/login");
  const userId = page.getByLabel(t.login.userId);
  const password = page.getByLabel(t.login.password, { exact: true });
  const button = page.getByRole("button", { name: t.login.logIn, exact: true });
  // A password manager presses no key.
  for (const [field, value] of [
    [userId, hanako.userId],
    [password, hanako.password],
  ] as const) {
    await field.evaluate((input: HTMLInputElement, to) => (input.value = to), value);
  }
  const show = page.getByRole("button", { name: t.ui.showPassword });

  hydrate();
  await expect(async () => {
    if (await show.isVisible()) await show.click();
    await expect(password).toHaveAttribute("type", "text", { timeout: 500 });
  }).toPass();
  await expect(userId).toHaveValue(hanako.userId);
  await expect(password).toHaveValue(hanako.password);
  await button.click();

  await expect(button).toBeHidden();
});

test("keeps checkboxes, email address and their places from before hydration", async ({ visit, mailbox }) => {
  const visitor = await visit();
  const { page, t } = visitor;
  const { hydrate, sent } = await openUnhydrated(visitor, "/sign-up?invited_by=early-inviter");
  const boxes = [t.signUp.agreePrivacy, t.signUp.agreeTerms].map((name) =>
    page.getByRole("checkbox", { name: formatText(name) }),
  );
  const email = page.getByLabel(t.codes.email);
  const send = page.getByRole("button", { name: t.codes.send });

  await email.fill("early@example.com");
  for (const box of boxes) await box.check();
  await expect(send).toBeDisabled();
  const place = await email.boundingBox();
  hydrate();

  await expect(send).toBeEnabled();
  await expect(page.getByText("You were invited by early-inviter.")).toBeVisible();
  expect(await email.boundingBox()).toEqual(place);
  for (const box of boxes) await expect(box).toBeChecked();
  expect(sent).toEqual([]);
  await send.click();
  await enterCode(visitor, mouse, mailbox, "early@example.com");
});

test("requests a password reset and unsubscribes at hydration when submitted before", async ({ visit }) => {
  const visitor = await visit({ language: "zh-hant", device: "phone" });
  const { page, t } = visitor;

  const first = await openUnhydrated(visitor, "/reset-password");
  await page.getByLabel(t.codes.email).fill("nobody@example.com");
  await page.getByRole("button", { name: t.codes.send }).click();
  expect(first.sent).toEqual([]);
  first.hydrate();
  await expect(page.getByRole("heading", { name: t.codes.title })).toBeVisible();
  await expect(page.getByText("nobody@example.com")).toBeVisible();

  visitor.allowError(/status of 4\d\d/);
  await page.context().unrouteAll();
  const second = await openUnhydrated(visitor, "/unsubscribe?token=not-a-token");
  await page.getByRole("button", { name: t.notifications.end }).click();
  expect(second.sent).toEqual([]);
  second.hydrate();
  await expect(page.getByText(t.notifications.endBroken)).toBeVisible();
});

test("hides the screen before hydration, and opens the language menu at hydration", async ({ visit }) => {
  const visitor = await visit();
  const { page, t } = visitor;
  const title = page.getByRole("heading", { name: t.about.title });
  const hide = page.getByRole("button", { name: t.shell.hide });

  const first = await openUnhydrated(visitor, "/about-service");
  await expect(title).toBeVisible();
  await hide.click();
  await expect(title).toBeHidden();
  first.hydrate();
  const back = page.getByRole("button", { name: t.privacyScreen.back });
  await expect(back).toBeFocused();
  await pressEscapeTwice(visitor);
  await expect(title).toBeVisible();

  await page.context().unrouteAll();
  const second = await openUnhydrated(visitor, "/about-service");
  await page.getByRole("button", { name: t.shell.language }).click();
  second.hydrate();
  await expect(page.getByRole("dialog", { name: t.shell.language })).toBeVisible();
});

test("stays where a page was scrolled to before hydration, and keeps the height of the page", async ({
  visit,
}) => {
  const visitor = await visit({ device: "phone" });
  const { page } = visitor;
  const top = () => page.evaluate(() => Math.round(scrollY));
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);

  // The login has Google's button.
  for (const path of ["", "/login", "/tos"]) {
    const { hydrate } = await openUnhydrated(visitor, path);
    await expect(page.getByRole("contentinfo")).toBeAttached();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const [scrolled, high] = [await top(), await height()];
    expect(scrolled, path).toBeGreaterThan(0);
    hydrate();
    await expect(page.locator("html")).toHaveAttribute("data-hydrated");
    // The built page's loaders run again, as a revalidation.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect([await top(), await height()], path).toEqual([scrolled, high]);
    await page.context().unrouteAll();
  }
});

test("shows that the app failed to load, and keeps the input", async ({ visit }) => {
  for (const missing of [entryScript(), screenScript("screens/login/login")].map((path) => `**${path}`)) {
    const visitor = await visit({ language: "ja" });
    visitor.allowError(/net::ERR_FAILED|Failed to fetch/);
    const { page, context, t } = visitor;
    await context.route(missing, (route) => route.abort());
    await visitor.open("/login");
    await expect(page.getByRole("alert")).toHaveText(t.shell.loadFailed);
    const userId = page.getByLabel(t.login.userId);
    await userId.fill("early-hanako");
    await page.getByLabel(t.login.password, { exact: true }).fill("not to be lost");
    await userId.press("Enter");

    await expect(page).toHaveURL(visitor.url("/login"));
    await expect(userId).toHaveValue("early-hanako");
    await expect(page.locator("[aria-busy]")).toHaveCount(0);
    await context.unrouteAll();
  }
});

test("shows a note when JavaScript is off", async ({ server, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();

  for (const path of ["/en", "/en/login"]) {
    await page.goto(server.url + path);
    await expect(page.getByRole("heading", { name: translationsOf("en").login.welcomeBack })).toBeVisible();
    await expect(page.getByLabel(translationsOf("en").login.userId)).toBeVisible();
    await expect(page.getByText(formatText(translationsOf("en").login.pitch))).toBeHidden();
    await expect(page.getByRole("navigation")).toHaveCount(0);
  }

  const note = page.locator("noscript p"); // text locators do not find noscript content
  await expect(note).toBeVisible();
  await expect(note).toHaveText(translationsOf("en").shell.needsScript, { useInnerText: true });
  await expect(page.getByText(translationsOf("en").shell.loadFailed)).toBeHidden();
  await context.close();
});
