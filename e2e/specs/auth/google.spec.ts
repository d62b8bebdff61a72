import { type Page } from "@playwright/test";
import { logIn } from "@alcove/contract/accounts";
import { clientOf, signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { keys, mouse, type Hands } from "../../actions/input-method.ts";
import { inspect } from "../../actions/a11y-checks.ts";
import { chooseAccount, logInOnScreen, signUpWithGoogle, type Newcomer } from "../../actions/sign-up.ts";
import { expect, test, type Stage, type Visitor } from "../../fixtures/test.ts";
import { said } from "../../fixtures/translations.ts";

test.use({ signIn: "google" });
test.beforeEach(({ google }) => google.behave("well"));

let subjects = 0;

function newcomer(userId: string): Newcomer {
  return {
    userId,
    email: `${userId}@example.com`,
    password: "seventeen violet walruses",
    username: userId,
    sex: "female",
    description: "I like quiet evenings.",
  };
}

const alertOf = ({ page }: Visitor, words: string) => page.getByRole("alert").filter({ hasText: words });

/** Somebody whose browser may ask Google, where it has an account. */
async function visitWithAccount(
  { visit, google }: Pick<Stage, "visit" | "google">,
  email: string,
  wish: Parameters<Stage["visit"]>[0] = {},
): Promise<Visitor> {
  await google.addAccount({ subject: `10000000000000000${subjects++}`, email });
  const visitor = await visit(wish);
  visitor.mayAsk(google.origin);
  return visitor;
}

/** Presses the button of the login that is shown, and chooses an account. */
async function logInWithGoogle({ page, words }: Visitor, hands: Hands, email: string): Promise<void> {
  await hands.press(page.getByRole("button", { name: words.login.withGoogle }));
  await chooseAccount(page, hands, email);
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
  const who = newcomer("google-hanako");
  const visitor = await visitWithAccount({ visit, google }, who.email, { language: "ja" });
  const { page, words } = visitor;
  let asked = "";
  page.on("request", (request) => {
    if (request.url().startsWith(google.origin)) asked ||= request.url();
  });

  // What the page keeps is lost on the way: who invited comes back with the state.
  await page.addInitScript(() => {
    if (location.hash.includes("access_token")) localStorage.removeItem("invitedBy");
  });

  await signUpWithGoogle(visitor, mouse, who, "?invited_by=google-inviter");
  await inspect(visitor, "the form of somebody from Google");
  expect(new URL(asked).searchParams.get("state")).toMatch(/^invited_by__google-inviter\.[\w-]{43}$/);
  expect(await kept(page)).not.toMatch(/ya29|access_token/);
  expect(await page.evaluate(() => localStorage.getItem("invitedBy"))).toBe("google-inviter");
  await page.getByRole("button", { name: words.signUp.create }).click();
  await expect(page.getByText(words.signUp.done)).toBeVisible();

  await visitor.open(`/login?next=${encodeURIComponent("/ja/setting?from=google")}`);
  await inspect(visitor, "the login with Google");
  await logInWithGoogle(visitor, mouse, who.email);
  await expect(page).toHaveURL(visitor.address("/setting?from=google"));
  expect(await kept(page)).not.toMatch(/ya29|access_token/);
  await clientOf(server.url).ask(logIn, { user_id: who.userId, password: who.password });
});

test("with the keys alone, from a page that shows the login in place, Google leads back to that page", async ({
  visit,
  google,
}) => {
  const who = newcomer("google-keys");
  const visitor = await visitWithAccount({ visit, google }, who.email);
  const { page, words } = visitor;
  await signUpWithGoogle(visitor, keys, who);
  await keys.press(page.getByRole("button", { name: words.signUp.create }));
  await expect(page.getByText(words.signUp.done)).toBeVisible();

  await visitor.open("/setting/filter");
  await logInWithGoogle(visitor, keys, who.email);

  await expect(page).toHaveURL(visitor.address("/setting/filter"));
  await expect(page.getByRole("navigation", { name: words.shell.menu })).toBeVisible();
});

