import type { Page } from "@playwright/test";
import { sendDm } from "@alcove/contract/messaging";
import { interceptMessages, message, sendPicture } from "../../actions/chat-actions.ts";
import { keyboard, reach } from "../../actions/input-method.ts";
import { match, setPosition } from "../../actions/members.ts";
import { chooseFromMore } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { choosePicture, enterCode, requestCode } from "../../actions/sign-up.ts";
import { pressEscapeTwice } from "../../actions/privacy-screen.ts";
import { messagePicture } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Returns name and landmark of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    const frame = at.closest("[role='dialog'], header, main, nav:not(main nav), footer");
    const name = at.getAttribute("aria-label") ?? at.textContent.trim();
    return { name, within: frame?.getAttribute("role") ?? frame?.tagName.toLowerCase() ?? "body" };
  });

/** Presses Tab until the focus returns to its start, and returns all stops. */
async function walk(page: Page, maxStops = 60): Promise<{ name: string; within: string }[]> {
  const stops: { name: string; within: string }[] = [];
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    if (stops.length > 0 && at.name === stops[0]!.name && at.within === stops[0]!.within) break;
    if (at.within !== "body" || at.name.length < 100) stops.push(at);
  }
  return stops;
}

test("moves by Tab from the skip link over the header to page and menu", async ({ visit, member }) => {
  const hanako = await member("tab-hanako");
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/filter");
  await expect(page.getByRole("button", { name: t.settings.save })).toBeVisible();

  const stops = await walk(page);

  expect(stops.slice(0, 4).map(({ name }) => name)).toEqual([
    t.shell.skip,
    "Alcove",
    t.shell.hide,
    t.shell.language,
  ]);
  const frames = stops.slice(4).map(({ within }) => within);
  // The settings have no footer.
  expect(frames.filter((frame, position) => frame !== frames[position - 1]).slice(0, 2)).toEqual([
    "main",
    "nav",
  ]);

  await page.reload();
  await expect(page.getByRole("button", { name: t.settings.save })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: t.shell.skip })).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toEqual(stops[4]);
});

test("traps the focus in a dialog and returns it to the opener", async ({ visit, member }) => {
  const [hanako, taro] = await Promise.all([member("focus-hanako"), member("focus-taro", { sex: "male" })]);
  const visitor = await visit();
  const { page, t } = visitor;
  const dialog = page.getByRole("dialog");
  const openers = [
    ["/setting", t.settings.logout],
    ["/setting", t.shell.language],
    [`/home/${taro.userId}`, t.profile.enlarge],
  ] as const;

  await openAsMember(visitor, hanako, "/setting");
  for (const [path, name] of openers) {
    await visitor.open(path);
    const opener = page.locator("#main, header").getByRole("button", { name, exact: true });
    await keyboard.press(opener);
    await expect(dialog).toBeVisible();
    await expect.poll(async () => (await focused(page)).within).toBe("dialog");
    for (const key of ["Tab", "Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
      await page.keyboard.press(key);
      await expect.poll(async () => (await focused(page)).within, `${name}: ${key}`).toBe("dialog");
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }

  await chooseFromMore(visitor, "block", keyboard);
  await expect.poll(async () => (await focused(page)).within).toBe("dialog");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: t.home.more })).toBeFocused();

  await keyboard.press(page.getByRole("button", { name: t.shell.hide }));
  await expect(page.getByRole("button", { name: t.privacyScreen.back })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: t.privacyScreen.title })).toBeFocused();
  await pressEscapeTwice(visitor);
  await expect(page.getByRole("button", { name: t.shell.hide })).toBeFocused();
});

