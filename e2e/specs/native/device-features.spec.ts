import { getSessions } from "@alcove/contract/accounts";
import { match } from "../../actions/members.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { NATIVE_ORIGIN, type NativePhone } from "../../fixtures/native-phone.ts";
import { expect, logInOnPhone, setPinOnPhone, t, test } from "../../fixtures/native-test.ts";

test("copies by the device's clipboard", { tag: "@long" }, async ({ phone, member, server }) => {
  const hanako = await member("native-copy");
  const native = await phone({ launchUrl: `${server.url}/en/brokerage-fee` });
  await native.launch();
  await logInOnPhone(native, hanako);

  await native.page.getByRole("button", { name: t.referral.copyLink }).click();

  await expect(native.page.getByText(t.referral.copied)).toBeVisible();
  const string = `${server.url}/en/sign-up?invited_by=${hanako.userId}`;
  expect(native.callsOf("Clipboard.write")).toEqual([{ string }]);
});

test(
  "vibrates with the notice of a match only where the member has turned it on, and nothing is hidden",
  { tag: "@long" },
  async ({ phone, member, server }) => {
    const hanako = await member("native-vibration", { isPaid: true });
    const notice = (native: NativePhone) =>
      native.page.getByRole("dialog", { name: t.matchNotice.title }).getByRole("button", {
        name: t.matchNotice.keepLooking,
      });
    const matchWith = async (userId: string) => match(await member(userId, { sex: "male" }), hanako);
    const native = await phone({ launchUrl: `${server.url}/en/setting/device` });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);
    const choice = page.getByRole("switch", { name: t.nativeApp.vibration });
    await expect(choice).not.toBeChecked();

    await matchWith("native-quiet");
    await notice(native).click();
    expect(native.callsOf("Haptics.impact")).toEqual([]);

    await choice.check();
    await matchWith("native-felt");
    await notice(native).click();
    await expect.poll(() => native.callsOf("Haptics.impact")).toHaveLength(1);

    await page.getByRole("button", { name: t.shell.hide }).click();
    await matchWith("native-covered");
    await pressEscapeTwice(native);
    await notice(native).click();
    expect(native.callsOf("Haptics.impact")).toHaveLength(1);
  },
);

for (const platform of ["android", "ios"] as const)
  test(
    `unlocks the app by face or fingerprint on ${platform}, and else by the PIN`,
    { tag: "@long" },
    async ({ phone, member, server }) => {
      const hanako = await member(`native-face-${platform}`);
      const native = await phone({
        platform,
        hasBiometrics: true,
        launchUrl: `${server.url}/en/setting/pin`,
      });
      const { page } = native;
      const locked = page.getByRole("heading", { name: t.privacy.lockedTitle });
      const asked = () => native.callsOf("BiometricAuthNative.internalAuthenticate");
      await native.launch();
      await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en/setting/pin`);
      await logInOnPhone(native, hanako);
      await setPinOnPhone(native, "2580");

      await native.launch();
      await expect(locked).toBeVisible();
      for (const digit of "2580") await page.keyboard.press(digit);
      await page.getByRole("switch", { name: t.nativeApp.biometrics }).check();
      expect(asked()).toEqual([]);

      await native.launch();
      await expect(page.getByRole("switch", { name: t.nativeApp.biometrics })).toBeChecked();
      await expect(locked).toHaveCount(0);
      expect(asked()).toMatchObject([{ reason: t.nativeApp.unlock, allowDeviceCredential: false }]);

      native.isOwner = false;
      await native.launch();
      await expect(locked).toBeVisible();
      await page.getByRole("button", { name: t.nativeApp.useBiometrics }).click();
      await expect.poll(asked).toHaveLength(3);
      await expect(locked).toBeVisible();
      for (const digit of "2580") await page.keyboard.press(digit);
      await expect(locked).toHaveCount(0);
    },
  );

test("offers no biometrics on a phone without them", { tag: "@long" }, async ({ phone, member, server }) => {
  const hanako = await member("native-faceless");
  const native = await phone({ launchUrl: `${server.url}/en/setting/pin` });
  await native.launch();
  await logInOnPhone(native, hanako);
  await setPinOnPhone(native, "2580");

  await expect(native.page.getByRole("button", { name: t.privacy.removePin })).toBeVisible();
  await expect.poll(() => native.callsOf("BiometricAuthNative.checkBiometry")).toHaveLength(1);
  await expect(native.page.getByRole("switch", { name: t.nativeApp.biometrics })).toHaveCount(0);
});

test(
  "leaves only the notes after the second PIN, nothing in the keystore, and no session",
  { tag: "@long" },
  async ({ phone, member, server }) => {
    const hanako = await member("native-duress");
    const sessions = async () => (await hanako.call(getSessions, {})).sessions.length;
    const before = await sessions();
    const native = await phone({ launchUrl: `${server.url}/en/setting/pin` });
    const { page } = native;
    const notes = page.getByRole("heading", { name: t.privacyScreen.title });
    await native.launch();
    await logInOnPhone(native, hanako);
    await page.getByRole("switch", { name: t.privacy.hasSecondPin }).check();
    await page.getByLabel(t.privacy.secondPin, { exact: true }).fill("1357");
    await page.getByLabel(t.privacy.secondPinAgain).fill("1357");
    await setPinOnPhone(native, "2580");
    expect(native.secret("session")).toBeDefined();
    await native.launch();
    await expect(page.getByRole("heading", { name: t.privacy.lockedTitle })).toBeVisible();

    for (const digit of "1357") await page.keyboard.press(digit);

    await expect(notes).toBeVisible();
    await expect.poll(sessions).toBe(before);
    expect(native.secret("session")).toBeUndefined();
    await expect.poll(() => native.callsOf("PushNotifications.unregister")).toHaveLength(1);
    const left = JSON.stringify([{ installed: "yes" }, [["notes", ""]]]);
    await expect.poll(async () => native.storedInPage()).toBe(left);
    await native.launch();
    await expect(notes).toBeVisible();
  },
);
