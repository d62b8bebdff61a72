import type { Locator } from "@playwright/test";
import { sendDm } from "@alcove/contract/messaging";
import { matchedPair, setPosition } from "../../actions/members.ts";
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

test("closes menu, sheet and picture with the back button", async ({ phone, member, server, place }) => {
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
    await page.getByRole("menuitem", { name: t.chat.block }).click();
  });
  await page.getByRole("button", { name: t.chat.tapToView }).click();
  await openAndBack(native, page.getByRole("dialog", { name: t.chat.image }), () =>
    page.getByRole("button", { name: t.chat.enlarge }).click(),
  );
  expect(native.callsOf("App.minimizeApp")).toEqual([]);
});

test("starts locked from the keystore, and leaves the app at back", async ({
  phone,
  member,
  server,
  place,
}) => {
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
});
