import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { languages, type Language } from "@alcove/i18n";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

const PLACES: Record<Language, readonly [number, number]> = {
  en: [-25.13, -65.07],
  ja: [-130.1, -24.37],
  "zh-hans": [70.22, -49.35],
  "zh-hant": [37.74, -46.78],
};

/** Nothing is shown by its key, and the document says in which language it is. */
async function expectSpoken({ page, language }: Visitor): Promise<void> {
  await expect(page.locator("body")).not.toContainText(
    /\b[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z_]*\b(?<!\.example|@.*)/,
  );
  const lang = { en: "en", ja: "ja", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant" }[language];
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
}

// That the browser complains of nothing, such as of a sentence that is missing, is looked at by `visit`.
for (const language of languages) {
  test(`every screen and question of members speaks ${language}`, async ({ visit, mailbox, server }) => {
    const at = PLACES[language];
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
      signUp(server.url, mailbox, personOf(`spoken-h-${language}`)),
      signUp(
        server.url,
        mailbox,
        personOf(`spoken-t-${language}`, { sex: "male", username: "Taro", icon_process: true, ...full }),
      ),
      signUp(server.url, mailbox, personOf(`spoken-s-${language}`, { sex: "male", username: "Saburo" })),
    ]);
    await taro.ask(saveLocation, { location: at.join(",") });
    await hanako.ask(blockUser, { userId: saburo.userId });
    const visitor = await visit({ language, at });
    const { page, t } = visitor;
    const dialog = page.getByRole("dialog");
    const shows = async (text: string | RegExp) => {
      await expect(page.getByText(text).first()).toBeVisible();
      await expectSpoken(visitor);
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
    await taro.ask(likeUser, { likedId: hanako.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible();
    await expectSpoken(visitor);
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
    await page.getByRole("button", { name: t.profile.block }).click();
    await shows(t.safety.text);
    await page.getByRole("button", { name: t.safety.cancel }).click();
    await page.getByRole("button", { name: t.profile.enlarge }).click();
    await shows("1 / 1");
    await page.getByRole("button", { name: t.slideshow.close }).click();
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(dialog).toBeVisible();
    await expectSpoken(visitor);
  });

  test(`conversations speak ${language}`, async ({ visit, mailbox, server }) => {
    const [hanako, taro] = await Promise.all([
      signUp(server.url, mailbox, personOf(`talk-h-${language}`)),
      signUp(server.url, mailbox, personOf(`talk-t-${language}`, { sex: "male", username: "Taro" })),
    ]);
    const visitor = await visit({ language, device: "phone" });
    const { page, t } = visitor;
    await taro.ask(likeUser, { likedId: hanako.userId });
    await hanako.ask(likeUser, { likedId: taro.userId });
    await openAsMember(visitor, hanako, "/dm");
    await expect(page.getByText(t.messages.newMatches)).toBeVisible();
    await expectSpoken(visitor);
    await page.getByRole("link", { name: "Taro" }).click();
    await expect(page.getByText(t.chat.sayHello)).toBeVisible();

    const file = new File([new Uint8Array(drawPicture([30, 80, 60], [230, 200, 90]))], "a.png", {
      type: "image/png",
    });
    await taro.ask(sendDm, { receiverId: hanako.userId, file });

    await page.getByRole("button", { name: t.chat.tapToView }).click();
    await expectSpoken(visitor);
    await page.getByRole("button", { name: t.chat.enlarge }).click();
    await expect(page.getByRole("dialog", { name: t.chat.image })).toBeVisible();
    await page.getByRole("button", { name: t.chat.close }).click();
    await page.getByRole("link", { name: t.chat.toList }).click();
    await expect(page.getByText(t.messages.image)).toBeVisible();
    await expectSpoken(visitor);
  });
}
