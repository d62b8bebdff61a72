import { type Page } from "@playwright/test";
import { logIn } from "@alcove/contract/accounts";
import { clientOf, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { keyboard, mouse, type InputMethod } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { chooseGoogleAccount, logInOnScreen, signUpWithGoogle, type NewUser } from "../../actions/sign-up.ts";
import { expect, test, type Fixtures, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use({ signIn: "google" });
test.beforeEach(({ google }) => google.behave("well"));

let subjects = 0;

function newUser(userId: string): NewUser {
  return {
    userId,
    email: `${userId}@example.com`,
    password: "seventeen violet walruses",
    username: userId,
    sex: "female",
    description: "I like quiet evenings.",
  };
}

const alertOf = ({ page }: Visitor, text: string) => page.getByRole("alert").filter({ hasText: text });

/** Somebody whose browser may ask Google, where it has an account. */
async function visitWithAccount(
  { visit, google }: Pick<Fixtures, "visit" | "google">,
  email: string,
  wish: Parameters<Fixtures["visit"]>[0] = {},
): Promise<Visitor> {
  await google.addAccount({ subject: `10000000000000000${subjects++}`, email });
  const visitor = await visit(wish);
  visitor.allowOrigin(google.origin);
  return visitor;
}

/** Presses the button of the login that is shown, and chooses an account. */
async function logInWithGoogle({ page, t }: Visitor, input: InputMethod, email: string): Promise<void> {
  await input.press(page.getByRole("button", { name: t.login.withGoogle }));
  await chooseGoogleAccount(page, input, email);
}

/** Everything that the page keeps, and its address. */
async function kept(page: Page): Promise<string> {
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

test("somebody who was invited signs up with Google, without a code, and logs in with it to where it was going", async ({
  visit,
  google,
  mailbox,
  server,
}) => {
  await signUp(server.url, mailbox, personOf("google-inviter"));
  const who = newUser("google-hanako");
  const visitor = await visitWithAccount({ visit, google }, who.email, { language: "ja" });
  const { page, t } = visitor;
  let asked = "";
  page.on("request", (request) => {
    if (request.url().startsWith(google.origin)) asked ||= request.url();
  });

  // What the page keeps is lost on the way: who invited comes back with the state.
  await page.addInitScript(() => {
    if (location.hash.includes("access_token")) localStorage.removeItem("invitedBy");
  });

  await signUpWithGoogle(visitor, mouse, who, "?invited_by=google-inviter");
  await checkAccessibility(visitor, "the form of somebody from Google");
  expect(new URL(asked).searchParams.get("state")).toMatch(/^invited_by__google-inviter\.[\w-]{43}$/);
  expect(await kept(page)).not.toMatch(/ya29|access_token/);
  expect(await page.evaluate(() => localStorage.getItem("invitedBy"))).toBe("google-inviter");
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page.getByText(t.signUp.done)).toBeVisible();

  await visitor.open(`/login?next=${encodeURIComponent("/ja/setting?from=google")}`);
  await checkAccessibility(visitor, "the login with Google");
  await logInWithGoogle(visitor, mouse, who.email);
  await expect(page).toHaveURL(visitor.url("/setting?from=google"));
  expect(await kept(page)).not.toMatch(/ya29|access_token/);
  await clientOf(server.url).ask(logIn, { user_id: who.userId, password: who.password });
});

test("with the keys alone, from a page that shows the login in place, Google leads back to that page", async ({
  visit,
  google,
}) => {
  const who = newUser("google-keys");
  const visitor = await visitWithAccount({ visit, google }, who.email);
  const { page, t } = visitor;
  await signUpWithGoogle(visitor, keyboard, who);
  await keyboard.press(page.getByRole("button", { name: t.signUp.create }));
  await expect(page.getByText(t.signUp.done)).toBeVisible();

  await visitor.open("/setting/filter");
  await logInWithGoogle(visitor, keyboard, who.email);

  await expect(page).toHaveURL(visitor.url("/setting/filter"));
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
});

test("a Google account without a member is told so at the login, and one with a member at the sign-up", async ({
  visit,
  google,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("google-known"));
  const visitor = await visitWithAccount({ visit, google }, member.email, { language: "zh-hant" });
  const { page, t } = visitor;
  visitor.allowError(/status of 404/);

  await visitor.open("/login");
  await logInWithGoogle(visitor, mouse, member.email);
  await expect(alertOf(visitor, t.errors.social_account_not_found)).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login"));

  await visitor.open("/sign-up");
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreeTerms) }).check();
  await page.getByRole("button", { name: t.signUp.withGoogle }).click();
  await chooseGoogleAccount(page, mouse, member.email);
  await expect(alertOf(visitor, t.fields.account_exists)).toBeVisible();
  await expect(page.getByRole("heading", { name: t.signUp.title })).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/sign-up"));
});

