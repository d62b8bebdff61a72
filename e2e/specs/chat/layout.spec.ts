import type { Locator } from "@playwright/test";
import type { ResponseOf } from "@alcove/contract";
import type { getLastDms } from "@alcove/contract/messaging";
import { enlargeText } from "../../actions/a11y-checks.ts";
import { message } from "../../actions/chat-actions.ts";
import { match, matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test } from "../../fixtures/test.ts";

test("keeps new matches with long and short names apart, and a long list within its panel", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member, { isPaid: true });
  const names = [
    "Bartholomew Featherstonehaugh",
    "早乙女・ヴィクトリア・花子",
    "Jo",
    "Featherstonehaugh".repeat(2),
  ];
  const others = await Promise.all(
    names.map((username, i) => member(`${taro.userId}-${i}`, { username, sex: "male" })),
  );
  for (const other of others) await match(other, hanako);
  await sendText(taro, hanako, "Good evening.");
  const visitor = await visit();
  const { page, context, t } = visitor;
  // As many conversations as fill more than the panel.
  await context.route("**/last-dms", async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as ResponseOf<typeof getLastDms>;
    const copies = Array.from({ length: 8 }, (_, i) =>
      json.dms.map((dm) => ({ ...dm, sender: { ...dm.sender, user_id: `copy-${i}` } })),
    );
    await route.fulfill({ response, json: { ...json, dms: [...json.dms, ...copies.flat()] } });
  });
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Good evening.")).toBeVisible();

  const matches = page.getByRole("region", { name: t.messages.newMatches }).getByRole("link");
  await expect(matches).toHaveCount(4);
  const edges = await matches.evaluateAll((links) =>
    links.flatMap((link) => {
      const boxes = [...link.querySelectorAll("*")].map((element) => element.getBoundingClientRect());
      return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
    }),
  );
  expect(edges).toEqual(edges.toSorted((one, other) => one - other));
  await page.setViewportSize({ width: 1280, height: 680 });
  await expect(page.getByRole("contentinfo")).toBeInViewport({ ratio: 1 });
});

test("keeps name and composer readable on the narrowest phone, also with double text size", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member, { isPaid: true });
  const [other] = await Promise.all([
    member(`${taro.userId}-long`, { username: "Featherstonehaugh".repeat(2) }),
    sendText(taro, hanako, "Good evening."),
  ]);
  await match(other, hanako);
  await sendText(other, hanako, "Good evening.");
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  await page.setViewportSize({ width: 320, height: 640 });
  await openAsMember(visitor, hanako, "/dm");
  const widthOf = async (target: Locator) => (await target.boundingBox())!.width;
  const rows = page.getByRole("link", { name: "Good evening." });
  await expect(rows).toHaveCount(2);
  const heights = await rows.evaluateAll((links) => links.map((link) => link.clientHeight));
  expect(heights[0]).toBe(heights[1]); // names stay on one line
  await visitor.open(`/dm/${other.userId}`);
  const name = page.getByRole("heading", { level: 1 });
  const field = page.getByRole("textbox", { name: t.chat.write });
  await expect(message(visitor, "Good evening.")).toBeVisible();

  expect(await widthOf(name)).toBeGreaterThan(90);
  const backToNormal = await enlargeText(visitor);

  expect(await widthOf(name)).toBeGreaterThan(150);
  expect(await widthOf(field)).toBeGreaterThan(250);
  await page.getByRole("button", { name: t.chat.options }).press("Enter");
  const report = page.getByRole("menuitem", { name: t.chat.reportMessage });
  await report.scrollIntoViewIfNeeded();
  await expect(report).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await field.fill("Good evening.\n".repeat(9));
  const buffer = drawPicture([30, 80, 60], [230, 200, 90]);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: t.chat.attach }).click();
  await (await choosing).setFiles({ name: "picture.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("button", { name: t.chat.removeImage })).toBeInViewport();
  await expect(page.getByRole("button", { name: t.chat.send })).toBeInViewport({ ratio: 1 });
  await backToNormal();
  await page.setViewportSize({ width: 740, height: 360 });
  await expect(page.getByRole("button", { name: t.chat.send })).toBeInViewport({ ratio: 1 });
});
