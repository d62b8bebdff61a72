import { getLastDms } from "@alcove/contract/messaging";
import { match, matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("shows whose turn it is, sorts by it on this device, and ends a match from its row", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member, { isPaid: true });
  const jiro = await member("jiro-turns", { username: "Jiro", sex: "male" });
  await match(hanako, jiro);
  await sendText(taro, hanako, "Are you there?");
  await sendText(hanako, jiro, "Good night.");
  const visitor = await visit({ language: "zh-hant", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/dm");
  const rows = page.getByRole("listitem").filter({ has: page.getByRole("link") });
  await expect(rows).toContainText(["Jiro", "Taro"]);
  const turn = page.getByRole("link", { name: t.messages.yourTurn });
  await expect(turn).toHaveCount(1);
  await expect(turn).toContainText("Taro");

  const order = page.getByRole("button", { name: t.messages.turnsFirst });
  await order.tap();
  await expect(order).toHaveAttribute("aria-pressed", "true");
  await expect(rows).toContainText(["Taro", "Jiro"]);
  await page.reload();
  await expect(rows).toContainText(["Taro", "Jiro"]);

  await sendText(jiro, hanako, "And to you.");
  await expect(turn).toHaveCount(2);
  await page.getByRole("button", { name: t.messages.goodbyeTo.replace("{name}", "Taro") }).tap();
  await page.getByRole("button", { name: t.messages.part }).tap();
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("heading", { name: t.messages.conversations })).toBeFocused();
  expect((await taro.call(getLastDms, {})).ended).toMatchObject([{ goodbye: 1 }]);
});
