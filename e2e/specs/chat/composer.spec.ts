import { getDms, unsendDm } from "@alcove/contract/messaging";
import { message } from "../../actions/chat-actions.ts";
import { centreOf, dragWithFinger, holdFinger } from "../../actions/gestures.ts";
import { keyboard } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("sends nothing when Enter ends a composition, and sends at the next Enter", async ({
  visit,
  member,
}) => {
  const [parts, whole] = [["よ", "よる", "夜"], "夜の散歩"] as const;
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByText(t.chat.openersHint)).toBeVisible();
  const area = page.getByRole("textbox", { name: t.chat.write });
  const cdp = await visitor.context.newCDPSession(page);
  await area.focus();

  for (const text of parts)
    await cdp.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await page.keyboard.press("Enter"); // accepts the proposal
  await cdp.send("Input.imeSetComposition", { text: whole, selectionStart: 4, selectionEnd: 4 });
  // Some input methods report the end of a composition only by key code 229.
  await cdp.send("Input.insertText", { text: whole });
  const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  await page.keyboard.press("Shift+Enter");
  await expect(page.getByText(t.chat.openersHint)).toBeVisible();
  await expect(area).toHaveValue(new RegExp(`^${whole}\\n+$`));

  await page.keyboard.press("Enter");
  await expect(page.getByRole("log")).toContainText(whole);
  await expect(area).toHaveValue("");
});

test("opens the menu of a message, replies with a quote, copies and closes by keyboard alone", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  for (let i = 0; i < 12; i++) await sendText(taro, hanako, `Message ${i}`);
  const visitor = await visit({ language: "zh-hant" });
  const { page, t, context } = visitor;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Message 11")).toBeVisible();
  const options = page.getByRole("button", { name: t.chat.options }).last();

  await keyboard.press(options);
  const report = page.getByRole("menuitem", { name: t.chat.reportMessage });
  await expect(report).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(report).toBeHidden();
  await expect(options).toBeFocused();
  await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeHidden();

  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: t.chat.reply })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Message 10");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: t.chat.reply })).toBeFocused();
  await page.keyboard.press("Enter");
  const area = page.getByRole("textbox", { name: t.chat.write });
  await expect(area).toBeFocused();
  await page.keyboard.type("That one");
  await page.reload();
  await expect(area).toHaveValue("That one");
  await expect(page.getByRole("group", { name: t.chat.replyTo.replace("{name}", "Taro") })).toContainText(
    "Message 10",
  );
  await area.press("Enter");

  const quote = page.getByRole("log").getByRole("button", { name: t.chat.inReplyTo });
  await keyboard.press(quote);
  await expect(page.getByRole("button", { name: t.chat.options }).nth(-3)).toBeFocused();
  const { dms } = await taro.call(getDms, { friendId: hanako.userId });
  expect(dms.at(-1)).toMatchObject({ description: "That one", reply: { description: "Message 10" } });
  await taro.call(unsendDm, { friendId: hanako.userId, dmId: dms.at(-1)!.reply!.id });
  await expect(quote).toBeHidden();
});

test("opens the menu by tap and long press, replies by swipe, and keeps a waiting text over a reload", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  await sendText(taro, hanako, "See https://example.com/ this evening, by the river.");
  const mine = await sendText(hanako, taro, "Mine");
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  visitor.allowError(/net::ERR_(FAILED|INTERNET_DISCONNECTED)/);
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  const bubble = page.getByRole("log").getByText("this evening");
  const menu = page.getByRole("menu");

  await message(visitor, "Mine").tap();
  await expect(menu.getByRole("menuitem")).toHaveText([/./, /./, new RegExp(t.chat.unsend)]);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  const { x, y } = await centreOf(bubble);
  await holdFinger(page, [x, y], 600);
  await expect(menu.getByRole("menuitem", { name: t.chat.reportMessage })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await dragWithFinger(page, [x, y], [x + 120, y + 5]);
  await expect(page.getByRole("button", { name: t.chat.cancelReply })).toBeVisible();
  await expect(page.getByRole("textbox", { name: t.chat.write })).toBeFocused();
  await expect(menu).toBeHidden();

  await page.route(/ws-ticket|dm\/api\/dm$/, (route) => route.abort());
  await visitor.goOffline();
  await page.getByRole("textbox", { name: t.chat.write }).fill("On my way");
  await page.getByRole("button", { name: t.chat.send, exact: true }).click();
  await expect(page.getByText(t.chat.waiting)).toBeVisible();
  await expect(page.getByText(t.chat.offline)).toBeVisible();
  await visitor.goOnline();
  await page.reload();
  await expect(page.getByText(t.chat.waiting)).toBeVisible();
  await page.unrouteAll();
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  await expect(page.getByText(t.chat.offline)).toBeHidden();
  // The connection is back before the waiting message has arrived.
  const read = async () => (await taro.call(getDms, { friendId: hanako.userId })).dms;
  await expect
    .poll(async () => (await read()).map(({ description }) => description))
    .toEqual([expect.any(String), "Mine", "On my way"]);
  const dms = await read();
  expect(dms[2]!.reply?.id).toBe(dms[0]!.id);
  expect(dms[1]!.id).toBe(mine.id);
});
