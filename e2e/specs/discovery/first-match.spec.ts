import { signUpForm } from "@alcove/test-services/fixtures";
import { message, messageTexts, sendMessage, sendPicture } from "../../actions/chat-actions.ts";
import { type InputMethod, keyboard, mouse } from "../../actions/input-method.ts";
import { sharePosition } from "../../actions/open-as-member.ts";
import { logInOnScreen, type NewUser, signUpOnScreen } from "../../actions/sign-up.ts";
import { northOf } from "../../fixtures/places.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

test.setTimeout(180_000);

const HANAKO = signUpForm("hanako", { username: "花子", description: "静かな夜が好きです。" });
const TARO = signUpForm("taro", { username: "Taro", sex: "male", description: "I fold paper herons." });

async function logInAndSharePosition(visitor: Visitor, input: InputMethod, user: NewUser): Promise<void> {
  await logInOnScreen(visitor, input, user);
  await sharePosition(visitor, input);
}

const matchNotice = ({ page, t }: Visitor) => page.getByRole("dialog", { name: t.matchNotice.title });

test("lets two new members match and chat, one of them by keyboard", async ({ visit, place, mailbox }) => {
  const hanako = await visit({ language: "ja", at: place });
  await hanako.page.setViewportSize({ width: 320, height: 568 });
  const taro = await visit({ language: "en", at: northOf(place, 9) });
  await Promise.all([
    signUpOnScreen(hanako, keyboard, mailbox, HANAKO),
    signUpOnScreen(taro, mouse, mailbox, TARO),
  ]);
  await hanako.page.setViewportSize({ width: 1_280, height: 800 });

  await logInAndSharePosition(hanako, keyboard, HANAKO);
  await expect(hanako.page.getByRole("heading", { name: hanako.t.home.empty_nobody_in_range })).toBeVisible();
  await logInAndSharePosition(taro, mouse, TARO);
  await expect(taro.page.getByRole("article", { name: HANAKO.username })).toContainText(HANAKO.description);
  await taro.page.getByRole("button", { name: taro.t.home.like }).click();
  await expect(taro.page.getByRole("heading", { name: taro.t.home.empty_card_used })).toBeVisible();
  await hanako.page.reload();
  await expect(hanako.page.getByRole("article", { name: TARO.username })).toBeVisible();
  await keyboard.press(hanako.page.getByRole("button", { name: hanako.t.home.like }));

  expect(taro.t.matchNotice.title).toBe("Matched !");
  for (const visitor of [hanako, taro]) await expect(matchNotice(visitor)).toBeVisible();
  const matched = hanako.t.home.matched.replaceAll(/<\/?b>/g, "").replace("{name}", TARO.username);
  const live = hanako.page.getByRole("status", { includeHidden: true });
  await expect(live.filter({ hasText: matched })).toBeAttached();
  await keyboard.press(matchNotice(hanako).getByRole("button", { name: hanako.t.matchNotice.write }));
  await matchNotice(taro).getByRole("button", { name: taro.t.matchNotice.write }).click();
  await expect(hanako.page).toHaveURL(hanako.url("/dm/taro"));
  await expect(taro.page).toHaveURL(taro.url("/dm/hanako"));

  await sendMessage(hanako, keyboard, "はじめまして。");
  await expect(message(taro, "はじめまして。")).toBeVisible();
  await sendMessage(taro, mouse, "Good evening! 🦊");
  await expect(message(hanako, "Good evening! 🦊")).toBeVisible();
  await sendPicture(taro, mouse);
  await keyboard.press(hanako.page.getByRole("button", { name: hanako.t.chat.tapToView }));
  await expect(hanako.page.getByRole("img", { name: hanako.t.chat.image })).toBeVisible();
  await sendPicture(hanako, keyboard);
  await expect(taro.page.getByRole("button", { name: taro.t.chat.tapToView })).toBeVisible();

  const all = ["はじめまして。", "Good evening! 🦊"];
  for (const visitor of [hanako, taro]) {
    await expect.poll(() => messageTexts(visitor)).toEqual(all);
    await visitor.page.reload();
    await expect.poll(() => messageTexts(visitor)).toEqual(all);
    await expect(
      visitor.page.getByRole("log").getByRole("button", { name: visitor.t.chat.tapToView }),
    ).toHaveCount(1);
  }

  await keyboard.press(
    hanako.page
      .getByRole("navigation", { name: hanako.t.shell.menu })
      .getByRole("link", { name: hanako.t.shell.messages }),
  );
  await expect(hanako.page).toHaveURL(hanako.url("/dm"));
  // The chat, which also links to the member, leaves a moment after the URL changes.
  await expect(hanako.page.getByRole("link", { name: TARO.username })).toHaveCount(1);
  await keyboard.press(hanako.page.getByRole("link", { name: hanako.t.shell.settings }));
  await keyboard.press(hanako.page.getByRole("button", { name: hanako.t.settings.logout }));
  const question = hanako.page.getByRole("dialog", { name: hanako.t.settings.confirmLogout });
  await keyboard.press(question.getByRole("button", { name: hanako.t.settings.logout }));
  await expect(hanako.page).toHaveURL(hanako.url("/login"));
});
