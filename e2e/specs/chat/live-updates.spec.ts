import { blockUser } from "@alcove/contract/safety";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { message } from "../../actions/chat-actions.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { chooseInChat } from "../../actions/more-menu.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

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
  await expect(page.getByRole("heading", { name: t.messages.ended })).toBeVisible();
});

test("shows the words of a goodbye without a name, in the reader's language, and removes the row", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  await sendText(taro, hanako, "Will you answer?");
  const parting = await visit({ device: "phone" });
  await openAsMember(parting, hanako, `/dm/${taro.userId}`);
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, taro, "/dm");
  await expect(page.getByText("Will you answer?")).toBeVisible();

  await chooseInChat(parting, parting.t.chat.goodbye);
  await parting.page.getByRole("radio", { name: parting.t.messages.goodbye_2 }).check();
  await checkAccessibility(parting, "the sheet of the goodbye");
  await parting.page.getByRole("button", { name: parting.t.messages.part }).click();
  await expect(parting.page.getByText(parting.t.messages.empty)).toBeVisible();

  const ended = page.getByRole("region", { name: t.messages.ended });
  await expect(
    ended.getByText(formatText(t.messages.goodbyeSaid, { words: t.messages.goodbye_2 })),
  ).toBeVisible();
  await expect(page.getByText("Hanako")).toHaveCount(0);
  await checkAccessibility(visitor, "an ended match");
  for (const entry of [t.messages.report, t.messages.removeEnded]) {
    await ended.getByRole("button").click();
    await page.getByRole("menuitem", { name: entry }).click();
    if (entry !== t.messages.report) continue;
    const report = page.getByRole("dialog");
    await report.getByRole("radio", { name: t.safety.reason_other }).check();
    await report.getByRole("button", { name: t.safety.sendReport }).click();
    await expect(page.getByText(t.safety.reported)).toBeVisible();
  }
  await expect(page.getByText(t.messages.empty)).toBeVisible();
});
