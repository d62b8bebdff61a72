import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { requestCode, choosePicture, enterCode, logInOnScreen } from "../../actions/sign-up.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

// A place of its own for each test.
const TRISTAN = [-12.28, -37.07] as const;

test("behind the cover nobody is liked, and neither a match nor a name shows", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro, jiro] = await Promise.all([
    signUp(server.url, mailbox, personOf("covered-hanako")),
    signUp(server.url, mailbox, personOf("covered-taro", { sex: "male", username: "Covered Taro" })),
    signUp(server.url, mailbox, personOf("covered-jiro", { sex: "male", username: "Covered Jiro" })),
  ]);
  for (const member of [hanako, taro]) await member.ask(saveLocation, { location: TRISTAN.join(",") });
  const visitor = await visit({ at: TRISTAN });
  const { page, t } = visitor;
  const back = page.getByRole("button", { name: t.privacyScreen.back });
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", (frame) => frames.push(String(frame.payload))));
  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "Covered Taro" })).toBeVisible();

  await page.getByRole("button", { name: t.shell.hide }).click();
  await expect(back).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await jiro.ask(likeUser, { likedId: hanako.userId });
  await hanako.ask(likeUser, { likedId: jiro.userId });
  await jiro.ask(sendDm, { receiverId: hanako.userId, description: "Are you there?" });

  await expect.poll(() => frames.join()).toContain("Covered Jiro");
  await expect(page.getByText("Covered Jiro")).toHaveCount(0);
  await expect(back).toBeFocused();
  await expect(page).toHaveTitle("Alcove");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("dialog", { name: t.matchNotice.title });
  await expect(notice).toContainText("Covered Jiro");
  await notice.getByRole("button", { name: t.matchNotice.keepLooking }).click();
  await expect(page.getByRole("article", { name: "Covered Taro" })).toBeVisible();
});

