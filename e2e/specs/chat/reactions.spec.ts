import { getDms } from "@alcove/contract/messaging";
import { message } from "../../actions/chat-actions.ts";
import { centreOf, holdFinger } from "../../actions/gestures.ts";
import { keyboard } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("reacts by long press and by keyboard, live on both sides and in the other tab", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  await sendText(hanako, taro, "Good evening.");
  await sendText(taro, hanako, "The river was quiet today.");
  const phone = await visit({ language: "ja", device: "phone" });
  await openAsMember(phone, hanako, `/dm/${taro.userId}`);
  const tab = await phone.context.newPage();
  await tab.goto(phone.page.url());
  const laptop = await visit({ language: "zh-hans", theme: "dark" });
  await openAsMember(laptop, taro, `/dm/${hanako.userId}`);
  const ofHanako = laptop.page.getByText(
    laptop.t.chat.reactionOf.replace("{name}", "Hanako").replace("{reaction}", laptop.t.chat.reaction_thanks),
  );
  const own = phone.t.chat.ownReaction.replace("{reaction}", phone.t.chat.reaction_thanks);
  await expect(tab.getByRole("log")).toContainText("The river was quiet today.");

  const { x, y } = await centreOf(message(phone, "The river was quiet today."));
  await holdFinger(phone.page, [x, y], 600);
  const menu = phone.page.getByRole("menu");
  await expect(menu.getByRole("menuitemradio")).toHaveCount(6);
  const thanks = menu.getByRole("menuitemradio", { name: phone.t.chat.reaction_thanks });
  await expect(thanks).toBeInViewport({ ratio: 1 });
  await thanks.tap();

  await expect(phone.page.getByText(own)).toBeAttached();
  await expect(menu).toBeHidden();
  await expect(ofHanako).toBeAttached();
  await expect(tab.getByText(own)).toBeAttached();

  // Taro reacts to the first message by keyboard alone, changes his mind, and takes it back.
  const { page, t } = laptop;
  const options = page.getByRole("button", { name: t.chat.options }).first();
  const ofTaro = (name: keyof typeof phone.t.chat) =>
    phone.page.getByText(
      phone.t.chat.reactionOf.replace("{name}", "Taro").replace("{reaction}", phone.t.chat[name]),
    );
  await options.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: t.chat.reply })).toBeFocused();
  await page.keyboard.press("Home");
  await expect(page.getByRole("menuitemradio", { name: t.chat.reaction_heart })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(ofTaro("reaction_laugh")).toBeAttached();
  await expect(options).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(ofTaro("reaction_heart")).toBeAttached();
  await expect(ofTaro("reaction_laugh")).toHaveCount(0);
  await keyboard.press(options);
  await expect(page.getByRole("menuitemradio", { checked: true })).toHaveAccessibleName(
    t.chat.reaction_heart,
  );
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(ofTaro("reaction_heart")).toHaveCount(0);

  const { dms } = await hanako.call(getDms, { friendId: taro.userId });
  expect(dms.map(({ reactions }) => reactions)).toEqual([[], [{ reaction: "thanks", mine: true }]]);
  await phone.page.reload();
  await expect(phone.page.getByText(own)).toBeAttached();
});
