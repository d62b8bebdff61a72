import type { Page } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { getDms, sendDm } from "@alcove/contract/messaging";
import type { SignedUpMember } from "@alcove/test-services/client";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { interceptMessages, message, sendMessage } from "../../actions/chat-actions.ts";
import { type InputMethod, keyboard, mouse } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { expect, type Fixtures, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const MINUTE = 60_000;

async function setPin(visitor: Visitor, input: InputMethod, pin: string): Promise<void> {
  const { page, t } = visitor;
  await visitor.open("/setting/pin");
  await input.type(page.getByLabel(t.privacy.pin, { exact: true }), pin);
  await input.type(page.getByLabel(t.privacy.pinAgain), pin);
  await input.press(page.getByRole("button", { name: t.privacy.setPin }));
  await expect(page.getByText(t.privacy.pinSet)).toBeVisible();
}

const pinOf = ({ page, t }: Pick<Visitor, "page" | "t">) => page.getByLabel(t.privacy.pin, { exact: true });

/** The last digit submits the PIN. The field can be edited again once the last PIN was checked. */
async function tryPin(visitor: Visitor, input: InputMethod, pin: string): Promise<void> {
  await expect(pinOf(visitor)).toBeEditable();
  await input.type(pinOf(visitor), pin);
}

const triesLeft = (left: number) => new RegExp(`\\b${left} (try|tries) left`);

/** Enters a wrong PIN and expects the number of remaining tries. */
async function missPin(visitor: Visitor, miss: number): Promise<void> {
  await tryPin(visitor, mouse, "0000");
  await expect(pinOf(visitor)).toHaveAccessibleDescription(triesLeft(10 - miss));
}

async function pairWithMessage(member: Fixtures["member"]): Promise<[SignedUpMember, SignedUpMember]> {
  const [hanako, taro] = await matchedPair(member);
  await sendText(taro, hanako, "For you alone");
  return [hanako, taro];
}

/** Returns the title and the whole markup of a page. */
const contentsOf = (page: Page) => page.evaluate(() => document.title + document.documentElement.outerHTML);

test("starts locked when a PIN is set, and loads nothing of the member before the right PIN", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await pairWithMessage(member);
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await setPin(visitor, keyboard, "２４６８０");
  await visitor.open(`/dm/${taro.userId}`);
  await expect(page.getByRole("heading", { name: t.privacy.lockedTitle })).toBeVisible();
  await expect(pinOf(visitor)).toBeFocused();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.reload();
  await expect(pinOf(visitor)).toBeFocused();

  await tryPin(visitor, keyboard, "１３５７９");
  await expect(pinOf(visitor)).toHaveAccessibleDescription(triesLeft(9));
  await expect(pinOf(visitor)).toBeFocused();
  expect(await contentsOf(page)).not.toMatch(/Taro|taro-\d|For you alone|\/media\//);
  expect(requests.filter((path) => /\/api\/|\/ws\/|\/media\//.test(path))).toEqual([]);
  await expect(page).toHaveTitle(t.privacyScreen.title);
  await expect(page.getByText("Alcove")).toHaveCount(0);
  await checkAccessibility(visitor, "the lock screen");

  for (const digit of "24680") await page.getByRole("button", { name: digit, exact: true }).click();
  await expect(page.getByRole("log").getByText("For you alone")).toBeVisible();
  await expect(page.getByRole("textbox", { name: t.chat.write })).toBeFocused();
});

test("locks the app and clears the page when the screen is hidden", async ({ visit, member }) => {
  const [hanako, taro] = await pairWithMessage(member);
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await setPin(visitor, mouse, "2468");
  await page.getByRole("navigation", { name: t.shell.menu }).getByText(t.shell.messages).click();
  await page.getByRole("link", { name: "Taro" }).click();
  await page.getByRole("textbox", { name: t.chat.write }).fill("half a thought");

  await page.getByRole("button", { name: t.shell.hide }).click();
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
  await expect.poll(() => contentsOf(page)).not.toMatch(/Taro|taro-\d|For you alone|half a thought/);
  await taro.call(sendDm, { receiverId: hanako.userId, description: "Where did you go?" });
  await pressEscapeTwice(visitor);

  await expect(pinOf(visitor)).toBeFocused();
  expect(await contentsOf(page)).not.toMatch(/Taro|taro-\d|Where did you go/);
  await tryPin(visitor, mouse, "2468");
  await expect(page.getByRole("log").getByText("Where did you go?")).toBeVisible();
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("half a thought");
});

test("sends a pending message after the app is unlocked", { tag: "@long" }, async ({ visit, member }) => {
  const [hanako, taro] = await pairWithMessage(member);
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  visitor.allowError(/net::ERR_FAILED/);
  let [isDead, isSent] = [false, false];
  await interceptMessages(visitor, () => {
    isSent = isDead;
    return isDead ? "lost" : "delivered";
  });
  await openAsMember(visitor, hanako, "");
  await setPin(visitor, mouse, "2468");
  await page.getByRole("navigation", { name: t.shell.menu }).getByText(t.shell.messages).click();
  await page.getByRole("link", { name: "Taro" }).click();
  await taro.call(sendDm, { receiverId: hanako.userId, description: "もしもし" });
  await expect(message(visitor, "もしもし")).toBeVisible();
  isDead = true;
  await sendMessage(visitor, mouse, "またあとで");
  await expect.poll(() => isSent).toBe(true);

  await page.getByRole("button", { name: t.shell.hide }).click();
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
  isDead = false;
  await page.getByRole("searchbox", { name: t.privacyScreen.search }).fill("2468");

  await expect(message(visitor, "またあとで")).toBeVisible();
  await expect
    .poll(async () => (await taro.call(getDms, { friendId: hanako.userId })).dms.at(-1)?.description)
    .toBe("またあとで");
  await expect(page.getByText(t.chat.notSent)).toBeHidden();
  await expect(page.getByText(t.chat.failed)).toBeHidden();
});

test(
  "ends the session after ten wrong PINs, and keeps waits after a reload and a clock change",
  { tag: "@long" },
  async ({ visit, member }) => {
    const hanako = await member("ten-hanako");
    const visitor = await visit();
    const { page, t } = visitor;
    await page.clock.install();
    await openAsMember(visitor, hanako, "");
    await setPin(visitor, mouse, "2468");
    await visitor.open("/setting");
    const waits = (seconds: number) => formatText(t.privacy.waitSeconds, { seconds });
    // With a running clock, the wait could end before a slow reload does.
    const now = Date.now();
    await page.clock.setFixedTime(now);
    for (let miss = 1; miss <= 3; miss++) await missPin(visitor, miss);
    await expect(pinOf(visitor)).toHaveAccessibleDescription(new RegExp(`${waits(5)}$`));

    await page.clock.setFixedTime(now + 2_000);
    await page.reload();
    await expect(pinOf(visitor)).toHaveAccessibleDescription(waits(3));
    await tryPin(visitor, mouse, "2468");
    await expect(page.getByRole("heading", { name: t.privacy.lockedTitle })).toBeVisible();
    await page.clock.setSystemTime(Date.now() - 60 * MINUTE);
    await tryPin(visitor, mouse, "2468");
    await expect(pinOf(visitor)).toHaveAccessibleDescription(waits(5));

    for (let miss = 4; miss <= 9; miss++) {
      await page.clock.fastForward(15 * MINUTE);
      await missPin(visitor, miss);
    }
    await page.clock.fastForward(15 * MINUTE);
    await tryPin(visitor, mouse, "0000");
    await expect(page).toHaveURL(visitor.url("/login"));
    await expect(page.getByText(t.login.endedPins)).toBeVisible();
    await expect(page.getByRole("heading", { name: t.login.welcomeBack })).toBeFocused();
    await expect
      .poll(() => hanako.call(getOwnUser, {}).catch((error: Error) => error.message))
      .toMatch(/401|log/i);

    await logInOnScreen(visitor, mouse, hanako);
    await visitor.open("/setting");
    await expect(page.getByRole("heading", { name: t.settings.profile })).toBeVisible();
  },
);

test("logs out and removes the PIN when the member forgot it", async ({ visit, member }) => {
  const hanako = await member("forgot-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await setPin(visitor, mouse, "2468");
  await visitor.open("/setting/pin");

  await page.getByRole("button", { name: t.privacy.forgottenAsk }).click();
  await page.getByRole("button", { name: t.privacy.forgotten }).click();
  await expect(page.getByRole("heading", { name: t.login.welcomeBack })).toBeFocused();
  await logInOnScreen(visitor, mouse, hanako);

  await expect(page.getByRole("button", { name: t.privacy.setPin })).toBeVisible();
  await expect(page.getByRole("heading", { name: t.privacy.lockTitle })).toBeFocused();
});

test(
  "accepts a PIN of 4 to 8 digits typed twice, and removes it only with the PIN",
  { tag: "@long" },
  async ({ visit, member }) => {
    const hanako = await member("digits-hanako");
    const visitor = await visit({ language: "ja" });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "/setting/pin");
    const pin = pinOf(visitor);
    const again = page.getByLabel(t.privacy.pinAgain);
    const set = page.getByRole("button", { name: t.privacy.setPin });

    for (const wrong of ["", "123", "12a4"]) {
      await pin.fill(wrong);
      await set.click();
      await expect(pin).toBeFocused();
      await expect(pin).toHaveAccessibleDescription(new RegExp(t.privacy.pinInvalid));
    }
    await pin.fill("2468");
    await again.fill("2469");
    await set.click();
    await expect(again).toBeFocused();
    await expect(again).toHaveAccessibleDescription(t.privacy.pinsDiffer);
    await again.fill("2468");
    await set.click();
    await expect(page.getByText(t.privacy.pinSet)).toBeVisible();

    await page.getByRole("button", { name: t.privacy.removePin }).click();
    const sheet = page.getByRole("dialog", { name: t.privacy.removePin });
    await sheet.getByLabel(t.privacy.pin).fill("0000");
    await sheet.getByRole("button", { name: t.privacy.removePin }).click();
    await expect(sheet.getByLabel(t.privacy.pin)).toHaveAccessibleDescription(/あと9回/);
    await sheet.getByLabel(t.privacy.pin).fill("2468");
    await sheet.getByRole("button", { name: t.privacy.removePin }).click();
    await expect(page.getByText(t.privacy.pinRemoved)).toBeVisible();
    await page.reload();
    await expect(set).toBeVisible();
  },
);
