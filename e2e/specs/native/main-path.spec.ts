import { getOwnUser } from "@alcove/contract/accounts";
import { getDms } from "@alcove/contract/messaging";
import { dragWithFinger } from "../../actions/gestures.ts";
import { keyboard } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { NATIVE_ORIGIN } from "../../fixtures/native-phone.ts";
import { expect, logInOnPhone, type NativeFixtures, t, test } from "../../fixtures/native-test.ts";
import { translationsOf } from "../../fixtures/translations.ts";

test("starts in the device's language, without Google", async ({ phone, visit }) => {
  const visitor = await visit({ language: "zh-hans" });
  await visitor.open("");
  await expect(visitor.page.getByText(visitor.t.login.withGoogle)).toBeAttached();
  const chinese = await phone({ language: "cn" });
  await chinese.launch();

  await expect(chinese.page).toHaveURL(`${NATIVE_ORIGIN}/zh-hans`);
  await expect(chinese.page.getByText(translationsOf("zh-hans").login.createAccount)).toBeVisible();
  await expect(chinese.page.getByText(translationsOf("zh-hans").login.withGoogle)).toHaveCount(0);

  for (const [language, path] of [
    ["ja", "/ja"],
    ["zh", "/zh-hant"],
    ["de-AT", "/en"],
  ] as const) {
    const other = await phone({ language });
    await other.launch();
    await expect(other.page).toHaveURL(NATIVE_ORIGIN + path);
  }
});

/** Opens the app at a chat with "Good evening", and logs in. */
async function openChat({ phone, member, server }: Pick<NativeFixtures, "phone" | "member" | "server">) {
  const [hanako, taro] = await matchedPair(member);
  await sendText(taro, hanako, "Good evening");
  const native = await phone({ launchUrl: `${server.url}/en/dm/${taro.userId}` });
  await native.launch();
  await logInOnPhone(native, hanako);
  await expect(native.page.getByRole("log").getByText("Good evening")).toBeVisible();
  return { native, hanako, taro };
}

test("logs in, keeps the tokens in the keystore, and chats with pictures from the server", async ({
  phone,
  member,
  server,
}) => {
  const { native, hanako, taro } = await openChat({ phone, member, server });
  const { page } = native;
  await keyboard.type(page.getByRole("textbox", { name: t.chat.write }), "And to you");
  await keyboard.press(page.getByRole("button", { name: t.chat.send }));
  await expect(page.getByText(t.chat.sending)).toHaveCount(0);
  expect((await taro.call(getDms, { friendId: hanako.userId })).dms.at(-1)!.description).toBe("And to you");
  await sendText(taro, hanako, "It comes live");
  await expect(page.getByRole("log").getByText("It comes live")).toBeVisible();
  const picture = page.locator("img[src*='/media/']").first();
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => [img.currentSrc, img.naturalWidth > 0]))
    .toEqual([expect.stringContaining(`${server.url}/media/`), true]);
  const { refresh } = JSON.parse(native.secret("session")!) as { refresh: string };
  expect(await native.storedInPage()).not.toContain(refresh);

  await native.launch(); // after the system has ended the app
  await expect(page.getByRole("log").getByText("It comes live")).toBeVisible();
});

test(
  "asks for the position, and leads to the app's settings where it is denied for good",
  { tag: "@long" },
  async ({ phone, member, place }) => {
    const hanako = await member("native-position");
    const asked = await phone({ at: place, permission: "prompt" });
    await asked.launch();
    await logInOnPhone(asked, hanako);
    await asked.page.getByRole("dialog").getByRole("button", { name: t.location.allow }).click();
    await expect(asked.page.getByRole("dialog")).toHaveCount(0);
    expect((await hanako.call(getOwnUser, {})).user.location).not.toBeNull();

    const yuki = await member("native-denied");
    const denied = await phone({ permission: "denied for good" });
    await denied.launch();
    await logInOnPhone(denied, yuki);
    await denied.page.getByRole("button", { name: t.location.openSettings }).click();
    await expect.poll(() => denied.callsOf("NativeSettings.open")).toHaveLength(1);
    expect(denied.callsOf("Geolocation.requestPermissions")).toEqual([]);
  },
);