test("a Google account without a member is told so at the login, and one with a member at the sign-up", async ({
  visit,
  google,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("google-known"));
  const visitor = await visitWithAccount({ visit, google }, member.email, { language: "zh-hant" });
  const { page, words } = visitor;
  visitor.expectComplaint(/status of 404/);

  await visitor.open("/login");
  await logInWithGoogle(visitor, mouse, member.email);
  await expect(alertOf(visitor, words.errors.social_account_not_found)).toBeVisible();
  await expect(page).toHaveURL(visitor.address("/login"));

  await visitor.open("/sign-up");
  await page.getByRole("checkbox", { name: said(words.signUp.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: said(words.signUp.agreeTerms) }).check();
  await page.getByRole("button", { name: words.signUp.withGoogle }).click();
  await chooseAccount(page, mouse, member.email);
  await expect(alertOf(visitor, words.fields.account_exists)).toBeVisible();
  await expect(page.getByRole("heading", { name: words.signUp.title })).toBeVisible();
  await expect(page).toHaveURL(visitor.address("/sign-up"));
});

test("an answer of Google's that was used, or that nobody asked for, opens nothing", async ({
  visit,
  google,
}) => {
  const who = newcomer("google-replay");
  const visitor = await visitWithAccount({ visit, google }, who.email);
  const { page, words } = visitor;
  const failed = alertOf(visitor, words.login.failed);
  await signUpWithGoogle(visitor, mouse, who);
  await page.getByRole("button", { name: words.signUp.create }).click();
  await expect(page).toHaveURL(/\/login$/);
  const answers: string[] = [];
  page.on("response", (response) => {
    const to = response.headers()["location"];
    if (response.status() === 302 && to) answers.push(to);
  });
  await visitor.open("/setting");
  await logInWithGoogle(visitor, mouse, who.email);
  await expect(page.getByRole("navigation", { name: words.shell.menu })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("session"));

  // Used before.
  expect(answers).toHaveLength(1);
  await page.goto("/favicon.svg");
  await page.goto(answers[0]!);
  await expect(failed).toBeVisible();
  await expect(page).toHaveURL(visitor.address("/login"));
  // A stranger's token behind a link of the stranger's, while nothing and while something was asked for.
  const foreign = `#access_token=${await google.giveToken(who.email)}&state=invited_by__stranger.AAAA`;
  for (const path of ["/oauth-callback/login", "/sign-up"]) {
    for (const isAsking of [false, true]) {
      if (isAsking) {
        await visitor.open("/login");
        await page.getByRole("button", { name: words.login.withGoogle }).click();
        await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
      } else await page.goto("/favicon.svg");
      await visitor.open(`${path}${foreign}`);
      await expect(failed).toBeVisible();
      expect(await kept(page)).not.toMatch(/ya29|access_token|stranger|"session"/);
    }
  }
  await expect(page.getByRole("heading", { name: words.signUp.title })).toBeVisible();
});

test("an answer to a login is none to a sign-up, though its state be right", async ({ visit, google }) => {
  const email = "google-purpose@example.com";
  const visitor = await visitWithAccount({ visit, google }, email);
  const { page, words } = visitor;
  await visitor.open("/login");
  await page.getByRole("button", { name: words.login.withGoogle }).click();
  const state = new URL(page.url()).searchParams.get("state")!;

  await visitor.open(`/sign-up#access_token=${await google.giveToken(email)}&state=${state}`);

  await expect(alertOf(visitor, words.login.failed)).toBeVisible();
  await expect(page.getByRole("heading", { name: words.signUp.title })).toBeVisible();
});

test("without a token, and after a change of mind at Google, the login says that it failed", async ({
  visit,
  google,
}) => {
  const visitor = await visitWithAccount({ visit, google }, "google-mind@example.com", {
    language: "zh-hans",
  });
  const { page, words } = visitor;

  await visitor.open("/oauth-callback/login?next=%2Fzh-hans%2Fdm");
  await expect(alertOf(visitor, words.login.failed)).toBeVisible();
  await expect(page).toHaveURL(visitor.address("/login?next=%2Fzh-hans%2Fdm"));

  await visitor.open("/login?next=%2Fzh-hans%2Fdm");
  await logInWithGoogle(visitor, mouse, "Cancel");
  await expect(alertOf(visitor, words.login.failed)).toBeVisible();
  await expect(page).toHaveURL(visitor.address("/login?next=%2Fzh-hans%2Fdm"));
});

test("while Google is out of order the login says so, and the password works", async ({
  visit,
  google,
  mailbox,
  server,
}) => {
  const member = await signUp(server.url, mailbox, personOf("google-down"));
  const visitor = await visitWithAccount({ visit, google }, "google-down@example.com");
  const { page, words } = visitor;
  visitor.expectComplaint(/status of 503/);
  await google.behave("silent");

  await visitor.open("/login");
  await logInWithGoogle(visitor, mouse, "google-down@example.com");
  await expect(page.getByRole("heading", { name: words.login.signingIn })).toBeVisible();
  await inspect(visitor, "the way back from Google");
  await expect(alertOf(visitor, words.errors.google_unavailable)).toBeVisible();
  await logInOnScreen(visitor, mouse, member);

  await expect(page).toHaveURL(visitor.address(""));
});

test("Google never leads to another site", async ({ visit, google }) => {
  const who = newcomer("google-elsewhere");
  const visitor = await visitWithAccount({ visit, google }, who.email);
  const { page, words } = visitor;
  await signUpWithGoogle(visitor, mouse, who);
  await page.getByRole("button", { name: words.signUp.create }).click();
  await expect(page).toHaveURL(/\/login$/);

  await visitor.open(`/login?next=${encodeURIComponent("//evil.example/en")}`);
  await logInWithGoogle(visitor, mouse, who.email);

  await expect(page).toHaveURL(visitor.address(""));
});
