import type { Locator } from "@playwright/test";
import { likeUser } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { keyboard } from "../../actions/input-method.ts";
import { matchedPair, setPosition } from "../../actions/members.ts";
import { menuEntry } from "../../actions/more-menu.ts";
import { choosePicture } from "../../actions/sign-up.ts";
import { NATIVE_ORIGIN } from "../../fixtures/native-phone.ts";
import type { NativePhone } from "../../fixtures/native-phone.ts";
import { expect, logInOnPhone, setPinOnPhone, t, test } from "../../fixtures/native-test.ts";
import { messagePicture } from "../../fixtures/pictures.ts";

/** Opens a layer, and closes it with the back button. The URL stays. */
async function openAndBack(phone: NativePhone, layer: Locator, open: () => Promise<void>): Promise<void> {
  const url = phone.page.url();
  await open();
  await expect(layer).toBeVisible();
  await phone.pressBack();
  await expect(layer).toHaveCount(0);
  expect(phone.page.url()).toBe(url);
}

test(
  "closes menu, sheet and picture with the back button",
  { tag: "@long" },
  async ({ phone, member, server, place }) => {
    const [hanako, taro] = await matchedPair(member);
    await setPosition(place, hanako, taro);
    await taro.call(sendDm, { receiverId: hanako.userId, file: messagePicture() });
    const native = await phone({ at: place, launchUrl: `${server.url}/en/dm/${taro.userId}` });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);
    const more = page.getByRole("button", { name: t.chat.more });
    await expect(more).toBeVisible();

    await openAndBack(native, page.getByRole("menu"), () => more.click());
    await openAndBack(native, page.getByRole("dialog"), async () => {
      await more.click();
      await menuEntry(page, t.chat.block).click();
    });
    await page.getByRole("button", { name: t.chat.tapToView }).click();
    await openAndBack(native, page.getByRole("dialog", { name: t.chat.image }), () =>
      page.getByRole("button", { name: t.chat.enlarge }).click(),
    );
    expect(native.callsOf("App.minimizeApp")).toEqual([]);
  },
);

test(
  "closes prompt, notice, slideshow, crop and questions with the back button",
  { tag: "@long" },
  async ({ phone, member, place, allowed }) => {
    allowed.push(/status of 402/); // the card of the day is used
    const [hanako, jiro, taro] = await Promise.all([
      member("native-layers"),
      member("native-layers-jiro", { sex: "male" }),
      member("native-layers-taro", { sex: "male", username: "Taro" }),
    ]);
    await setPosition(place, taro);
    const native = await phone({ at: place, permission: "prompt" });
    const { page } = native;
    const dialog = (name: string) => page.getByRole("dialog", { name });
    const closeByBack = (name: string, open: () => Promise<void>) => openAndBack(native, dialog(name), open);
    await native.launch();
    await logInOnPhone(native, hanako);

    await closeByBack(t.location.title, async () => undefined);
    await native.launch();
    await dialog(t.location.title).getByRole("button", { name: t.location.allow }).click();
    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();
    await hanako.call(likeUser, { likedId: jiro.userId });
    await closeByBack(t.errors.upgrade_required, () =>
      page.getByRole("button", { name: t.home.like, exact: true }).click(),
    );
    await closeByBack(t.matchNotice.title, async () => {
      await jiro.call(likeUser, { likedId: hanako.userId });
    });

    await page.goto(`${NATIVE_ORIGIN}/en/home/${taro.userId}`);
    const enlarge = page.getByRole("button", { name: t.profile.enlarge });
    await openAndBack(native, page.getByRole("dialog"), () => enlarge.click());

    await page.goto(`${NATIVE_ORIGIN}/en/setting`);
    await closeByBack(t.settings.confirmLogout, () =>
      page.getByRole("button", { name: t.settings.logout, exact: true }).click(),
    );
    await page.getByRole("link", { name: t.settings.profile }).click();
    await expect(page.getByLabel(t.profileForm.hobby)).toBeVisible();
    await closeByBack(t.crop.title, () => choosePicture({ page, t }, keyboard));
    await page.getByLabel(t.profileForm.hobby).fill("kites");
    await closeByBack(t.settings.unsaved, () => native.pressBack());
    await expect(page.getByLabel(t.profileForm.hobby)).toHaveValue("kites");
    expect(native.callsOf("App.minimizeApp")).toEqual([]);
  },
);

test(
  "starts locked from the keystore, and leaves the app at back",
  { tag: "@long" },
  async ({ phone, member, server, place }) => {
    const hanako = await member("native-lock");
    const native = await phone({ at: place, launchUrl: `${server.url}/en/setting/pin` });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);
    await setPinOnPhone(native, "2580");
    expect(await native.storedInPage()).not.toContain("salt");

    await native.launch();
    await expect(page.getByRole("heading", { name: t.privacy.lockedTitle })).toBeVisible();
    await native.pressBack();
    await expect.poll(() => native.callsOf("App.minimizeApp")).toHaveLength(1);
    await expect(page.getByRole("heading", { name: t.privacy.lockedTitle })).toBeVisible();
    for (const digit of "2580") await page.keyboard.press(digit);
    await expect(page.getByRole("heading", { name: t.privacy.lockedTitle })).toHaveCount(0);
  },
);
