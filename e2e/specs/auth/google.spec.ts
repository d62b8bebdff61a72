import type { Page } from "@playwright/test";
import { logIn, register } from "@alcove/contract/accounts";
import { createClient } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { type InputMethod, keyboard, mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { chooseGoogleAccount, logInOnScreen, signUpWithGoogle } from "../../actions/sign-up.ts";
import { expect, type Fixtures, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.beforeEach(({ google }) => google.setBehaviour("well"));

let subjects = 0;

/** Opens a browser that may send requests to Google, where the visitor has an account. */
async function visitWithAccount(
  { visit, google }: Pick<Fixtures, "visit" | "google">,
  email: string,
  options: Parameters<Fixtures["visit"]>[0] = {},
): Promise<Visitor> {
  await google.addAccount({ subject: `10000000000000000${subjects++}`, email });
  const visitor = await visit(options);
  visitor.allowOrigin(google.origin);
  return visitor;
}

/** Signs up through the API with a Google account that exists. */
async function registerWithGoogle(
  { server, google }: Pick<Fixtures, "server" | "google">,
  user: ReturnType<typeof signUpForm>,
): Promise<void> {
  const accessToken = await google.issueToken(user.email);
  const form = { ...user, provider: "google", accessToken, passwordConfirmation: user.password } as const;
  await createClient(server.url).call(register, form);
}

async function logInWithGoogle({ page, t }: Visitor, input: InputMethod, email: string): Promise<void> {
  await input.press(page.getByRole("button", { name: t.login.withGoogle }));
  await chooseGoogleAccount(page, input, email);
}

/** Returns the URL and everything that the page stores. */
async function storedData(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([
      location.href,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      history.state,
    ]),
  );
}

test("signs up an invited user with Google without a code, and leads to the requested page after the login", async ({
  visit,
  member,
  server,
  google,
}) => {
  test.slow(); // a sign-up, two logins and two checks
  await member("google-inviter");
  const user = signUpForm("google-hanako");
  const visitor = await visitWithAccount({ visit, google }, user.email, { language: "ja" });
  const { page, t } = visitor;
  let firstRequest = "";
  page.on("request", (request) => {
    if (request.url().startsWith(google.origin)) firstRequest ||= request.url();
  });

  // The state returns the inviter even if storage is lost.
  await page.addInitScript(() => {
    if (location.hash.includes("access_token")) localStorage.removeItem("invitedBy");
  });

  await signUpWithGoogle(visitor, mouse, user, "?invited_by=google-inviter");
  await checkAccessibility(visitor, "the form after Google");
  expect(new URL(firstRequest).searchParams.get("state")).toMatch(/^invited_by__google-inviter\.[\w-]{43}$/);
  expect(await storedData(page)).not.toMatch(/ya29|access_token/);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("invitedBy"))).toBe("google-inviter");
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page.getByText(t.signUp.done)).toBeVisible();

  await visitor.open(`/login?next=${encodeURIComponent("/ja/setting?from=google")}`);
  await checkAccessibility(visitor, "the login with Google");
  await logInWithGoogle(visitor, mouse, user.email);
  await expect(page).toHaveURL(visitor.url("/setting?from=google"));
  expect(await storedData(page)).not.toMatch(/ya29|access_token/);
  await createClient(server.url).call(logIn, { user_id: user.userId, password: user.password });

  // In place of the screen that showed the login.
  await page.evaluate(() => localStorage.removeItem("session"));
  await visitor.open("/setting/filter");
  await logInWithGoogle(visitor, keyboard, user.email);
  await expect(page).toHaveURL(visitor.url("/setting/filter"));
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
});

test(
  "shows an error when a Google account is unknown at the login or known at the sign-up",
  { tag: "@long" },
  async ({ visit, member, google }) => {
    const hanako = await member("google-known");
    const visitor = await visitWithAccount({ visit, google }, hanako.email, { language: "zh-hant" });
    const { page, t } = visitor;
    visitor.allowError(/status of 404/);

    await visitor.open("/login");
    await logInWithGoogle(visitor, mouse, hanako.email);
    await expect(alertWith(visitor, t.errors.social_account_not_found)).toBeVisible();
    await expect(page).toHaveURL(visitor.url("/login"));

    await visitor.open("/sign-up");
    await page.getByRole("checkbox", { name: formatText(t.signUp.agreePrivacy) }).check();
    await page.getByRole("checkbox", { name: formatText(t.signUp.agreeTerms) }).check();
    await page.getByRole("button", { name: t.signUp.withGoogle }).click();
    await chooseGoogleAccount(page, mouse, hanako.email);
    await expect(alertWith(visitor, t.fields.account_exists)).toBeVisible();
    await expect(page.getByRole("heading", { name: t.signUp.title })).toBeVisible();
    await expect(page).toHaveURL(visitor.url("/sign-up"));
  },
);

