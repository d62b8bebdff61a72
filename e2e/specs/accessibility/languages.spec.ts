import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { languages } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { match, setPosition } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { messagePicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

/** Expects no translation key on screen, and the right language of the document. */
async function expectTranslated({ page, language }: Visitor): Promise<void> {
  await expect(page.locator("body")).not.toContainText(
    /\b[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z_]*\b(?<!\.example|@.*)/,
  );
  const lang = { en: "en", ja: "ja", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant" }[language];
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
}

// `visit` fails the test when a translation is missing, because the browser logs an error.
for (const language of languages) {
  test(`translates the screens and dialogs of members to ${language}`, async ({ visit, member, place }) => {
    const full = {
      how_long_married: 0,
      how_long_married_unit: "month",
      tall: 5.11,
      tall_unit: "feet inches",
      weight: 70,
      salary: 0,
      salary_duration: "month",
      purpose: "Quiet talks",
      hobby: "Herons",
      twitter: "https://social.example/me",
    } as const;
    const [hanako, taro, saburo] = await Promise.all([
      member(`spoken-h-${language}`),
      member(`spoken-t-${language}`, { sex: "male", username: "Taro", icon_process: true, ...full }),
      member(`spoken-s-${language}`, { sex: "male", username: "Saburo" }),
    ]);
    await setPosition(place, taro);
    await hanako.call(blockUser, { userId: saburo.userId });
    const visitor = await visit({ language, at: place });
    const { page, t } = visitor;
    const dialog = page.getByRole("dialog");
    const shows = async (text: string | RegExp) => {
      await expect(page.getByText(text).first()).toBeVisible();
      await expectTranslated(visitor);
    };

    await openAsMember(visitor, hanako, "/dm");
    await shows(t.messages.empty);
    await visitor.open("");
    await expect(dialog).toBeVisible();
    await shows(t.location.why);
    await dialog.getByRole("button", { name: t.location.notNow }).click();
    await visitor.context.grantPermissions(["geolocation"]);
    await visitor.open("");
    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
    await shows("Herons");
    await shows("5");
    await taro.call(likeUser, { likedId: hanako.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible();
    await expectTranslated(visitor);
    await page.getByRole("button", { name: t.matchNotice.keepLooking }).click();
    await shows(t.home.empty_card_used);

    await visitor.open("/setting/blocks");
    await shows("Saburo");
    await visitor.open("/setting/filter");
    await shows(t.settings.save);
    await page.getByRole("button", { name: t.settings.logout }).click();
    await shows(t.settings.logoutText);
    await page.getByRole("button", { name: t.settings.stay }).click();
    await visitor.open(`/home/${taro.userId}`);
    await shows("Quiet talks");
    await chooseFromMore(visitor, "block");
    await shows(t.safety.textMatch);
    await page.getByRole("button", { name: t.safety.cancel }).click();
    await page.getByRole("button", { name: t.profile.enlarge }).click();
    await shows("1 / 1");
    await page.getByRole("button", { name: t.slideshow.close }).click();
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(dialog).toBeVisible();
    await expectTranslated(visitor);
  });

  test(`translates conversations to ${language}`, async ({ visit, member }) => {
    const [hanako, taro] = await Promise.all([
      member(`talk-h-${language}`),
      member(`talk-t-${language}`, { sex: "male", username: "Taro" }),
    ]);
    const visitor = await visit({ language, device: "phone" });
    const { page, t } = visitor;
    await match(taro, hanako);
    await openAsMember(visitor, hanako, "/dm");
    await expect(page.getByText(t.messages.newMatches)).toBeVisible();
    await expectTranslated(visitor);
    await page.getByRole("link", { name: "Taro" }).click();
    await expect(page.getByText(t.chat.openersHint)).toBeVisible();

    const file = messagePicture();
    await taro.call(sendDm, { receiverId: hanako.userId, file });

    await page.getByRole("button", { name: t.chat.tapToView }).click();
    await expectTranslated(visitor);
    await page.getByRole("button", { name: t.chat.enlarge }).click();
    await expect(page.getByRole("dialog", { name: t.chat.image })).toBeVisible();
    await page.getByRole("button", { name: t.chat.close }).click();
    await page.getByRole("link", { name: t.chat.toList }).click();
    await expect(page.getByText(t.messages.image)).toBeVisible();
    await expectTranslated(visitor);
  });
}

test("keeps page and query when the language changes, and remembers it at the root URL", async ({
  visit,
}) => {
  const visitor = await visit({ language: "en" });
  const { page, t } = visitor;

  await visitor.open("/login?next=%2Fen%2Fdm&a=%E8%8A%B1");
  await page.getByRole("button", { name: t.shell.language }).click();
  await page.getByRole("dialog").getByRole("link", { name: "日本語" }).click();

  await expect(page).toHaveURL(/\/ja\/login\?next=%2Fen%2Fdm&a=%E8%8A%B1$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.goto(new URL("/", page.url()).href);
  await expect(page).toHaveURL(/\/ja$/);
});

test("redirects the root URL to the browser's language, and serves an unknown language in English", async ({
  visit,
}) => {
  const visitor = await visit({ language: "zh-hant" });
  const { page } = visitor;

  await page.goto("/");
  await expect(page).toHaveURL(/\/zh-hant$/);
  await page.goto("/fr/login");

  await expect(page).toHaveURL(/\/fr\/login$/);
  await expect(page.getByRole("button", { name: "Log in", exact: true })).toBeVisible();
});

test("serves pages of an unknown language in place: in English, the privacy policy in Japanese", async ({
  visit,
}) => {
  const visitor = await visit({ language: "zh-hans" });
  visitor.allowError(/status of 404/);
  const { page } = visitor;
  const english = allTranslations.en;

  for (const path of ["/fr", "/fr/login", "/xx-YY/login", "/EN/login"]) {
    await page.goto(path);
    const title = path.endsWith("login") ? english.login.welcomeBack : formatText(english.login.pitch);
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    expect(new URL(page.url()).pathname).toBe(path);
  }
  for (const [path, ...texts] of [
    ["/fr/tos", "en"],
    ["/fr/privacy-policy", "ja"],
    ["/en/tos", "en", "zh-Hant"],
    ["/ja/privacy-policy", "ja", "zh-Hant"],
    ["/zh-hant/tos", "zh-Hant"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("article")).toHaveCount(texts.length);
    for (const [index, lang] of texts.entries()) {
      await expect(page.getByRole("article").nth(index)).toHaveAttribute("lang", lang);
      await expect(page.getByRole("article").nth(index).getByRole("heading").first()).toBeVisible();
    }
    expect(new URL(page.url()).pathname).toBe(path);
  }
  const response = await page.goto("/fr/nowhere/at/all");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: english.errorScreen.notFound })).toBeVisible();
  await page.getByRole("link", { name: english.errorScreen.home }).click();
  await expect(page.getByRole("heading", { name: formatText(english.login.pitch) })).toBeVisible();
});

test("prefers the language cookie to the browser's language, and ignores unknown values", async ({
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
