import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { mouse } from "../../actions/input-method.ts";
import { setPosition } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { MEMBER_PATHS, PUBLIC_PATHS } from "../../fixtures/paths.ts";
import { messagePicture } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

// One language of each script, one light and one dark.
for (const [language, theme] of [
  ["en", "light"],
  ["ja", "dark"],
] as const) {
  test(`has no violations on public screens in ${language}`, async ({ visit }) => {
    const visitor = await visit({ language, device: "phone" });
    visitor.allowError(/status of 404/);
    for (const path of PUBLIC_PATHS) {
      await visitor.open(path);
      await expect(visitor.page.getByRole("heading").first()).toBeVisible();
      await checkAccessibility(visitor, `${language}${path}`, [theme]);
    }
  });
}

for (const device of ["phone", "desktop"] as const) {
  test(`has no violations on member screens on a ${device}, light and dark`, async ({
    visit,
    member,
    place,
  }) => {
    test.slow(); // dozens of checks
    const [hanako, taro] = await Promise.all([
      member(`sound-hanako-${device}`),
      member(`sound-taro-${device}`, {
        sex: "male",
        description: "# Hello\n\n- one\n- **two**\n\n[a link](https://example.com)",
      }),
    ]);
    await setPosition(place, taro);
    const visitor = await visit({ language: device === "phone" ? "ja" : "en", device, at: place });
    visitor.allowError(/status of 404/);
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "/dm");
    await expect(page.getByText(t.messages.empty)).toBeVisible();
    await checkAccessibility(visitor, "the list without a match");
    await visitor.open("");
    const prompt = page.getByRole("dialog", { name: t.location.title });
    await expect(prompt).toBeVisible();
    await checkAccessibility(visitor, "the request for the position");
    await sharePosition(visitor, mouse);
    await expect(page.getByRole("button", { name: t.home.like })).toBeVisible();
    await checkAccessibility(visitor, "the card");

    await taro.call(likeUser, { likedId: hanako.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    const notice = page.getByRole("dialog", { name: t.matchNotice.title });
    await expect(notice).toBeVisible();
    await checkAccessibility(visitor, "the notice of a match");
    await notice.getByRole("button", { name: t.matchNotice.keepLooking }).click();
    await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
    await checkAccessibility(visitor, "the empty home");
    await visitor.open("/dm");
    await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeVisible();
    await checkAccessibility(visitor, "the list with a match");
    const file = messagePicture();
    await taro.call(sendDm, {
      receiverId: hanako.userId,
      description: "See https://example.com/ and\nanswer.",
      file,
    });
    await hanako.call(sendDm, { receiverId: taro.userId, description: "x".repeat(600) });
    await visitor.open(`/dm/${taro.userId}`);
    await expect(page.getByRole("button", { name: t.chat.tapToView })).toBeVisible();
    await checkAccessibility(visitor, "the conversation");
    await visitor.open("/dm");
    await expect(page.getByRole("heading", { name: t.messages.conversations })).toBeVisible();
    await checkAccessibility(visitor, "the list of conversations");

    for (const path of [...MEMBER_PATHS, "/home/non-existent", `/home/${taro.userId}`]) {
      await visitor.open(path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await checkAccessibility(visitor, path);
    }
    await page.getByRole("button", { name: t.profile.enlarge }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await checkAccessibility(visitor, "the enlarged picture");
    await page.keyboard.press("Escape");
    await chooseFromMore(visitor, "block");
    await expect(page.getByRole("dialog")).toBeVisible();
    await checkAccessibility(visitor, "the confirmation of a block");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await checkAccessibility(visitor, "the languages");
  });
}