test("crops the picture by arrow keys and returns the focus", async ({ visit, mailbox }) => {
  const visitor = await visit();
  const { page, t } = visitor;
  await visitor.open("/sign-up");
  await requestCode(visitor, keyboard, "crop-keys@example.com");
  await enterCode(visitor, keyboard, mailbox, "crop-keys@example.com");
  await choosePicture(visitor, keyboard);
  const layer = page.getByRole("dialog", { name: t.crop.title });
  const area = layer.getByRole("group", { name: t.crop.hintKeys });
  const transform = () => layer.locator("img").evaluate((image) => getComputedStyle(image).transform);
  await expect(layer).toBeVisible();
  // The whole picture in its proportions, with the frame in its middle.
  const picture = (await layer.locator("img").boundingBox())!;
  const frame = (await area.boundingBox())!;
  expect(picture.height / picture.width).toBeCloseTo(560 / 420, 2);
  expect(frame.width).toBeCloseTo(picture.width, 0);
  expect(frame.x).toBeCloseTo(picture.x, 0);
  expect(frame.y + frame.height / 2).toBeCloseTo(picture.y + picture.height / 2, 0);
  const before = await transform();

  // The dialog takes the focus in a later frame; a Tab key before that would count from the page.
  await expect.poll(async () => (await focused(page)).within).toBe("dialog");
  await reach(area);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect.poll(transform).not.toBe(before);
  await page.keyboard.press("Escape");
  await expect(layer).toBeHidden();

  await expect(page.getByRole("button", { name: t.profileForm.choosePicture })).toBeFocused();
});

test("writes, attaches, unveils, enlarges and resends by keyboard", async ({ visit, member, place }) => {
  const [hanako, taro] = await Promise.all([
    member("keys-hanako"),
    member("keys-taro", { sex: "male", username: "Taro" }),
  ]);
  await setPosition(place, hanako, taro);
  await match(taro, hanako);
  const file = messagePicture();
  await taro.call(sendDm, { receiverId: hanako.userId, file });
  const visitor = await visit();
  visitor.allowError(/status of 500/);
  const { page, t } = visitor;
  let isBroken = false;
  const json = { code: "fault", error_message: t.errors.fault };
  await interceptMessages(visitor, () => (isBroken ? { status: 500, json } : "delivered"));
  await openAsMember(visitor, hanako, "/dm");
  await keyboard.press(page.getByRole("link", { name: "Taro" }));

  const veil = page.getByRole("button", { name: t.chat.tapToView });
  await keyboard.press(veil);
  const picture = page.getByRole("button", { name: t.chat.enlarge });
  await expect(picture).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: t.chat.image })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(picture).toBeFocused();

  const field = page.getByRole("textbox", { name: t.chat.write });
  await keyboard.type(field, "First line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("second line");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log").getByText("First line\nsecond line")).toBeVisible();
  await expect(field).toBeFocused();
  await sendPicture(visitor, keyboard);
  await expect(page.getByRole("log").getByRole("button", { name: t.chat.enlarge })).toHaveCount(2);
  await expect(page.getByRole("log").getByText(t.chat.sending)).toBeHidden();

  isBroken = true;
  await keyboard.type(field, "Once more");
  await page.keyboard.press("Enter");
  const retry = page.getByRole("button", { name: t.chat.retry });
  await expect(retry).toBeVisible();
  isBroken = false;
  await keyboard.press(retry);
  await expect(retry).toBeHidden();
  await expect(message(visitor, "Once more")).toBeVisible();
  await page.keyboard.press("Tab");
  expect((await focused(page)).within).toBe("main");
});

test("keeps the focus on the pass button for the next card, and ignores a held key", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([member("held-hanako"), member("held-taro", { sex: "male" })]);
  await setPosition(place, hanako, taro);
  const visitor = await visit();
  const { page, t } = visitor;
  // Three cards, which only paid members have.
  await visitor.context.route("**/users/api/get-options**", async (route) => {
    const response = await route.fetch();
    const { options } = (await response.json()) as { options: object[] };
    const named = (name: string) => ({ ...options[0], user_id: name, username: name });
    await route.fulfill({ response, json: { options: ["one", "two", "three"].map(named) } });
  });
  await visitor.context.route("**/users/api/unlike", (route) => route.fulfill({ json: {} }));
  await openAsMember(visitor, hanako, "");
  const pass = page.getByRole("button", { name: t.home.pass });
  const card = page.getByRole("article");
  await expect(card).toBeVisible();
  const first = await card.getAttribute("aria-label");

  await keyboard.press(pass);
  await expect(card).not.toHaveAccessibleName(first!);
  await expect(pass).toBeFocused();
  const second = await card.getAttribute("aria-label");
  await pass.evaluate((button) => {
    const event = new KeyboardEvent("keydown", {
      key: "Enter",
      repeat: true,
      bubbles: true,
      cancelable: true,
    });
    button.toggleAttribute("data-held", !button.dispatchEvent(event));
  });

  await expect(pass).toHaveAttribute("data-held");
  await expect(card).toHaveAccessibleName(second!);
});