test("ignores a response of Google that was used before or never requested", async ({
  visit,
  server,
  google,
}) => {
  const user = signUpForm("google-replay");
  const visitor = await visitWithAccount({ visit, google }, user.email);
  const { page, t } = visitor;
  const failed = alertWith(visitor, t.login.failed);
  await registerWithGoogle({ server, google }, user);
  const redirects: string[] = [];
  page.on("response", (response) => {
    const to = response.headers()["location"];
    if (response.status() === 302 && to) redirects.push(to);
  });
  await visitor.open("/setting");
  await logInWithGoogle(visitor, mouse, user.email);
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("session"));

  expect(redirects).toHaveLength(1);
  await page.goto("/favicon.svg");
  await page.goto(redirects[0]!);
  await expect(failed).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login"));
  // A link with an attacker's token, without and with a login in progress.
  const foreign = `#access_token=${await google.issueToken(user.email)}&state=invited_by__attacker.AAAA`;
  for (const path of ["/oauth-callback/login", "/sign-up"]) {
    for (const isLoggingIn of [false, true]) {
      if (isLoggingIn) {
        await visitor.open("/login");
        await page.getByRole("button", { name: t.login.withGoogle }).click();
        await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
      } else await page.goto("/favicon.svg");
      await visitor.open(`${path}${foreign}`);
      await expect(failed).toBeVisible();
      expect(await storedData(page)).not.toMatch(/ya29|access_token|attacker|"session"/);
    }
  }
  // The response to a login at the sign-up.
  await visitor.open("/login");
  await page.getByRole("button", { name: t.login.withGoogle }).click();
  await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
  const state = new URL(page.url()).searchParams.get("state")!;
  await visitor.open(`/sign-up#access_token=${await google.issueToken(user.email)}&state=${state}`);
  await expect(failed).toBeVisible();
  await expect(page.getByRole("heading", { name: t.signUp.title })).toBeVisible();
});

test(
  "shows that the login failed when Google returns no token or the visitor cancels",
  { tag: "@long" },
  async ({ visit, google }) => {
    const visitor = await visitWithAccount({ visit, google }, "google-mind@example.com", {
      language: "zh-hans",
    });
    const { page, t } = visitor;

    await visitor.open("/oauth-callback/login?next=%2Fzh-hans%2Fdm");
    await expect(alertWith(visitor, t.login.failed)).toBeVisible();
    await expect(page).toHaveURL(visitor.url("/login?next=%2Fzh-hans%2Fdm"));

    await visitor.open("/login?next=%2Fzh-hans%2Fdm");
    await logInWithGoogle(visitor, mouse, "Cancel");
    await expect(alertWith(visitor, t.login.failed)).toBeVisible();
    await expect(page).toHaveURL(visitor.url("/login?next=%2Fzh-hans%2Fdm"));
  },
);

test(
  "shows that Google is unavailable and still accepts the password",
  { tag: "@long" },
  async ({ visit, member, google }) => {
    const hanako = await member("google-down");
    const visitor = await visitWithAccount({ visit, google }, "google-down@example.com");
    const { page, t } = visitor;
    visitor.allowError(/status of 503/);
    await google.setBehaviour("silent");

    await visitor.open("/login");
    await logInWithGoogle(visitor, mouse, "google-down@example.com");
    await expect(page.getByRole("heading", { name: t.login.signingIn })).toBeVisible();
    await checkAccessibility(visitor, "the way back from Google");
    await expect(alertWith(visitor, t.errors.google_unavailable)).toBeVisible();
    await logInOnScreen(visitor, mouse, hanako);

    await expect(page).toHaveURL(visitor.url(""));
  },
);
