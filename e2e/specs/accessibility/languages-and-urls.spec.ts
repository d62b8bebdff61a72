import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { allTranslations } from "@alcove/i18n/all";
import { mouse } from "../../actions/input-method.ts";
import { logInOnScreen, signUpOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

test("pages under an unknown language are served in place: in English, but for the privacy policy, which is in Japanese", async ({
  visit,
}) => {
  const visitor = await visit({ language: "zh-hans" });
  visitor.allowError(/status of 404/);
  const { page } = visitor;
  const english = allTranslations.en;

  for (const path of ["/fr", "/fr/login", "/xx-YY/login", "/EN/login"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: english.login.pitch })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    expect(new URL(page.url()).pathname).toBe(path);
  }
  for (const [path, lang] of [
    ["/fr/tos", "en"],
    ["/fr/privacy-policy", "ja"],
    ["/en/tos", "zh-Hant"],
    ["/ja/privacy-policy", "zh-Hant"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("article")).toHaveAttribute("lang", lang);
    await expect(page.getByRole("article").getByRole("heading").first()).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
  const nowhere = await page.goto("/fr/nowhere/at/all");
  expect(nowhere?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: english.errorScreen.notFound })).toBeVisible();
  await page.getByRole("link", { name: english.errorScreen.home }).click();
  await expect(page.getByRole("heading", { name: english.login.pitch })).toBeVisible();
});

const UNSAFE_TARGETS = [
  "//evil.example/",
  "https://evil.example/",
  "\\\\evil.example/",
  "/\\evil.example/",
  "/\t/evil.example/",
  "javascript:document.title='run'",
  "data:text/html,run",
  "/en/../..//evil.example",
  "@evil.example",
  "",
];

test("whatever the next page is said to be, a login stays here", async ({ visit, mailbox, server }) => {
  const member = await signUp(server.url, mailbox, personOf("next-hostile"));
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, t } = visitor;
  const here = new URL(visitor.url("")).origin;

  for (const next of UNSAFE_TARGETS) {
    await visitor.open(`/login?next=${encodeURIComponent(next)}`);
    await logInOnScreen(visitor, mouse, member);
    await expect(page.getByText(t.login.pitch)).toBeHidden();
    expect(new URL(page.url()).origin, next).toBe(here);
    await expect(page).toHaveTitle("Alcove");
    await page.evaluate(() => localStorage.removeItem("session"));
  }
});

test("who invited somebody is kept while the terms are read, and named when the account is made", async ({
  visit,
  mailbox,
  server,
}) => {
  await signUp(server.url, mailbox, personOf("the-inviter"));
  const visitor = await visit();
  const { page } = visitor;
  const who = {
    userId: "the-invited",
    email: "the-invited@example.com",
    password: "seventeen violet walruses",
    username: "Invited",
    sex: "female",
    description: "By a friend.",
  } as const;
  // What the page sends is looked at there: a form with a file does not show in the browser's protocol.
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (to, how) => {
      if (how?.body instanceof FormData && how.body.has("invited_by_user_id"))
        sessionStorage.setItem("sent", JSON.stringify(how.body.get("invited_by_user_id")));
      return send(to, how);
    };
  });

  await visitor.open("/sign-up?invited_by=the-inviter");
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("article")).toBeVisible();
  await signUpOnScreen(visitor, mouse, mailbox, who);

  expect(await page.evaluate(() => sessionStorage.getItem("sent"))).toBe('"the-inviter"');
});

test("the front door follows the cookie before the browser's own language, and no other value of it", async ({
  visit,
}) => {
  const { page, context } = await visit({ language: "ja" });
  for (const [cookie, path] of [
    ["zh-hans", "/zh-hans"],
    ["en", "/en"],
    ["//evil.example", "/ja"],
    ["fr", "/ja"],
  ] as const) {
    await page.goto("/favicon.svg");
    await context.addCookies([{ name: "language", value: cookie, url: page.url() }]);
    await page.goto("/");
    expect(new URL(page.url()).pathname).toBe(path);
  }
});
