import { addPicture, saveProfile } from "@alcove/contract/profiles";
import { match } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { iconFile } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

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

  for (const [choice, chosen, marked = ""] of [
    ["fieldset [type=radio]", ":checked", " + span"],
    [`nav[aria-label="${t.shell.menu}"] a`, "[aria-current]"],
    ["nav section li > a", "[aria-current]"],
  ]) {
    expect(await border(`${choice}${chosen}${marked}`)).toBe("2px");
    expect(await border(`${choice}:not(${chosen})${marked}`)).toBe("0px");
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
