import type { Page } from "@playwright/test";
import { passUser } from "@alcove/contract/discovery";
import { getDms } from "@alcove/contract/messaging";
import type { SignedUpMember } from "@alcove/test-services/client";
import { message, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import { blockStorage, shiftClock } from "../../actions/limited-browsers.ts";
import { matchedPair, sendText } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

test("shows public pages, and logs in until the page is left, where storage is blocked", async ({
  visit,
  member,
}) => {
  const hanako = await member("hanako-without-storage");
  const visitor = await visit();
  const { page, context, open, t } = visitor;
  visitor.allowError(/Access is denied/); // of a script of React Router
  await blockStorage(context);

  for (const path of [
    "",
    "/about-service",
    "/pricing",
    "/tos",
    "/privacy-policy",
    "/unsubscribe",
    "/contact",
  ]) {
    await open(path);
    await expect(page.locator("html")).not.toHaveAttribute("data-load-failed");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await page.getByLabel(t.contact.email).fill("hanako@example.com");
  await page.getByLabel(t.contact.message).fill("A question without storage.");
  await page.getByRole("button", { name: t.contact.send, exact: true }).click();
  await expect(page.getByText(t.contact.sent)).toBeVisible();

  await open("/login");
  await expect(page.getByText(t.login.storageBlocked)).toHaveCount(1);
  await page.getByLabel(t.login.userId).fill(hanako.userId);
  await page.getByLabel(t.login.password, { exact: true }).fill(hanako.password);
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
});

test("sends a typed message while the storage is full", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  const visitor = await visit();
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await visitor.page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });

  await sendMessage(visitor, mouse, "typed while full");

  await expect
    .poll(async () => (await taro.call(getDms, { friendId: hanako.userId })).dms.map((dm) => dm.description))
    .toEqual(["typed while full"]);
});

test("fetches messages and states the delay while no socket opens", async ({ visit, member }) => {
  const [hanako, taro] = await matchedPair(member);
  await sendText(taro, hanako, "first");
  const visitor = await visit();
  const { page, context, t } = visitor;
  await context.routeWebSocket(/\/ws\//, (socket) => socket.close({ code: 1011 }));
  await openAsMember(visitor, hanako, `/dm/${taro.userId}`);
  await expect(message(visitor, "first")).toBeVisible();

  await sendText(taro, hanako, "second");
  await sendMessage(visitor, mouse, "my response");
  await expect(message(visitor, "second")).toBeVisible();
  await sendText(taro, hanako, "third");
  await expect(message(visitor, "third")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(t.chat.late)).toBeVisible();
});

for (const hours of [-26, 26])
  test(`counts down to the next card with a clock that is wrong by ${hours} hours`, async ({
    visit,
    member,
    place,
  }) => {
    const [hanako, taro] = await Promise.all([
      member(`hanako-clock${hours}`, { at: place }),
      member(`taro-clock${hours}`, { at: place, sex: "male" }),
    ]);
    await hanako.call(passUser, { unlikedId: taro.userId });
    const visitor = await visit({ at: place });
    const { page, context } = visitor;
    await shiftClock(context, hours);

    await openAsMember(visitor, hanako, "");

    const text = await page.getByRole("timer").innerText();
    const [, shown = "0"] = /(\d+) hour/.exec(text) ?? [];
    expect(Number(shown)).toBeLessThan(24);
    expect(text).toMatch(/\d/);
  });

/** Copies the login of a tab into another one, as a browser does when a tab is duplicated. */
async function openWithLogin({ context, url }: Visitor, { access, refresh }: SignedUpMember): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto("/favicon.svg"); // same origin, without the app
  await tab.evaluate(
    (session) => {
      sessionStorage.setItem("session", session);
      sessionStorage.setItem("login", "one");
    },
    JSON.stringify({ access, refresh, login: "one" }),
  );
  let hasExpired = false;
  await tab.route(/\/users\/api\/user/, async (route) => {
    if (hasExpired) return route.fallback();
    hasExpired = true;
    return route.fulfill({ status: 401, json: { code: "token_expired" } });
  });
  await tab.goto(url("/setting"));
  return tab;
}

test("keeps the first tab of a shared computer and its duplicate logged in when both renew", async ({
  visit,
  member,
}) => {
  const hanako = await member("hanako-duplicated-tab");
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { t } = visitor;

  const first = await openWithLogin(visitor, hanako);
  await expect(first.getByText(t.settings.safety).first()).toBeVisible();
  const second = await openWithLogin(visitor, hanako);
  for (const tab of [second, first]) {
    await tab.reload();
    await expect(tab.getByText(t.settings.safety).first()).toBeVisible();
  }
});
