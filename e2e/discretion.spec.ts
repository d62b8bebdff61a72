import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp } from "@alcove/sandbox/client";
import { personOf } from "@alcove/sandbox/people";
import { enter } from "./entering.ts";
import { mouse } from "./hands.ts";
import { logInOnScreen } from "./joining.ts";
import { expect, test } from "./stage.ts";

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
  const { page, words } = visitor;
  const back = page.getByRole("button", { name: words.cover.back });
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", (frame) => frames.push(String(frame.payload))));
  await enter(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "Covered Taro" })).toBeVisible();

  await page.getByRole("button", { name: words.shell.hide }).click();
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
  const notice = page.getByRole("dialog", { name: words.matched.title });
  await expect(notice).toContainText("Covered Jiro");
  await notice.getByRole("button", { name: words.matched.keepLooking }).click();
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
  const { page, words } = visitor;
  await enter(visitor, hanako, `/home/${taro.userId}`);
  await expect(page).toHaveTitle("Taro title-taro");

  await page.getByRole("button", { name: words.shell.hide }).click();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

  await expect(page).toHaveTitle("Alcove");
  await page.getByRole("button", { name: words.cover.back }).click();
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
  const { page, words } = visitor;
  const menu = page.getByRole("navigation", { name: words.shell.menu });
  const field = page.getByRole("textbox", { name: words.chat.write });
  await enter(visitor, hanako, `/dm/${taro.userId}`);
  await field.fill("Nobody else should read this");
  await menu.getByRole("link", { name: words.shell.messages }).click();
  await page.getByRole("link", { name: "Taro" }).click();
  await expect(field).toHaveValue("Nobody else should read this");

  await menu.getByRole("link", { name: words.shell.settings }).click();
  await page.getByRole("button", { name: words.settings.logout }).click();
  await page.getByRole("dialog").getByRole("button", { name: words.settings.logout }).click();
  await expect(page).toHaveURL(visitor.address("/login"));
  await logInOnScreen(visitor, mouse, hanako);
  await page
    .getByRole("dialog", { name: words.gps.title })
    .getByRole("button", { name: words.gps.notNow })
    .click();
  await menu.getByRole("link", { name: words.shell.messages }).click();
  await page.getByRole("link", { name: "Taro" }).click();

  await expect(field).toHaveValue("");
});