test("closes the open dialog with the back button, then goes back, then leaves the app", async ({
  phone,
  member,
  place,
}) => {
  const native = await phone({ at: place });
  const { page } = native;
  const dialog = page.getByRole("dialog");
  await native.launch();
  await page.getByRole("button", { name: t.shell.language }).click();
  await expect(dialog).toBeVisible();
  await native.pressBack();
  await expect(dialog).toHaveCount(0);
  expect(native.callsOf("App.minimizeApp")).toEqual([]);

  await page.getByRole("contentinfo").getByRole("link", { name: t.shell.privacy }).click();
  await expect(page).toHaveURL(/\/privacy-policy$/);
  await native.pressBack();
  await expect(page).toHaveURL(/\/en$/);
  await native.pressBack();
  await expect.poll(() => native.callsOf("App.minimizeApp")).toHaveLength(1);

  const hanako = await member("native-back");
  await logInOnPhone(native, hanako);
  await page.getByRole("button", { name: t.shell.hide }).click();
  for (const _ of [1, 2]) await native.pressBack();
  await expect.poll(() => native.callsOf("App.minimizeApp")).toHaveLength(3);
  await expect(page.getByRole("button", { name: t.shell.hide })).toBeHidden();
});

test("opens app URLs while it runs and when they start it", async ({ phone, server }) => {
  const running = await phone();
  const { page } = running;
  await running.launch();
  await expect(page.getByText(t.login.createAccount)).toBeVisible();

  await running.openUrl("https://evil.example/en/pricing");
  await running.openUrl(`${server.url}/en/sign-up?invited_by=yuki`);
  await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en/sign-up?invited_by=yuki`);
  await expect.poll(() => running.storedInPage()).toContain('"invitedBy":"yuki"');
  await running.openUrl("example.alcove.app://open/ja/pricing");
  await expect(page).toHaveURL(`${NATIVE_ORIGIN}/ja/pricing`);

  const cold = await phone({ launchUrl: `${server.url}/en/sign-up?invited_by=taro` });
  await cold.launch();
  await expect(cold.page).toHaveURL(`${NATIVE_ORIGIN}/en/sign-up?invited_by=taro`);
  await expect.poll(() => cold.storedInPage()).toContain('"invitedBy":"taro"');
});

for (const platform of ["android", "ios"] as const)
  test(
    `opens a chat, ?next and the link of an email on ${platform}, while it runs and when they start it`,
    { tag: "@long" },
    async ({ phone, member, server, place, allowed }) => {
      allowed.push(/status of 404/); // the link of the email has no valid token
      const [hanako, taro] = await matchedPair(member);
      await sendText(taro, hanako, "Good evening");
      const native = await phone({ platform, at: place });
      const { page } = native;
      const opened: [path: string, found: () => Promise<void>][] = [
        [
          `/en/dm/${taro.userId}`,
          () => expect(page.getByRole("log").getByText("Good evening")).toBeVisible(),
        ],
        [
          "/en/login?next=%2Fen%2Fsetting%2Ffilter",
          () => expect(page).toHaveURL(`${NATIVE_ORIGIN}/en/setting/filter`),
        ],
        [
          "/en/unsubscribe?token=invalid",
          async () => {
            await page.getByRole("button", { name: t.notifications.end, exact: true }).click();
            await expect(page.getByText(t.notifications.endBroken)).toBeVisible();
          },
        ],
      ];
      await native.launch();
      await logInOnPhone(native, hanako);
      await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();

      for (const [path, found] of opened) {
        await native.openUrl(server.url + path);
        await found();
      }
      for (const [path, found] of opened) {
        await native.launch({ url: server.url + path });
        await found();
      }
    },
  );

test(
  "reloads when a finger pulls the page down by more than 300 px",
  { tag: "@long" },
  async ({ phone, server }) => {
    const native = await phone({ launchUrl: `${server.url}/en/pricing` });
    const { page } = native;
    const isMarked = () => page.evaluate(() => "mark" in globalThis);
    await native.launch();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => Object.assign(globalThis, { mark: true }));

    await dragWithFinger(page, [195, 150], [195, 440]);
    expect(await isMarked()).toBe(true);
    const reloaded = page.waitForEvent("load");
    await dragWithFinger(page, [195, 150], [195, 500]);

    await reloaded;
    expect(await isMarked()).toBe(false);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en/pricing`);
  },
);

test(
  "logs out, and works, when the keystore cannot be read",
  { tag: "@long" },
  async ({ phone, member, server }) => {
    const hanako = await member("native-keystore");
    const native = await phone({ launchUrl: `${server.url}/en/setting` });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);
    await expect(page.getByText(/^© \d{4} Alcove \d+\.\d+\.\d+$/)).toBeVisible();

    native.isKeystoreBroken = true;
    await native.launch();

    await logInOnPhone(native, hanako);
    await expect(page).toHaveURL(`${NATIVE_ORIGIN}/en/setting`);
  },
);

