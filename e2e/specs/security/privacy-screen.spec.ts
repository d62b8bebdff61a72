import { sendDm } from "@alcove/contract/messaging";
import { keyboard } from "../../actions/input-method.ts";
import { match, setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { messagePicture } from "../../fixtures/pictures.ts";
import { entryScript, scriptWith } from "../../fixtures/scripts.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText, translationsOf } from "../../fixtures/translations.ts";

test("ignores keys and shows no match and no name behind the privacy screen", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro, jiro] = await Promise.all([
    member("covered-hanako"),
    member("covered-taro", { sex: "male", username: "Hidden Taro" }),
    member("covered-jiro", { sex: "male", username: "Hidden Jiro" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place });
  const { page, t } = visitor;
  const back = page.getByRole("button", { name: t.privacyScreen.back });
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", (frame) => frames.push(String(frame.payload))));
  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "Hidden Taro" })).toBeVisible();

  await page.getByRole("button", { name: t.shell.hide }).click();
  await expect(back).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await match(jiro, hanako);
  await jiro.call(sendDm, { receiverId: hanako.userId, description: "Are you there?" });

  await expect.poll(() => frames.join()).toContain("Hidden Jiro");
  await expect(page.getByText("Hidden Jiro")).toHaveCount(0);
  await expect(back).toBeFocused();
  await expect(page).toHaveTitle(t.privacyScreen.title);
  await pressEscapeTwice(visitor);
  const notice = page.getByRole("dialog", { name: t.matchNotice.title });
  await expect(notice).toContainText("Hidden Jiro");
  await notice.getByRole("button", { name: t.matchNotice.keepLooking }).click();
  await expect(page.getByRole("article", { name: "Hidden Taro" })).toBeVisible();
});

/** Expects only the list of notes: on screen, in print, for a screen reader, and in the title. */
async function expectCovered({ page, t }: Visitor): Promise<void> {
  const back = page.getByRole("button", { name: t.privacyScreen.back });
  await expect(back).toBeFocused();
  await expect(page).toHaveTitle(t.privacyScreen.title);
  await expect(page.getByText("Alcove").filter({ visible: true })).toHaveCount(0);
  for (const media of ["print", "screen"] as const) {
    await page.emulateMedia({ media });
    await expect(page.locator("main").filter({ visible: true })).toHaveCount(1);
    await expect(page.locator("img, dialog, [role='dialog']").filter({ visible: true })).toHaveCount(0);
    await expect(page.locator("input").filter({ visible: true })).toHaveCount(1);
  }
  const controls = async () => {
    const lines = (await page.locator("body").ariaSnapshot()).split("\n");
    return lines.filter((line) => /level=1|link|box|img|dialog/.test(line)).map((it) => it.trim());
  };
  await expect
    .poll(controls)
    .toEqual([`- heading "${t.privacyScreen.title}" [level=1]`, `- searchbox "${t.privacyScreen.search}"`]);
}

test("covers screen, field and dialog when Esc is pressed twice, and keeps the input", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await Promise.all([
    member("every-hanako"),
    member("every-taro", { sex: "male", username: "Every Taro" }),
  ]);
  await match(taro, hanako);
  await taro.call(sendDm, { receiverId: hanako.userId, file: messagePicture() });
  const visitor = await visit();
  const { page, t } = visitor;
  const covers = async () => {
    await pressEscapeTwice(visitor);
    await expectCovered(visitor);
  };

  await visitor.open("/login");
  const userId = page.getByLabel(t.login.userId);
  await userId.fill("half-a-name");
  const steps = await page.evaluate(() => history.length);
  await covers();
  await pressEscapeTwice(visitor);
  await expect(userId).toHaveValue("half-a-name");
  expect(await page.evaluate(() => history.length)).toBe(steps);

  await openAsMember(visitor, hanako, `/home/${taro.userId}`);
  await expect(page).toHaveTitle(`Every Taro ${taro.userId}`);
  await page.getByRole("button", { name: t.profile.enlarge }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await covers();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveTitle(t.privacyScreen.title);
  await pressEscapeTwice(visitor);
  await expect(page).toHaveTitle(`Every Taro ${taro.userId}`);

  await visitor.open(`/dm/${taro.userId}`);
  await page.getByRole("button", { name: t.chat.tapToView }).click();
  await page.getByRole("button", { name: t.chat.enlarge }).click();
  await expect(page.getByRole("dialog", { name: t.chat.image })).toBeVisible();
  await covers();
  await pressEscapeTwice(visitor);
  await page.getByRole("textbox", { name: t.chat.write }).fill("Half a sentence");
  await covers();
  await taro.call(sendDm, { receiverId: hanako.userId, description: "Still there?" });
  await expectCovered(visitor);
  await pressEscapeTwice(visitor);
  await expect(page.getByRole("log").getByText("Still there?")).toBeVisible();
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("Half a sentence");
});

