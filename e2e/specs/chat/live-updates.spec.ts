import { blockUser } from "@alcove/contract/safety";
import { message } from "../../actions/chat-actions.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

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
