import { type Dm, sendDm, unsendDm } from "@alcove/contract/messaging";
import type { SignedUpMember } from "@alcove/test-services/client";
import { message, messageTexts } from "../../actions/chat-actions.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Three pages. */
const MESSAGE_COUNT = 250;

/** Sends messages of both members, four at a time, and returns their texts in stored order. */
async function fillConversation(
  hanako: SignedUpMember,
  taro: SignedUpMember,
  count: number,
): Promise<string[]> {
  const dms: Dm[] = [];
  let next = 0;
  const sendSome = async () => {
    while (next < count) {
      const i = next++;
      const dm = await (i % 3
        ? sendText(taro, hanako, `Message ${i}`)
        : sendText(hanako, taro, `Message ${i}`));
      dms.push(dm);
    }
  };
  await Promise.all(Array.from({ length: 4 }, sendSome));
  return dms.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ description }) => description!);
}

test("leads from a quote to a message several pages back, and loads a history to its start without moving the text on screen", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const first = await sendText(taro, hanako, "Where it began.");
  const later = await fillConversation(hanako, taro, MESSAGE_COUNT - 1);
  const reply = { receiverId: hanako.userId, description: "Remember?", replyId: first.id };
  const { dm } = await taro.call(sendDm, reply);
  const all = ["Where it began.", ...later];
  const reader = await visit({ device: "phone" });
  await openAsMember(reader, hanako, `/dm/${taro.userId}`);
  await reader.page.getByRole("button", { name: /Where it began/ }).click();
  const found = reader.page.locator("li", { has: reader.page.locator(`[data-message="${first.id}"]`) });
  await expect(found).toBeInViewport({ ratio: 1 });
  await expect(found.locator("[data-message]")).toBeFocused();
  await taro.call(unsendDm, { friendId: hanako.userId, dmId: dm.id });

  const visitor = await visit({ language: "ja", device: "phone" });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, all.at(-1)!)).toBeInViewport();
  const log = visitor.page.getByRole("region", { name: visitor.t.chat.messages });

  for (let isFirst = true, count = 0; count < MESSAGE_COUNT; isFirst = false) {
    // The position of the first message before and after the previous page arrives.
    const { before, after } = await log.evaluate(async (element) => {
      const first = element.querySelector("li:has([data-message])")!;
      element.scrollTo({ top: -element.scrollHeight });
      const top = first.getBoundingClientRect().top;
      const count = element.querySelectorAll("li:has([data-message])").length;
      while (element.querySelectorAll("li:has([data-message])").length === count)
        await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(done));
      return { before: top, after: first.getBoundingClientRect().top };
    });
    if (isFirst) expect(before).toBeGreaterThan(0);
    expect(Math.abs(after - before)).toBeLessThanOrEqual(1);
    count = (await messageTexts(visitor)).length;
  }
  expect(await messageTexts(visitor)).toEqual(all);

  const middle = message(visitor, all[MESSAGE_COUNT / 2]!);
  await middle.scrollIntoViewIfNeeded();
  const { y } = (await middle.boundingBox())!;
  await sendText(taro, hanako, "Far below.");
  await expect(visitor.page.getByRole("button", { name: visitor.t.chat.newBelow })).toBeVisible();
  expect(Math.abs((await middle.boundingBox())!.y - y)).toBeLessThanOrEqual(1);
  await visitor.page.getByRole("button", { name: visitor.t.chat.newBelow }).click();
  await expect(message(visitor, "Far below.")).toBeInViewport();
  await expect(visitor.page.getByRole("button", { name: visitor.t.chat.newBelow })).toBeHidden();
});

test("accepts a press on the button for new messages above a veiled picture", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  const picture = new Uint8Array(drawPicture([30, 80, 60], [230, 200, 90]));
  for (let i = 0; i < 5; i++) {
    const file = new File([picture], "picture.png", { type: "image/png" });
    await taro.call(sendDm, { receiverId: hanako.userId, file });
  }
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(page.getByRole("button", { name: t.chat.tapToView })).toHaveCount(5);
  const log = page.getByRole("region", { name: t.chat.messages });
  await log.evaluate(async (element) => {
    element.scrollTo({ top: -element.scrollHeight });
    await new Promise((done) => element.addEventListener("scroll", done, { once: true }));
  });
  await sendText(taro, hanako, "Far below.");

  await page.getByRole("button", { name: t.chat.newBelow }).click();

  await expect(message(visitor, "Far below.")).toBeInViewport();
  await expect(page.getByRole("button", { name: t.chat.tapToView })).toHaveCount(5);
});