// The app handles Esc before its translations have arrived.
for (const [last, path, heading, findScript] of [
  ["hydration", "/login", translationsOf("en").login.welcomeBack, entryScript],
  [
    "the translations arrive",
    "/login",
    translationsOf("en").login.welcomeBack,
    () => scriptWith(translationsOf("en").shell.description),
  ],
  ["the script of a public page", "/pricing", translationsOf("en").pricing.title, entryScript],
] as const)
  test(`hides the page at once when Esc is pressed twice before ${last}, and then shows the notes`, async ({
    visit,
  }) => {
    const visitor = await visit();
    const { page } = visitor;
    const gate = Promise.withResolvers<void>();
    const script = `**${findScript()}`;
    await visitor.context.route(script, async (route) => {
      await gate.promise;
      await route.continue();
    });
    const scriptRequest = page.waitForRequest(script);
    await page.goto(visitor.url(path), { waitUntil: "commit" });
    const title = page.getByRole("heading", { name: heading });
    await expect(title).toBeVisible();
    await scriptRequest;

    await pressEscapeTwice(visitor);
    await expect(title).toBeHidden();
    gate.resolve();

    await expectCovered(visitor);
    await pressEscapeTwice(visitor);
    await expect(title).toBeVisible();
  });

test("covers a public page by its button, also before its script has arrived, and keeps the input", async ({
  visit,
}) => {
  const visitor = await visit();
  const { page, t } = visitor;
  const gate = Promise.withResolvers<void>();
  await visitor.context.route(`**${entryScript()}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const hide = page.getByRole("button", { name: t.shell.hide });
  const title = page.getByRole("heading", { name: t.contact.title });

  await page.goto(visitor.url("/contact"), { waitUntil: "commit" });
  await hide.click();
  await expect(title).toBeHidden();
  gate.resolve();
  await expectCovered(visitor);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await pressEscapeTwice(visitor);
  await page.getByLabel(t.contact.message).fill("Half a sentence");
  await keyboard.press(hide);
  await expectCovered(visitor);
  await pressEscapeTwice(visitor);

  await expect(hide).toBeFocused();
  await expect(page.getByLabel(t.contact.message)).toHaveValue("Half a sentence");
});

test("hides the screen when the tab loses focus, if chosen, and keeps open dialogs", async ({
  visit,
  member,
}) => {
  const hanako = await member("leave-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  const leave = () =>
    page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      // An app switcher captures this state.
      return [...document.querySelectorAll("h1")]
        .filter((it) => it.checkVisibility())
        .map((it) => it.textContent);
    });
  await openAsMember(visitor, hanako, "/setting/device");
  await expect(page.getByRole("heading", { name: t.settings.device })).toBeVisible();
  expect(await leave()).toEqual([t.settings.device]);

  await page.getByRole("switch", { name: t.privacy.hideWhenLeft }).check();
  await page.getByRole("link", { name: new RegExp(`^${t.settings.pin}`) }).click();
  await page.getByLabel(t.privacy.pin, { exact: true }).fill("2468");
  await page.getByLabel(t.privacy.pinAgain).fill("2468");
  await page.getByRole("button", { name: t.privacy.setPin }).click();
  await page.getByRole("radio", { name: formatText(t.privacy.minutes, { minutes: 15 }) }).check();
  await page.getByRole("button", { name: t.privacy.removePin }).click();
  const sheet = page.getByRole("dialog", { name: t.privacy.removePin });
  await sheet.getByLabel(t.privacy.pin).fill("24");
  expect(await leave()).toEqual([t.privacyScreen.title]);
  await expectCovered(visitor);
  await pressEscapeTwice(visitor);

  await expect(sheet.getByLabel(t.privacy.pin)).toHaveValue("24");
});
