import { allTranslations } from "@alcove/i18n/all";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

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

test("serves pages of an unknown language in place: in English, the privacy policy in Japanese", async ({
  visit,
}) => {
  const visitor = await visit({ language: "zh-hans" });
  visitor.allowError(/status of 404/);
  const { page } = visitor;
  const english = allTranslations.en;

  await page.goto("/fr/login");
  await expect(page.getByRole("heading", { name: english.login.welcomeBack })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(new URL(page.url()).pathname).toBe("/fr/login");
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
