import type { Locator } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { addPicture, saveProfile } from "@alcove/contract/profiles";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { type InputMethod, keyboard, mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { match, setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { choosePicture, cropPicture } from "../../actions/sign-up.ts";
import { iconFile } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

/** Replaces the text of a field. */
async function rewrite(input: InputMethod, field: Locator, text: string): Promise<void> {
  if (input === mouse) return input.type(field, text);
  await input.type(field, "");
  await field.page().keyboard.press("Control+A");
  await field.page().keyboard.press("Delete");
  await input.type(field, text);
}

const pictureOf = (t: Visitor["t"], place: number, total: number): string =>
  formatText(t.profileForm.pictureOf, { place: String(place), total: String(total) });

const VARIANTS = [
  { language: "en", input: mouse, how: "by mouse" },
  { language: "ja", input: keyboard, how: "by keyboard" },
] as const;

for (const { language, input, how } of VARIANTS) {
  test(
    `saves all profile fields ${how} in ${language}, and shows them to others`,
    { tag: input === keyboard ? "@long" : [] },
    async ({ visit, member }) => {
      test.slow();
      const [hanako, taro] = await Promise.all([
        member(`edit-hanako-${language}`, { salary_unit: "USD" }),
        member(`edit-taro-${language}`, { sex: "male" }),
      ]);
      const visitor = await visit({ language });
      const { page, t } = visitor;
      const { profileForm: form } = t;
      await openAsMember(visitor, hanako, "/setting");
      await input.press(page.getByRole("link", { name: t.settings.profile }));
      // A wide window shows the profile beside the menu before.
      await expect(page.getByRole("heading", { level: 1, name: t.settings.profile })).toBeFocused();
      await expect(page.getByLabel(form.username)).toHaveValue(hanako.userId);
      const before = (await hanako.call(getOwnUser, {})).user;

      await choosePicture(visitor, input);
      await cropPicture(visitor, input); // a new picture is processed unless the member decides otherwise
      await input.press(page.getByRole("button", { name: form.savePicture }));
      await expect(page.getByText(form.pictureSaved)).toBeVisible();
      await rewrite(input, page.getByLabel(form.username), "Hanako K");
      await rewrite(input, page.getByLabel(form.description), "# Evenings\n\nI like **quiet** ones.");
      // A unit converts the number, so it comes first.
      await input.choose(page.locator("[name=how_long_married_unit]"), form.months);
      await rewrite(input, page.getByLabel(form.howLongMarried), "150");
      await input.choose(page.locator("[name=tall_unit]"), form.feetInches);
      await rewrite(input, page.getByLabel(form.feet, { exact: true }), "5");
      await rewrite(input, page.getByLabel(form.inches, { exact: true }), "7");
      await input.choose(page.locator("[name=weight_unit]"), form.pound);
      await rewrite(input, page.getByLabel(form.weight), "120");
      await rewrite(input, page.getByLabel(form.salary), "50000");
      await input.choose(page.locator("[name=salary_unit]"), "TWD");
      await input.choose(page.locator("[name=salary_duration]"), form.perMonth);
      await rewrite(input, page.getByLabel(form.purpose), "Letters");
      await rewrite(input, page.getByLabel(form.hobby), "Kites");
      await rewrite(input, page.getByLabel("Instagram"), "https://www.instagram.example/hanako");
      await input.press(page.getByRole("button", { name: t.settings.save }));

      await expect(page.getByText(t.settings.saved)).toBeVisible();
      const { user } = await hanako.call(getOwnUser, {});
      expect(user).toEqual({
        ...before,
        username: "Hanako K",
        description: "# Evenings\n\nI like **quiet** ones.",
        how_long_married: 150,
        how_long_married_unit: "month",
        tall: 5.07,
        tall_unit: "feet inches",
        weight: 120,
        weight_unit: "pound",
        salary: 50_000,
        salary_unit: "TWD",
        salary_duration: "month",
        purpose: "Letters",
        hobby: "Kites",
        instagram: "https://www.instagram.example/hanako",
        pictures: [before.icon, user.pictures[1]],
        pictures_process: [false, true],
        pictures_waiting: [false, false],
        clear_pictures: [null, null],
      });
      expect(user.pictures[1]).not.toBe(before.icon);
      await expect(page.getByRole("button", { name: t.settings.save })).toBeFocused();
      // Processing cannot be undone.
      await input.press(page.getByRole("button", { name: pictureOf(t, 2, 2) }));
      await expect(page.getByText(form.processedAlready)).toBeVisible();
      await expect(page.getByRole("switch", { name: form.process })).toBeHidden();
      await input.press(page.getByRole("button", { name: form.moveEarlier }));
      await expect.poll(async () => (await hanako.call(getOwnUser, {})).user.icon).toBe(user.pictures[1]);

      await openAsMember(visitor, taro, `/home/${hanako.userId}`);
      await expect(page.getByRole("heading", { name: "Hanako K" })).toBeVisible();
      await expect(page.getByText("quiet", { exact: true })).toHaveCSS("font-weight", /[6-7]00/);
      await expect(page.getByText("Evenings")).toBeVisible();
      await expect(page.getByRole("heading", { name: "Evenings" })).toHaveCount(0);
      await expect(
        page.getByText(formatText(t.profile.feetInches, { "feet, number": 5, "inches, number": 7 })),
      ).toBeVisible();
      await expect(page.getByText(t.profile.processed)).toBeVisible();
      await expect(page.getByRole("link", { name: "Instagram" })).toHaveCount(0);
      await match(taro, hanako);
      await visitor.open(`/home/${hanako.userId}`);
      await expect(page.getByRole("link", { name: "Instagram" })).toBeVisible();
    },
  );
}

test("shows errors at their fields and keeps the input, also offline", async ({ visit, member }) => {
  const hanako = await member("edit-wrong");
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const { profileForm: form } = t;
  await openAsMember(visitor, hanako, "/setting/profile");
  const save = page.getByRole("button", { name: t.settings.save });

  await page.getByLabel(form.description).fill(" ");
  await page.getByLabel(form.height).fill("9999");
  await page.getByLabel("Facebook").fill("javascript:alert(1)");
  await page.getByLabel("LINE").fill("line");
  await page.getByLabel(form.hobby).fill("Kites");
  await page.getByLabel(form.weight).pressSequentially("6-");
  await save.click();

  await expect(page.getByLabel(form.description)).toBeFocused();
  for (const [field, error] of [
    [page.getByLabel(form.description), t.fields.required],
    [page.getByLabel(form.height), t.fields.too_big],
    [page.getByLabel(form.weight), t.fields.not_a_number],
    [page.getByLabel("Facebook"), t.fields.url_invalid],
    [page.getByLabel("LINE"), t.fields.url_invalid],
  ] as const) {
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(new RegExp(`^${error}`));
  }
  await checkAccessibility(visitor, "the profile with errors");
  await page.getByLabel(form.description).fill("Still here.");
  await page.getByLabel(form.height).fill("170");
  await page.getByLabel(form.weight).clear();
  await page.getByLabel("Facebook").clear();
  await page.getByLabel("LINE").fill("https://line.example/hanako");

  await visitor.goOffline();
  await save.click();
  await expect(alertWith(visitor, t.errorScreen.offline)).toBeVisible();
  await expect(page.getByLabel(form.description)).toHaveValue("Still here.");
  await visitor.goOnline();
  await save.click();

  await expect(page.getByText(t.settings.saved)).toBeVisible();
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({
    description: "Still here.",
    tall: 170,
    hobby: "Kites",
    facebook: null,
    line: "https://line.example/hanako",
  });
});

test("orders pictures by drag and by key, processes one, and removes one", async ({ visit, member }) => {
  const hanako = await member("edit-pictures");
  const icon = iconFile();
  await hanako.call(saveProfile, { icon, icon_process: false });
  await hanako.call(addPicture, { icon, icon_process: false });
  const [one, two, three] = (await hanako.call(addPicture, { icon })).user.pictures;
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const { profileForm: form } = t;
  await openAsMember(visitor, hanako, "/setting/profile");
  const tile = (place: number, total = 3) => page.getByRole("button", { name: pictureOf(t, place, total) });
  const expectPictures = (...pictures: (string | undefined)[]) =>
    expect.poll(async () => (await hanako.call(getOwnUser, {})).user.pictures).toEqual(pictures);
  await expect(page.getByRole("button", { name: form.addPicture })).toBeHidden();
  await checkAccessibility(visitor, "three pictures");

  await tile(1).focus();
  await page.keyboard.press("ArrowRight");
  await expectPictures(two, one, three);
  await expect(tile(2)).toBeFocused();
  await expect(page.getByText(formatText(form.pictureMoved, { place: "2", total: "3" }))).toBeAttached();

  const [from, to] = await Promise.all([tile(3).boundingBox(), tile(1).boundingBox()]);
  await page.mouse.move(from!.x + 40, from!.y + 40);
  await page.mouse.down();
  await page.mouse.move(to!.x + 60, to!.y + 45, { steps: 5 });
  await page.mouse.move(to!.x + 40, to!.y + 45);
  await page.mouse.up();
  await expectPictures(three, two, one);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await tile(2).click();
  await checkAccessibility(visitor, "a picture in its sheet");
  await page.getByRole("switch", { name: form.process }).check();
  await page.getByRole("button", { name: form.savePicture }).click();
  await expect(page.getByText(form.pictureSaved)).toBeVisible();
  const { pictures, pictures_process } = (await hanako.call(getOwnUser, {})).user;
  expect(pictures_process).toEqual([true, true, false]);

  await tile(1).click();
  await page.getByRole("button", { name: form.removePicture }).click();
  await page.getByRole("button", { name: form.removePictureSure }).click();
  await expect(page.getByText(form.pictureRemoved)).toBeVisible();
  await expectPictures(pictures[1], one);
  await expect(tile(2, 2)).toBeVisible();
  await expect(page.getByRole("button", { name: form.addPicture })).toBeVisible();
});

test("keeps changes that another device saved meanwhile", async ({ visit, member }) => {
  const hanako = await member("edit-twice");
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/profile");
  await page.getByLabel(t.profileForm.hobby).fill("風箏");

  await hanako.call(saveProfile, { purpose: "書信", username: "花子" });
  await page.getByRole("button", { name: t.settings.save }).click();

  await expect(page.getByText(t.settings.saved)).toBeVisible();
  await expect(page.getByLabel(t.profileForm.username)).toHaveValue("花子");
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({ purpose: "書信", hobby: "風箏" });
});

test("warns about unsaved changes only when there are any", async ({ visit, member }) => {
  const hanako = await member("edit-leave");
  const visitor = await visit({ language: "zh-hans" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");
  await page.getByRole("link", { name: t.settings.profile }).click();
  const hobby = page.getByLabel(t.profileForm.hobby);
  const toFilter = page.getByRole("link", { name: t.settings.filter });
  const question = page.getByRole("dialog", { name: t.settings.unsaved });

  // The menu shows the same form beside it, so the form does not show that the page has opened.
  await expect(page).toHaveURL(/profile$/);
  await toFilter.click();
  await expect(page).toHaveURL(/filter$/);
  await page.goBack();
  await hobby.fill("风筝");
  await toFilter.click();
  await expect(question).toBeVisible();
  await checkAccessibility(visitor, "the warning about unsaved changes");
  await question.getByRole("button", { name: t.settings.keepEditing }).click();
  await expect(hobby).toHaveValue("风筝");
  await page.goBack();
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/profile$/);
  await toFilter.click();
  await question.getByRole("button", { name: t.settings.leave }).click();
  await expect(page).toHaveURL(/filter$/);

  await page.getByRole("link", { name: t.settings.profile }).click();
  await expect(hobby).toHaveValue("");
  await hobby.fill("风筝");
  await page.getByRole("button", { name: t.settings.save }).click();
  await expect(page.getByText(t.settings.saved)).toBeVisible();
  await toFilter.click();
  await expect(page).toHaveURL(/filter$/);
});

test("shows bullets and numbers of lists within card and profile", async ({ visit, member, place }) => {
  const [hanako, taro] = await Promise.all([
    member("marks-hanako"),
    member("marks-taro", { sex: "male", description: "- Tea\n- Rain\n\n1. Walk\n2. Read" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place, device: "phone" });
  const { page } = visitor;
  const listStyleOf = (text: string) =>
    page
      .getByRole("listitem")
      .filter({ hasText: text })
      .evaluate((item) => {
        const inset =
          item.getBoundingClientRect().left -
          item.closest("ul, ol")!.parentElement!.getBoundingClientRect().left;
        return [getComputedStyle(item).listStyleType, inset >= 16];
      });

  await openAsMember(visitor, hanako, "");
  for (const path of ["", `/home/${taro.userId}`]) {
    await visitor.open(path);
    await expect(page.getByText("Rain")).toBeVisible();
    expect(await listStyleOf("Rain"), path).toEqual(["disc", true]);
    expect(await listStyleOf("Walk"), path).toEqual(["decimal", true]);
  }
});
