import { blockUser } from "@alcove/contract/safety";
import { message, messageTexts, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, fakeServices, test } from "../../fixtures/test.ts";

test.use(fakeServices);

test("closes the open conversation of the other side when a member blocks", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  await sendText(taro, hanako, "Will you answer?");
  const visitor = await visit();
  const { page, t } = visitor;
  visitor.allowError(/status of 404/);
  await openAsMember(visitor, taro, `/dm/${hanako.userId}`);
  await expect(message(visitor, "Will you answer?")).toBeVisible();
  await page.getByRole("textbox", { name: t.chat.write }).fill("Hello?");

  await hanako.call(blockUser, { userId: taro.userId });
  // The page may have closed the conversation already.
  const send = page.getByRole("button", { name: t.chat.send });
  await send.click({ timeout: 2_000 }).catch(() => undefined);

  await expect(page.getByText(t.chat.closed).first()).toBeVisible();
  await expect(message(visitor, "Will you answer?")).toBeHidden();
  await visitor.open("/dm");
  await expect(page.getByText(t.messages.empty)).toBeVisible();
});

test("shows a first message in the list without a reload", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/dm");
  await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeVisible();

  await sendText(taro, hanako, "第一句話");

  await expect(page.getByRole("link", { name: "第一句話" })).toBeVisible();
  await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeHidden();
});

test("shows a message on the other device of its sender", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  const [phone, desktop] = [await visit({ device: "phone" }), await visit()];
  for (const device of [phone, desktop]) {
    await openAsMember(device, hanako, `/dm/${taro.userId}`);
    await expect(device.page.getByText(device.t.chat.openersHint)).toBeVisible();
  }

  await sendMessage(desktop, mouse, "From the desk.");
  await expect(message(phone, "From the desk.")).toBeVisible();
  await expect(desktop.page.getByRole("link", { name: "From the desk." })).toBeVisible();
  await sendMessage(phone, mouse, "From the sofa.");

  await expect(message(desktop, "From the sofa.")).toBeVisible();
  await expect.poll(() => messageTexts(phone)).toEqual(["From the desk.", "From the sofa."]);
});
