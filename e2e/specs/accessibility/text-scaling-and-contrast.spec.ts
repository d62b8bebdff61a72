import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { addPicture, saveProfile } from "@alcove/contract/profiles";
import type { Language } from "@alcove/i18n";
import { enlargeText, expectNothingCutOff } from "../../actions/a11y-checks.ts";
import { match, setPosition } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { walkSignUp } from "../../actions/walk-sign-up.ts";
import { iconFile } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";
import { MEMBER_PATHS, PUBLIC_PATHS } from "../../fixtures/paths.ts";

for (const language of ["en", "ja", "zh-hans"] as const satisfies Language[]) {
  test(`cuts off nothing on public screens with double text size on a narrow phone in ${language}`, async ({
    visit,
    mailbox,
  }) => {
    const visitor = await visit({ language, device: "phone" });
    visitor.allowError(/status of 404/);
    await enlargeText(visitor);
    for (const path of PUBLIC_PATHS) {
      await visitor.open(path);
      await expect(visitor.page.getByRole("heading").first()).toBeVisible();
      await expectNothingCutOff(visitor, path);
    }
    await walkSignUp(visitor, mailbox, `large-${language}`, (screen) => expectNothingCutOff(visitor, screen));
  });
}

for (const language of ["en", "ja"] as const) {
  test(`cuts off nothing on member screens with double text size on a narrow phone in ${language}`, async ({
    visit,
    member,
    place,
  }) => {
    const [hanako, taro, jiro] = await Promise.all([
      member(`large-h-${language}`),
      member(`large-t-${language}`, {
        sex: "male",
        username: "Bartholomew Featherstonehaugh-Cholmondeley",
        icon_process: true,
        description: `A long word: ${"x".repeat(80)}\n\n\`\`\`\n${"code ".repeat(30)}\n\`\`\`\n\n> quote`,
        twitter: `https://social.example/${"a".repeat(60)}`,
        salary: 123456789,
      }),
      member(`large-j-${language}`, { sex: "male", username: "次郎" }),
    ]);
    await setPosition(place, taro);
    const visitor = await visit({ language, device: "phone", at: place });
    visitor.allowError(/status of 402/);
    const { page, t } = visitor;
    const check = (screen: string) => expectNothingCutOff(visitor, screen);
    await enlargeText(visitor);
    await openAsMember(visitor, hanako, "");
    const prompt = page.getByRole("dialog", { name: t.location.title });
    await expect(prompt).toBeVisible();
    await check("the prompt for the position");
    await visitor.context.grantPermissions(["geolocation"]);
    await prompt.getByRole("button", { name: t.location.allow }).click();
    await expect(page.getByRole("article")).toBeVisible();
    await check("the card");
    await hanako.call(likeUser, { likedId: jiro.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("the upgrade modal");
    await page.getByRole("button", { name: t.upgrade.notNow }).click();
    await jiro.call(likeUser, { likedId: hanako.userId });
    await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible();
    await check("the notice of a match");
    await page.getByRole("button", { name: t.matchNotice.write }).click();
    await expect(page.getByText(t.chat.openersHint)).toBeVisible();
    await jiro.call(sendDm, { receiverId: hanako.userId, description: `Hello ${"w".repeat(120)} 😀` });
    await expect(page.getByRole("log").getByText("Hello www")).toBeVisible();
    await check("the conversation");
    await expect(page.getByRole("textbox", { name: t.chat.write })).toBeInViewport({ ratio: 1 });
    for (const path of [...MEMBER_PATHS, `/home/${taro.userId}`]) {
      await visitor.open(path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await check(path);
    }
    await chooseFromMore(visitor, "block");
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("the question before a block");
    await page.getByRole("button", { name: t.safety.cancel }).click();
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("the languages");
    await page.getByRole("button", { name: t.ui.close }).click();
    await page.getByRole("button", { name: t.shell.hide }).click();
    await check("the cover");
  });
}

test("marks the chosen option in forced colours", async ({ visit, member }) => {
  const hanako = await member("forced-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  await page.emulateMedia({ forcedColors: "active" });
  await openAsMember(visitor, hanako, "/setting/filter");
  await expect(page.getByRole("radio", { name: t.profileForm.everyone })).toBeChecked();
  const border = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).borderTopWidth);

  for (const [choice, chosen] of [
    [".segmented label", ":has(:checked)"],
    [".dock a", "[aria-current]"],
    [".list-row", "[aria-current]"],
  ]) {
    expect(await border(`${choice}${chosen}`)).toBe("2px");
    expect(await border(`${choice}:not(${chosen})`)).toBe("0px");
  }
});

test("shows no motion when reduced motion is preferred", async ({ visit, member }) => {
  const [hanako, taro] = await Promise.all([member("still-hanako"), member("still-taro", { sex: "male" })]);
  // A second picture, which autoplay would show.
  const icon = iconFile();
  await taro.call(saveProfile, { icon });
  await taro.call(addPicture, { icon });
  await match(taro, hanako);
  const visitor = await visit();
  const { page, t } = visitor;
  const longest = () =>
    page.evaluate(() =>
      Math.max(
        0,
        ...document.getAnimations().map((it) => Number(it.effect?.getComputedTiming().activeDuration)),
      ),
    );
  await openAsMember(visitor, hanako, `/home/${taro.userId}`);
  await chooseFromMore(visitor, "block");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await longest()).toBeLessThanOrEqual(1);
  await page.getByRole("button", { name: t.safety.cancel }).click();
  await page.getByRole("button", { name: t.profile.enlarge }).click();
  await expect(page.getByRole("dialog").getByRole("progressbar")).toHaveAttribute("value", "0");

  expect(await longest()).toBeLessThanOrEqual(1);
});