test("the cover takes the name out of the title, also when the tab is looked at again", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("title-hanako")),
    signUp(server.url, mailbox, personOf("title-taro", { sex: "male", username: "Taro" })),
  ]);
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/home/${taro.userId}`);
  await expect(page).toHaveTitle("Taro title-taro");

  await page.getByRole("button", { name: t.shell.hide }).click();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

  await expect(page).toHaveTitle("Alcove");
  await page.getByRole("button", { name: t.privacyScreen.back }).click();
  await expect(page).toHaveTitle("Taro title-taro");
});

test("what was half written is gone from the page after logging out", async ({ visit, mailbox, server }) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("draft-hanako")),
    signUp(server.url, mailbox, personOf("draft-taro", { sex: "male", username: "Taro" })),
  ]);
  await taro.ask(likeUser, { likedId: hanako.userId });
  await hanako.ask(likeUser, { likedId: taro.userId });
  const visitor = await visit();
  const { page, t } = visitor;
  const menu = page.getByRole("navigation", { name: t.shell.menu });
  const field = page.getByRole("textbox", { name: t.chat.write });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await field.fill("Nobody else should read this");
  await menu.getByRole("link", { name: t.shell.messages }).click();
  await expect(field).toBeHidden();
  await page.getByRole("link", { name: "Taro" }).click();
  await expect(field).toHaveValue("Nobody else should read this");

  await menu.getByRole("link", { name: t.shell.settings }).click();
  await page.getByRole("button", { name: t.settings.logout }).click();
  await page.getByRole("dialog").getByRole("button", { name: t.settings.logout }).click();
  await expect(page).toHaveURL(visitor.url("/login"));
  await logInOnScreen(visitor, mouse, hanako);
  await page
    .getByRole("dialog", { name: t.location.title })
    .getByRole("button", { name: t.location.notNow })
    .click();
  await menu.getByRole("link", { name: t.shell.messages }).click();
  await page.getByRole("link", { name: "Taro" }).click();

  await expect(field).toHaveValue("");
});

/** The screen is the plain list of notes and nothing else: to the eye, on paper, to a screen reader, and in the title. */
async function expectCovered({ page, t }: Visitor): Promise<void> {
  const back = page.getByRole("button", { name: t.privacyScreen.back });
  await expect(back).toBeFocused();
  await expect(page).toHaveTitle("Alcove");
  for (const media of ["print", "screen"] as const) {
    await page.emulateMedia({ media });
    await expect(page.locator("main").filter({ visible: true })).toHaveCount(1);
    await expect(page.locator("img, input, dialog, [role='dialog']").filter({ visible: true })).toHaveCount(
      0,
    );
  }
  const heard = await page.locator("body").ariaSnapshot();
  expect(heard.split("\n").filter((line) => /heading|button|link|textbox|img|dialog/.test(line))).toEqual([
    `  - heading "${t.privacyScreen.title}" [level=1]`,
    `  - button "${t.privacyScreen.back}"`,
  ]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.locator("input:focus, a:focus")).toHaveCount(0);
}

async function leavePrivacyScreen({ page, t }: Visitor): Promise<void> {
  await page.getByRole("button", { name: t.privacyScreen.back }).click();
}

/** Esc, twice within a fifth of a second, as somebody presses it who is startled, however slow this machine is. */
async function startle({ page, context }: Visitor): Promise<void> {
  const keyboard = await context.newCDPSession(page);
  const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 };
  const now = Date.now() / 1_000;
  for (const timestamp of [now - 0.2, now]) {
    await keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", timestamp, ...escape });
    await keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", timestamp, ...escape });
  }
  await keyboard.detach();
}

test("Esc pressed twice covers any screen, from within any field or layer, and keeps what was typed", async ({
  visit,
  mailbox,
  server,
}) => {
  test.slow(); // a dozen screens
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("every-hanako")),
    signUp(server.url, mailbox, personOf("every-taro", { sex: "male", username: "Every Taro" })),
  ]);
  await taro.ask(likeUser, { likedId: hanako.userId });
  await hanako.ask(likeUser, { likedId: taro.userId });
  const file = new File([new Uint8Array(drawPicture([30, 80, 60], [230, 200, 90]))], "a.png", {
    type: "image/png",
  });
  await taro.ask(sendDm, { receiverId: hanako.userId, file });
  const visitor = await visit();
  visitor.allowError(/status of 404/);
  const { page, t } = visitor;
  const covers = async () => {
    await startle(visitor);
    await expectCovered(visitor);
  };

  await visitor.open("/login");
  const userId = page.getByLabel(t.login.userId);
  await userId.fill("half-a-name");
  const steps = await page.evaluate(() => history.length);
  await covers();
  await leavePrivacyScreen(visitor);
  await expect(userId).toHaveValue("half-a-name");
  expect(await page.evaluate(() => history.length)).toBe(steps);
  for (const path of ["/sign-up", "/tos", "/privacy-policy", "/about-service", "/pricing", "/nowhere"]) {
    await visitor.open(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await covers();
  }

  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, "every@example.com");
  await enterCode(visitor, mouse, mailbox, "every@example.com");
  await page.getByLabel(t.profileForm.username).fill("Half a name");
  await choosePicture(visitor, mouse);
  await expect(page.getByRole("dialog", { name: t.crop.title })).toBeVisible();
  await covers();
  await leavePrivacyScreen(visitor);
  await expect(page.getByLabel(t.profileForm.username)).toHaveValue("Half a name");

  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("dialog", { name: t.location.title })).toBeVisible();
  await covers();
  for (const path of ["/dm", "/setting", "/setting/filter", "/setting/privacy", "/setting/blocks"]) {
    await visitor.open(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await covers();
  }
  await visitor.open("/setting");
  await page.getByRole("button", { name: t.settings.logout }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await covers();
  await visitor.open(`/home/${taro.userId}`);
  await page.getByRole("button", { name: t.profile.enlarge }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await covers();

  await visitor.open(`/dm/${taro.userId}`);
  await page.getByRole("button", { name: t.chat.tapToView }).click();
  await page.getByRole("button", { name: t.chat.enlarge }).click();
  await expect(page.getByRole("dialog", { name: t.chat.image })).toBeVisible();
  await covers();
  await leavePrivacyScreen(visitor);
  await page.getByRole("textbox", { name: t.chat.write }).fill("Half a sentence");
  await covers();
  await taro.ask(sendDm, { receiverId: hanako.userId, description: "Still there?" });
  await expectCovered(visitor);
  await leavePrivacyScreen(visitor);
  await expect(page.getByRole("log").getByText("Still there?")).toBeVisible();
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("Half a sentence");
});

// Once it has begun, the app hears of Esc by itself, and still has no sentences.
for (const [last, name] of [
  ["the app runs", "entry.client"],
  ["the app has its sentences", "en"],
])
  test(`Esc pressed twice before ${last} hides the page at once, and shows the notes as soon as it does`, async ({
    visit,
  }) => {
    const visitor = await visit();
    const { page, t } = visitor;
    const appMayCome = Promise.withResolvers<void>();
    const script = `**/assets/${name}-*.js`;
    await visitor.context.route(script, async (route) => {
      await appMayCome.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(script);
    await page.goto(visitor.url("/pricing"), { waitUntil: "commit" });
    const title = page.getByRole("heading", { name: t.pricing.title });
    await expect(title).toBeVisible();
    await asked;

    await startle(visitor);
    await expect(title).toBeHidden();
    appMayCome.resolve();

    await expectCovered(visitor);
    await leavePrivacyScreen(visitor);
    await expect(title).toBeVisible();
  });

test("who wishes it finds the screen hidden after looking elsewhere, with open layers as they were", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("leave-hanako"));
  const visitor = await visit();
  const { page, t } = visitor;
  const leave = () =>
    page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      // What a switcher of apps may take a picture of is what stands now.
      return [...document.querySelectorAll("h1")]
        .filter((it) => it.checkVisibility())
        .map((it) => it.textContent);
    });
  await openAsMember(visitor, hanako, "/setting/privacy");
  const title = page.getByRole("heading", { name: t.privacy.title });
  await expect(title).toBeVisible();
  expect(await leave()).toEqual([t.privacy.title]);

  await page.getByRole("switch", { name: t.privacy.hideWhenLeft }).check();
  await page.getByLabel(t.privacy.pin, { exact: true }).fill("2468");
  await page.getByLabel(t.privacy.pinAgain).fill("2468");
  await page.getByRole("button", { name: t.privacy.setPin }).click();
  const lock = page.getByRole("region", { name: t.privacy.lockTitle });
  await lock.getByRole("radio", { name: formatText(t.privacy.minutes, { minutes: 15 }) }).check();
  await page.getByRole("button", { name: t.privacy.removePin }).click();
  const sheet = page.getByRole("dialog", { name: t.privacy.removePin });
  await sheet.getByLabel(t.privacy.pin).fill("24");
  expect(await leave()).toEqual([t.privacyScreen.title]);
  await expectCovered(visitor);
  await leavePrivacyScreen(visitor);

  await expect(sheet.getByLabel(t.privacy.pin)).toHaveValue("24");
});
