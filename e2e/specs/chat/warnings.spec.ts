import type { Page, Request } from "@playwright/test";
import type { Language } from "@alcove/i18n";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

const SCAMS = [
  "Could you get two Apple gift cards of 100 each and send me a photo of the codes?",
  "給料が15日に入るので、それまで家賃を立て替えてもらえないかな。利子をつけて返します。",
  "不给钱的话,今晚十二点之前你通讯录里每个人都会收到照片。",
  "加個LINE聊好嗎?我的ID是 lily8866。",
];
const HONEST = [
  "Dinner was lovely. You paid last time, so next time is on me.",
  "銀行勤めですが、裏方なので窓口には出ません。",
  "我妈刚学会用微信,每天早上给我发十张早安图。",
  "故宮晚上也有開,你看看 https://www.npm.gov.tw/",
];
const LANGUAGES: readonly Language[] = ["en", "ja", "zh-hans", "zh-hant"];

/** Collects each request, and each frame that the page sends, without ids that differ between conversations. */
function watchTraffic(page: Page, friendId: string): string[] {
  const traffic: string[] = [];
  const plain = (text: string) => text.replaceAll(friendId, "FRIEND").replaceAll(/[0-9a-f-]{36}/g, "ID");
  page.on("request", (request: Request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/assets/") && !pathname.startsWith("/media/"))
      traffic.push(plain(`${request.method()} ${pathname} ${request.postData() ?? ""}`));
  });
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => traffic.push(plain(String(payload)))),
  );
  return traffic;
}

const storedKeys = async (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).concat(Object.keys(sessionStorage)).toSorted());

test("warns of scams in four languages, and sends, stores and logs nothing about it", async ({
  visit,
  member,
  server,
}) => {
  const [hanako, taro] = await matchedPair(member);
  const [quietHanako, quietTaro] = await matchedPair(member);
  for (const [i, scam] of SCAMS.entries()) {
    await sendText(taro, hanako, scam);
    await sendText(quietTaro, quietHanako, HONEST[i]!);
  }

  async function compareWithHarmlessChat(traffic: readonly string[], stored: readonly string[]) {
    const quiet = await visit({ language: "en" });
    const quietTraffic = watchTraffic(quiet.page, quietTaro.userId);
    await openAsMember(quiet, quietHanako, `/dm/${quietTaro.userId}`);
    await expect(quiet.page.getByRole("log").getByText(HONEST[3]!.slice(0, 8))).toBeVisible();
    await expect.poll(() => [...new Set(quietTraffic)].toSorted()).toEqual([...new Set(traffic)].toSorted());
    await expect(quiet.page.getByRole("button", { name: quiet.t.chat.warningWhat })).toHaveCount(0);
    expect(await storedKeys(quiet.page)).toEqual(stored);
    await quiet.context.close();
  }

  const logged = server.output();
  for (const language of LANGUAGES) {
    const visitor = await visit({ language });
    const { page, t } = visitor;
    const traffic = watchTraffic(page, taro.userId);
    await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
    const log = page.getByRole("log");
    for (const kind of ["gift", "money", "threat", "move"] as const)
      await expect(log.getByText(t.chat[`warning_${kind}`])).toHaveCount(1);
    const stored = await storedKeys(page);

    await log.getByRole("button", { name: t.chat.warningWhat }).first().click();
    const sheet = page.getByRole("dialog", { name: t.chat.warningTitle });
    await expect(sheet).toContainText(t.chat.warningText_gift);
    await sheet.getByRole("button", { name: t.chat.warningReport }).click();
    await expect(page.getByRole("dialog")).toContainText(t.safety.reportText);

    // The warning and its report are open now: neither sent a request that a harmless chat does not send.
    if (language === "en") await compareWithHarmlessChat(traffic, stored);
    await visitor.context.close();
  }
  expect(server.output()).toBe(logged);
});