test("an answer of Google's that was used, or that nobody asked for, opens nothing", async ({
  visit,
  google,
}) => {
  const who = newUser("google-replay");
  const visitor = await visitWithAccount({ visit, google }, who.email);
  const { page, t } = visitor;
  const failed = alertOf(visitor, t.login.failed);
  await signUpWithGoogle(visitor, mouse, who);
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page).toHaveURL(/\/login$/);
  const answers: string[] = [];
  page.on("response", (response) => {
    const to = response.headers()["location"];
    if (response.status() === 302 && to) answers.push(to);
  });
  await visitor.open("/setting");
  await logInWithGoogle(visitor, mouse, who.email);
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("session"));

  // Used before.
  expect(answers).toHaveLength(1);
  await page.goto("/favicon.svg");
  await page.goto(answers[0]!);
  await expect(failed).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login"));
  // A stranger's token behind a link of the stranger's, while nothing and while something was asked for.
  const foreign = `#access_token=${await google.giveToken(who.email)}&state=invited_by__stranger.AAAA`;
  for (const path of ["/oauth-callback/login", "/sign-up"]) {
    for (const isAsking of [false, true]) {
      if (isAsking) {
        await visitor.open("/login");
        await page.getByRole("button", { name: t.login.withGoogle }).click();
        await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
      } else await page.goto("/favicon.svg");
      await visitor.open(`${path}${foreign}`);
      await expect(failed).toBeVisible();
      expect(await kept(page)).not.toMatch(/ya29|access_token|stranger|"session"/);
    }
  }
  await expect(page.getByRole("heading", { name: t.signUp.title })).toBeVisible();
});

test("an answer to a login is none to a sign-up, though its state be right", async ({ visit, google }) => {
  const email = "google-purpose@example.com";
  const visitor = await visitWithAccount({ visit, google }, email);
  const { page, t } = visitor;
  await visitor.open("/login");
  await page.getByRole("button", { name: t.login.withGoogle }).click();
  const state = new URL(page.url()).searchParams.get("state")!;

  await visitor.open(`/sign-up#access_token=${await google.giveToken(email)}&state=${state}`);

  await expect(alertOf(visitor, t.login.failed)).toBeVisible();
  await expect(page.getByRole("heading", { name: t.signUp.title })).toBeVisible();
});

test("without a token, and after a change of mind at Google, the login says that it failed", async ({
  visit,
  google,
}) => {
  const visitor = await visitWithAccount({ visit, google }, "google-mind@example.com", {
    language: "zh-hans",
  });
  const { page, t } = visitor;

  await visitor.open("/oauth-callback/login?next=%2Fzh-hans%2Fdm");
  await expect(alertOf(visitor, t.login.failed)).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login?next=%2Fzh-hans%2Fdm"));

  await visitor.open("/login?next=%2Fzh-hans%2Fdm");
  await logInWithGoogle(visitor, mouse, "Cancel");
  await expect(alertOf(visitor, t.login.failed)).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login?next=%2Fzh-hans%2Fdm"));
});

test("while Google is out of order the login says so, and the password works", async ({
  visit,
  google,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("google-down"));
  const visitor = await visitWithAccount({ visit, google }, "google-down@example.com");
  const { page, t } = visitor;
  visitor.allowError(/status of 503/);
  await google.behave("silent");

  await visitor.open("/login");
  await logInWithGoogle(visitor, mouse, "google-down@example.com");
  await expect(page.getByRole("heading", { name: t.login.signingIn })).toBeVisible();
  await checkAccessibility(visitor, "the way back from Google");
  await expect(alertOf(visitor, t.errors.google_unavailable)).toBeVisible();
  await logInOnScreen(visitor, mouse, member);

  await expect(page).toHaveURL(visitor.url(""));
});

test("Google never leads to another site", async ({ visit, google }) => {
  const who = newUser("google-elsewhere");
  const visitor = await visitWithAccount({ visit, google }, who.email);
  const { page, t } = visitor;
  await signUpWithGoogle(visitor, mouse, who);
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page).toHaveURL(/\/login$/);

  await visitor.open(`/login?next=${encodeURIComponent("//evil.example/en")}`);
  await logInWithGoogle(visitor, mouse, who.email);

  await expect(page).toHaveURL(visitor.url(""));
});
