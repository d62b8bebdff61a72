import type { Request } from "@playwright/test";
import { getDms, unsendDm } from "@alcove/contract/messaging";
import { message, messageTexts, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { match, matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

/** Returns a function that checks whether a connected page has loaded its lists. */
function watchResync({ page }: Visitor): () => boolean {
  const [started, finished] = [new Set<Request>(), new Set<Request>()];
  page.on("websocket", () => {
    page.on("request", (request) => request.url().endsWith("/last-dms") && started.add(request));
    page.on("requestfinished", (request) => started.has(request) && finished.add(request));
  });
  return () => started.size >= 2 && finished.size === started.size;
}

test("keeps the open conversation when the connection breaks during a request for the list", async ({
  visit,
  member,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await sendText(taro, hanako, "Before the tunnel.");
  await expect(message(visitor, "Before the tunnel.")).toBeVisible();
  await page.getByRole("textbox", { name: t.chat.write }).fill("Half a thou");
  const listRequest = page.waitForRequest("**/last-dms");
  await visitor.context.route("**/last-dms", () => new Promise(() => {}));

  await sendText(taro, hanako, "At its mouth.");
  await listRequest;
  await expect(message(visitor, "At its mouth.")).toBeVisible(); // the request may start before the message arrives
  await visitor.goOffline();
  await visitor.context.unrouteAll({ behavior: "ignoreErrors" });

  await expect(message(visitor, "At its mouth.")).toBeVisible();
  await sendText(taro, hanako, "While you were in it.");
  await visitor.goOnline();
  await expect(message(visitor, "While you were in it.")).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("Half a thou");
});

test("catches up when the device was offline and the server has restarted", async ({
  visit,
  member,
  server,
}) => {
  test.setTimeout(120_000);
  const [hanako, taro] = await matchedPair(member, { isPaid: true });
  const jiro = await member(`chat-jiro-${Date.now().toString(36)}`, { sex: "male" });
  const dm = await sendText(taro, hanako, "Forget this one.");
  const visitor = await visit({ language: "zh-hans" });
  const { page, t } = visitor;
  const hasResynced = watchResync(visitor);
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "Forget this one.")).toBeVisible();
  // A match from here on is new.
  await expect.poll(hasResynced).toBe(true);

  await visitor.goOffline();
  await sendMessage(visitor, mouse, "隧道里写的");
  await expect(page.getByText(t.chat.waiting)).toBeVisible();
  await taro.call(unsendDm, { friendId: hanako.userId, dmId: dm.id });
  await sendText(taro, hanako, "Instead of it.");
  await match(hanako, jiro);
  await server.restart();
  await visitor.goOnline();

  await expect(page.getByRole("dialog", { name: t.matchNotice.title })).toBeVisible({ timeout: 45_000 });
  await page.getByRole("dialog").getByRole("button", { name: t.matchNotice.keepLooking }).click();
  await expect.poll(() => messageTexts(visitor)).toEqual(["Instead of it.", "隧道里写的"]);
  await expect(page.getByText(t.chat.waiting)).toBeHidden();

  visitor.allowError(/net::ERR_|WebSocket|status of 50/);
  await server.restart();
  await sendText(taro, hanako, "After the restart.");
  await expect(message(visitor, "After the restart.")).toBeVisible({ timeout: 45_000 });
  const { dms } = await taro.call(getDms, { friendId: hanako.userId });
  expect(dms.map(({ description }) => description)).toEqual([
    "Instead of it.",
    "隧道里写的",
    "After the restart.",
  ]);
});
