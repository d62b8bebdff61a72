import { getNotifications } from "@alcove/contract/notifications";
import { matchedPair, sendText } from "../../actions/members.ts";
import { NATIVE_ORIGIN } from "../../fixtures/native-phone.ts";
import { expect, logInOnPhone, t, test } from "../../fixtures/native-test.ts";

test(
  "registers for pushes when the member turns them on, and opens the start when one is tapped",
  { tag: "@long" },
  async ({ phone, member, server, place, fcm }) => {
    const [hanako, taro] = await matchedPair(member);
    const native = await phone({ at: place, launchUrl: `${server.url}/en/setting/notifications` });
    const { page } = native;
    const token = await fcm.addDevice();
    native.pushToken = token;
    const sent: string[] = [];
    page.on("request", (request) => {
      const { token: address } = (request.postDataJSON() ?? {}) as { token?: string };
      if (request.url().endsWith("/push-subscription") && address) sent.push(address);
    });
    const pushesTo = async (device: string) =>
      (await fcm.received()).filter((push) => push.device === device).map(({ body }) => body);
    await native.launch();
    await logInOnPhone(native, hanako);

    await expect(page.getByText(t.nativeApp.pushOff)).toBeVisible();
    expect(native.callsOf("PushNotifications.requestPermissions")).toEqual([]);
    await expect
      .poll(() => native.callsOf("PushNotifications.createChannel"))
      .toEqual([{ id: "news", name: t.nativeApp.pushChannel }]);
    await page.getByRole("button", { name: t.notifications.turnOn }).click();
    await expect(page.getByText(t.nativeApp.pushOn)).toBeVisible();
    expect((await hanako.call(getNotifications, {})).native_push).toEqual(["fcm"]);

    await native.setVisible(false);
    await sendText(taro, hanako, "Good evening");
    await expect.poll(() => pushesTo(token), { timeout: 30_000 }).toEqual([t.notifications.somethingNew]);
    await native.setVisible(true);
    await native.tapPush();
    await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en`);
    expect(native.callsOf("PushNotifications.removeAllDeliveredNotifications")).not.toEqual([]);

    const replaced = await fcm.addDevice();
    native.pushToken = replaced;
    await native.launch({ byPush: true });
    await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
    await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en`);
    await expect.poll(() => sent.at(-1)).toBe(replaced);

    await page.goto(`${NATIVE_ORIGIN}/en/setting`);
    await page.getByRole("button", { name: t.settings.logout, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: t.settings.logout }).click();
    await expect.poll(() => native.callsOf("PushNotifications.unregister")).toHaveLength(1);
  },
);

test(
  "leads to the phone's settings where notifications are denied for good",
  { tag: "@long" },
  async ({ phone, member, server }) => {
    const hanako = await member("native-push-denied");
    const native = await phone({
      pushPermission: "denied",
      launchUrl: `${server.url}/en/setting/notifications`,
    });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);

    await expect(page.getByText(t.nativeApp.pushDenied)).toBeVisible();
    await page.getByRole("button", { name: t.location.openSettings }).click();

    await expect.poll(() => native.callsOf("NativeSettings.open")).toHaveLength(1);
  },
);
