import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { checkAccessibility, screenCheck, SWEEPS } from "../../actions/a11y-checks.ts";
import { setPosition } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { walkSignUp } from "../../actions/walk-sign-up.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { MEMBER_PATHS, PUBLIC_PATHS } from "../../fixtures/paths.ts";
import { messagePicture } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

for (const { language, device, theme } of SWEEPS) {
  const tag = language === "ja" ? [] : ["@long"];
  test(
    `public screens and the sign-up are accessible, whole and translated in ${language}, ${theme}`,
    { tag },
    async ({ visit, mailbox }) => {
      test.slow(); // a dozen pages and the sign-up
      const visitor = await visit({ language, device, theme });
      visitor.allowError(/status of 404/);
      const check = screenCheck(visitor, theme);
      for (const path of PUBLIC_PATHS) {
        await visitor.open(path);
        await expect(visitor.page.getByRole("heading", { level: 1 })).toBeVisible();
        await check(path);
      }
      await walkSignUp(visitor, mailbox, `sweep-${language}`, check);
    },
  );

  test(
    `member screens and their dialogs are accessible, whole and translated in ${language}, ${theme}`,
    { tag },
    async ({ visit, member, place }) => {
      test.slow(); // dozens of checks
      const [hanako, jiro, taro, saburo] = await Promise.all([
        member(`sweep-hanako-${language}`),
        member(`sweep-jiro-${language}`, { sex: "male", username: "次郎" }),
        member(`sweep-taro-${language}`, {
          sex: "male",
          username: "Bartholomew Featherstonehaugh-Cholmondeley",
          icon_process: true,
          description: `# Hello\n\n- one\n- **two**\n\nA long word: ${"x".repeat(80)}\n\n\`\`\`\n${"code ".repeat(30)}\n\`\`\`\n\n> quote`,
          how_long_married: 0,
          how_long_married_unit: "month",
          tall: 5.11,
          tall_unit: "feet inches",
          weight: 70,
          salary: 123_456_789,
          purpose: "Quiet talks",
          hobby: "Herons",
          twitter: `https://social.example/${"a".repeat(60)}`,
        }),
        member(`sweep-saburo-${language}`, { sex: "male" }),
      ]);
      await setPosition(place, taro);
      await hanako.call(blockUser, { userId: saburo.userId });
      const visitor = await visit({ language, device, theme, at: place });
      visitor.allowError(/status of (40[24]|500)|ApiError: /);
      const { page, t } = visitor;
      const check = screenCheck(visitor, theme);
      const dialog = page.getByRole("dialog");

      await openAsMember(visitor, hanako, "/dm");
      await expect(page.getByText(t.messages.empty)).toBeVisible();
      await check("the list without a match");
      await visitor.open("");
      await expect(page.getByRole("dialog", { name: t.location.title })).toBeVisible();
      await check("the request for the position");
      await sharePosition(visitor, mouse);
      await expect(page.getByRole("article")).toContainText("Herons");
      await check("the card");

      // Another device uses the card of the day.
      await hanako.call(likeUser, { likedId: jiro.userId });
      await page.getByRole("button", { name: t.home.like }).click();
      await expect(page.getByRole("dialog", { name: t.errors.upgrade_required })).toBeVisible();
      await check("the upgrade modal");
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await jiro.call(likeUser, { likedId: hanako.userId });
      await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible();
      await check("the notice of a match");
      await visitor.open("/dm");
      await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeVisible();
      await check("the list with a match");
      await page.getByRole("link", { name: "次郎" }).click();
      await expect(page.getByText(t.chat.openersHint)).toBeVisible();
      await check("an empty conversation");
      const description = `See https://example.com/ and\nanswer. ${"w".repeat(120)} 😀`;
      await jiro.call(sendDm, { receiverId: hanako.userId, description });
      await hanako.call(sendDm, { receiverId: jiro.userId, description: "x".repeat(600) });
      await expect(page.getByRole("log").getByText("x".repeat(600))).toBeVisible();
      await expect(page.getByRole("textbox", { name: t.chat.write })).toBeInViewport({ ratio: 1 });
      await check("the conversation");
      await jiro.call(sendDm, { receiverId: hanako.userId, file: messagePicture() });
      await expect(page.getByRole("button", { name: t.chat.tapToView })).toBeVisible();
      await checkAccessibility(visitor, "a veiled picture", [theme]);
      await page.getByRole("button", { name: t.chat.tapToView }).click();
      await page.getByRole("button", { name: t.chat.enlarge }).click();
      await expect(page.getByRole("dialog", { name: t.chat.image })).toBeVisible();
      await check("the picture of a message");

      for (const path of [...MEMBER_PATHS, "/home/non-existent", `/home/${taro.userId}`]) {
        await visitor.open(path);
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        await expect(page.getByRole("heading", { level: 1 })).not.toBeEmpty();
        await check(path);
      }
      await page.getByRole("button", { name: t.profile.enlarge }).click();
      await expect(dialog).toBeVisible();
      await check("the enlarged picture");
      await page.keyboard.press("Escape");
      await chooseFromMore(visitor, "block");
      await expect(dialog).toBeVisible();
      await check("the confirmation of a block");
      await page.getByRole("button", { name: t.safety.cancel }).click();

      await visitor.open("/setting");
      await page.getByRole("button", { name: t.settings.logout }).click();
      await expect(page.getByRole("dialog", { name: t.settings.confirmLogout })).toBeVisible();
      await check("the confirmation of a logout");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: t.shell.language }).click();
      await expect(page.getByRole("dialog", { name: t.shell.language })).toBeVisible();
      await check("the languages");
      await page.getByRole("button", { name: t.ui.close }).click(); // a second Esc would hide the screen
      await page.getByRole("button", { name: t.shell.hide }).click();
      await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
      await check("the privacy screen");
      await pressEscapeTwice(visitor);

      await visitor.context.route("**/users/api/blocks", (route) =>
        route.fulfill({ status: 500, json: { code: "fault", error_message: t.errors.fault } }),
      );
      await visitor.open("/setting/blocks");
      await expect(page.getByRole("heading", { name: t.errorScreen.title })).toBeVisible();
      await expect(page.getByText(`500 · ${t.errors.fault}`)).toBeVisible();
      await check("the error screen");
      await visitor.context.unrouteAll();
      await page.getByRole("button", { name: t.errorScreen.again }).click();
      await expect(page.getByText(saburo.userId).first()).toBeVisible();
    },
  );
}
