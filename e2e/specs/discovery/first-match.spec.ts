import { sharePosition } from "../../actions/open-as-member.ts";
import { keys, mouse, type Hands } from "../../actions/input-method.ts";
import { message, sendPicture, texts, write } from "../../actions/chat-actions.ts";
import { logInOnScreen, signUpOnScreen, type Newcomer } from "../../actions/sign-up.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

test.use({ botCheck: "altcha" });
test.setTimeout(180_000);

const SHIBUYA = [139.7016, 35.658] as const;
const UENO = [139.7745, 35.7138] as const;

const HANAKO: Newcomer = {
  userId: "hanako",
  email: "hanako@example.com",
  password: "seventeen violet walruses",
  username: "花子",
  sex: "female",
  description: "静かな夜が好きです。",
};
const TARO: Newcomer = {
  userId: "taro",
  email: "taro@example.com",
  password: "eighteen amber pelicans",
  username: "Taro",
  sex: "male",
  description: "I fold paper herons.",
};

/** Logs in and shares the position. */
async function arrive(visitor: Visitor, hands: Hands, who: Newcomer): Promise<void> {
  await logInOnScreen(visitor, hands, who);
  await sharePosition(visitor, hands);
}

const matchedNotice = ({ page, words }: Visitor) =>
  page.getByRole("dialog", { name: words.matchNotice.title });

test("two strangers sign up, like each other and write to each other, one of them with the keyboard alone", async ({
  visit,
  mailbox,
}) => {
  const hanako = await visit({ language: "ja", at: SHIBUYA });
  const taro = await visit({ language: "en", at: UENO });
  await Promise.all([
    signUpOnScreen(hanako, keys, mailbox, HANAKO),
    signUpOnScreen(taro, mouse, mailbox, TARO),
  ]);

  await arrive(hanako, keys, HANAKO);
  await expect(
    hanako.page.getByRole("heading", { name: hanako.words.home.empty_nobody_in_range }),
  ).toBeVisible();
  await arrive(taro, mouse, TARO);
  await expect(taro.page.getByRole("article", { name: HANAKO.username })).toContainText(HANAKO.description);
  await taro.page.getByRole("button", { name: taro.words.home.like }).click();
  await expect(taro.page.getByRole("heading", { name: taro.words.home.empty_card_used })).toBeVisible();
  await hanako.page.reload();
  await expect(hanako.page.getByRole("article", { name: TARO.username })).toBeVisible();
  await keys.press(hanako.page.getByRole("button", { name: hanako.words.home.like }));

  expect(taro.words.matchNotice.title).toBe("Matched !");
  for (const visitor of [hanako, taro]) await expect(matchedNotice(visitor)).toBeVisible();
  await keys.press(matchedNotice(hanako).getByRole("button", { name: hanako.words.matchNotice.write }));
  await matchedNotice(taro).getByRole("button", { name: taro.words.matchNotice.write }).click();
  await expect(hanako.page).toHaveURL(hanako.address("/dm/taro"));
  await expect(taro.page).toHaveURL(taro.address("/dm/hanako"));

  await write(hanako, keys, "はじめまして。");
  await expect(message(taro, "はじめまして。")).toBeVisible();
  await write(taro, mouse, "Good evening! 🦊");
  await expect(message(hanako, "Good evening! 🦊")).toBeVisible();
  await sendPicture(taro, mouse);
  await keys.press(hanako.page.getByRole("button", { name: hanako.words.chat.tapToView }));
  await expect(hanako.page.getByRole("img", { name: hanako.words.chat.image })).toBeVisible();
  await sendPicture(hanako, keys);
  await expect(taro.page.getByRole("button", { name: taro.words.chat.tapToView })).toBeVisible();

  await taro.goOffline();
  for (const text of ["一つ目", "二つ目", "三つ目"]) await write(hanako, keys, text);
  await write(taro, mouse, "Written in a tunnel.");
  await expect(message(hanako, "Written in a tunnel.")).toHaveCount(0);
  await taro.comeBack();

  await expect(message(hanako, "Written in a tunnel.")).toBeVisible({ timeout: 40_000 });
  const all = ["はじめまして。", "Good evening! 🦊", "一つ目", "二つ目", "三つ目", "Written in a tunnel."];
  for (const visitor of [hanako, taro]) {
    await expect.poll(() => texts(visitor)).toEqual(all);
    await visitor.page.reload();
    await expect.poll(() => texts(visitor)).toEqual(all);
    await expect(
      visitor.page.getByRole("log").getByRole("button", { name: visitor.words.chat.tapToView }),
    ).toHaveCount(1);
  }

  await keys.press(
    hanako.page
      .getByRole("navigation", { name: hanako.words.shell.menu })
      .getByRole("link", { name: hanako.words.shell.messages }),
  );
  await expect(hanako.page.getByRole("link", { name: "Written in a tunnel." })).toBeVisible();
  await keys.press(hanako.page.getByRole("link", { name: hanako.words.shell.settings }));
  await keys.press(hanako.page.getByRole("button", { name: hanako.words.settings.logout }));
  const question = hanako.page.getByRole("dialog", { name: hanako.words.settings.confirmLogout });
  await keys.press(question.getByRole("button", { name: hanako.words.settings.logout }));
  await expect(hanako.page).toHaveURL(hanako.address("/login"));
});
