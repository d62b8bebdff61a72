import { showClearIcon } from "@alcove/contract/discovery";
import { addPicture, saveProfile } from "@alcove/contract/profiles";
import { match } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { iconFile } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("plays the slideshow of three pictures, clear ones for a chosen match, for three seconds each on request, over a fixed page", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("slides-hanako", { at: place, username: "Hanako" });
  const taro = await member("slides-taro", { at: place, sex: "male" });
  await match(hanako, taro);
  const icon = iconFile();
  await hanako.call(saveProfile, { icon, icon_process: false });
  await hanako.call(addPicture, { icon, icon_process: true, keep_clear_icon: true });
  await hanako.call(addPicture, { icon });
  await hanako.call(showClearIcon, { userId: taro.userId });
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await page.clock.install();
  await openAsMember(visitor, taro, `/home/${hanako.userId}`);
  const opener = page.getByRole("button", { name: t.profile.enlarge });
  const dialog = page.getByRole("dialog");
  const counter = (text: string) => expect(dialog.getByRole("status")).toHaveText(text);
  const progress = () => dialog.getByRole("progressbar").evaluate((bar: HTMLProgressElement) => bar.value);
  const pictureButton = (label: string) =>
    dialog.getByRole("button", { name: label }).filter({ has: page.locator("img") });
  const inArch = (place: string) =>
    expect(
      page.getByText(formatText(t.profile.pictureOf, { place, total: "3" }), { exact: true }),
    ).toHaveCount(1);
  await page.getByRole("button", { name: t.profile.nextPicture }).click();
  await inArch("2");
  await opener.focus();
  await page.keyboard.press("ArrowRight");
  await inArch("3");
  await page.keyboard.press("ArrowRight");
  await inArch("1");
  await opener.click();
  await counter("1 / 3");
  await page.clock.pauseAt(Date.now() + 60_000);
  const isScrollable = () =>
    page.evaluate(() => {
      scrollTo(0, 0);
      scrollBy(0, 200);
      return (
        getComputedStyle(document.documentElement).overflowY !== "hidden" &&
        getComputedStyle(document.body).overflowY !== "hidden"
      );
    });
  expect(await isScrollable()).toBe(false);

  // With reduced motion the slideshow starts paused.
  await page.clock.runFor(4_000);
  expect(await progress()).toBe(0);
  await pictureButton(t.slideshow.play).click();
  await page.clock.runFor(30 * 50);
  await expect.poll(progress).toBe(50);
  await page.clock.runFor(30 * 49);
  await expect.poll(progress).toBe(99);
  await counter("1 / 3");
  await page.clock.runFor(30);
  await counter("2 / 3");
  await expect.poll(progress).toBe(0);
  await expect(dialog.getByRole("img", { name: "Hanako" })).toHaveCount(1);
  await expect(dialog.getByRole("img", { name: "Hanako" })).toHaveAttribute("src", /\/media\/c\//);
  await page.clock.runFor(3_000);
  await counter("3 / 3");
  await pictureButton(t.slideshow.pause).click();
  await page.clock.runFor(9_000);
  await counter("3 / 3");
  await dialog.getByRole("button", { name: t.slideshow.next }).click();
  await counter("1 / 3");
  await dialog.getByRole("button", { name: t.slideshow.previous }).click();
  await counter("3 / 3");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.clock.runFor(1_000); // the page scrolls again a moment later
  expect(await isScrollable()).toBe(true);

  await page.emulateMedia({ reducedMotion: "no-preference" });
  await opener.click();
  await expect(dialog.locator("button > span:has(img)")).toHaveCSS("transition-duration", "1s");
  await page.clock.runFor(3_000);
  await counter("2 / 3");
});

test("has all controls of the slideshow with one picture", async ({ visit, member }) => {
  const [hanako, taro] = await Promise.all([member("one-hanako"), member("one-taro", { sex: "male" })]);
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/home/${taro.userId}`);
  await page.getByRole("button", { name: t.profile.enlarge }).click();
  const dialog = page.getByRole("dialog");

  for (const name of [t.slideshow.next, t.slideshow.previous]) {
    await dialog.getByRole("button", { name, exact: true }).click();
    await expect(dialog.getByRole("status")).toHaveText("1 / 1");
  }
  await expect(dialog.getByRole("button", { name: t.slideshow.play })).toHaveCount(2);
  await expect(dialog.getByRole("progressbar")).toHaveAttribute("value", "0");
});

test("shows a clear picture to a chosen match until the member revokes it", async ({
  visit,
  member,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    member("clear-hanako", { username: "Hanako" }),
    member("clear-taro", { sex: "male", username: "Taro" }),
  ]);
  await match(hanako, taro);
  const icon = iconFile();
  await hanako.call(saveProfile, { icon, icon_process: true, keep_clear_icon: true });
  const hers = await visit({ device: "desktop" });
  const his = await visit({ device: "phone" });
  await openAsMember(hers, hanako, `/home/${taro.userId}`);
  await openAsMember(his, taro, `/home/${hanako.userId}`);
  const shownPicture = his.page.getByRole("dialog").getByRole("img", { name: "Hanako" });
  const expectPicture = async (source: RegExp) => {
    await his.open(`/home/${hanako.userId}`);
    await his.page.getByRole("button", { name: his.t.profile.enlarge }).click();
    await expect(shownPicture).toHaveAttribute("src", source);
  };
  await expectPicture(/\/media\/i\//);

  const { page, t } = hers;
  const show = page.getByRole("button", { name: t.profile.showClear.replace("{name}", "Taro") });
  await show.click();
  await page.getByRole("button", { name: t.profile.showClearYes, exact: true }).click();
  await expect(page.getByText(t.profile.clearShown)).toBeVisible();
  await expectPicture(/\/media\/c\//);
  const address = new URL((await shownPicture.getAttribute("src"))!, server.url);
  expect((await fetch(address)).status).toBe(200);

  await hers.open("/setting/profile");
  const pictures = page.getByRole("region", { name: t.profileForm.pictures, exact: true });
  await pictures.getByRole("button", { name: /1/ }).click();
  await expect(page.getByRole("switch", { name: t.profileForm.keepClear })).toBeChecked();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: t.profileForm.stopShowing }).click();
  await expect(page.getByText(t.profileForm.noClearViewers)).toBeVisible();
  expect((await fetch(address)).status).toBe(404);
  await expectPicture(/\/media\/i\//);
});