test("continues after the login where ?next leads", { tag: "@long" }, async ({ phone, member, server }) => {
  const hanako = await member("native-next");
  const native = await phone({ launchUrl: `${server.url}/en/login?next=%2Fen%2Fsetting%2Ffilter` });
  await native.launch();

  await logInOnPhone(native, hanako);

  await expect(native.page).toHaveURL(`${NATIVE_ORIGIN}/en/setting/filter`);
});

test(
  "opens pages of other sites and new windows in the system's browser",
  { tag: "@long" },
  async ({ phone, server }) => {
    const native = await phone();
    const { page } = native;
    await native.launch();
    await page.getByRole("link", { name: t.login.createAccount }).click();

    await page.getByRole("main").getByRole("link", { name: /terms/ }).click();

    await expect.poll(() => native.callsOf("Browser.open")).toEqual([{ url: `${server.url}/en/tos` }]);
    await expect(page).toHaveURL(/\/sign-up$/);
  },
);

test("shares the invitation by the system's sheet", { tag: "@long" }, async ({ phone, member, server }) => {
  const hanako = await member("native-share");
  const native = await phone({ launchUrl: `${server.url}/en/brokerage-fee` });
  await native.launch();
  await logInOnPhone(native, hanako);

  await native.page.getByRole("button", { name: t.referral.shareLink }).click();

  const url = `${server.url}/en/sign-up?invited_by=${hanako.userId}`;
  await expect.poll(() => native.callsOf("Share.share")).toEqual([{ url }]);
});

test(
  "starts without a connection, shows that, and recovers",
  { tag: "@long" },
  async ({ phone, member, place, allowed }) => {
    allowed.push(/ERR_INTERNET_DISCONNECTED/);
    const hanako = await member("native-offline");
    const native = await phone({ at: place });
    const { page } = native;
    await native.launch();
    await logInOnPhone(native, hanako);

    await native.setOffline(true);
    await native.launch();
    await expect(page.getByText(t.errorScreen.offline).first()).toBeVisible();

    await native.setOffline(false);
    await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  },
);

test(
  "keeps a message while the network is lost in a chat, and sends it once afterwards",
  { tag: "@long" },
  async ({ phone, member, server, allowed }) => {
    allowed.push(/ERR_INTERNET_DISCONNECTED/);
    const { native, hanako, taro } = await openChat({ phone, member, server });
    const { page } = native;

    await native.setOffline(true);
    await expect(page.getByText(t.chat.offline)).toBeVisible();
    await keyboard.type(page.getByRole("textbox", { name: t.chat.write }), "In the tunnel");
    await keyboard.press(page.getByRole("button", { name: t.chat.send }));
    await expect(page.getByText(t.chat.waiting)).toBeVisible();
    await sendText(taro, hanako, "Are you there?");
    const read = async () => (await taro.call(getDms, { friendId: hanako.userId })).dms;
    const texts = async () => (await read()).map(({ description }) => description);
    expect(await texts()).toEqual(["Good evening", "Are you there?"]);

    await native.setOffline(false);
    await expect(page.getByText(t.chat.offline)).toBeHidden();
    await expect.poll(texts).toEqual(["Good evening", "Are you there?", "In the tunnel"]);
    await expect(page.getByRole("log").getByText("Are you there?")).toBeVisible();
    await expect(page.getByText(t.chat.waiting)).toBeHidden();
  },
);

for (const { age, wire, text } of [
  { age: "older", wire: 1, text: t.nativeApp.updateApp },
  { age: "newer", wire: -1, text: t.nativeApp.waitForServer },
])
  test(
    `shows the next step at the start and on return when the app is ${age} than the server`,
    { tag: "@long" },
    async ({ phone }) => {
      const native = await phone();
      const { page } = native;
      const notice = page.getByRole("dialog", { name: t.nativeApp.unfitTitle });
      await native.launch();
      await expect(page.getByText(t.login.createAccount)).toBeVisible();

      await native.answerSettings((settings) => ({
        ...settings,
        oldest_wire: settings.wire + wire,
        wire: settings.wire + wire,
      }));
      await native.setVisible(false);
      await native.setVisible(true);
      await expect(notice).toContainText(text);
      await native.launch();
      await expect(notice).toContainText(text);
      await expect(notice).toContainText(/\d+\.\d+\.\d+ \(\d+\)/);
      await native.pressBack();
      await expect.poll(() => native.callsOf("App.minimizeApp")).toHaveLength(1);
      await expect(notice).toBeVisible();
    },
  );
