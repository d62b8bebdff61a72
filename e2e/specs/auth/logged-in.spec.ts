import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, likeUser, passUser, saveLocation } from "@alcove/contract/discovery";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

// Each test has a corner of the world of its own: nobody of another test is within reach.
const ANCHORAGE = [-149.9, 61.2] as const;
const LIMA = [-77.03, -12.05] as const;
const NAIROBI = [36.82, -1.29] as const;
const PERTH = [115.86, -31.95] as const;
const FUNAFUTI = [179.2, -8.52] as const;
const OSLO = [10.75, 59.91] as const;
const USHUAIA = [-68.3, -54.8] as const;

type Place = readonly [number, number];
const isAt = (member: SignedUp, place: Place) => member.ask(saveLocation, { location: place.join(",") });

test("a free member decides on the card of the day; then it is used, and a second tab is asked to upgrade", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("quota-hanako")),
    signUp(server.url, mailbox, personOf("quota-taro", { sex: "male", username: "太郎" })),
  ]);
  await isAt(taro, ANCHORAGE);
  const visitor = await visit({ language: "ja", at: ANCHORAGE, device: "phone" });
  visitor.allowError(/status of 402/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await sharePosition(visitor, mouse);
  const card = (of: typeof page) => of.getByRole("article", { name: "太郎" });
  await expect(card(page)).toBeVisible();
  const second = await visitor.context.newPage();
  await second.goto(visitor.url(""));
  await expect(card(second)).toBeVisible();

  await page.getByRole("button", { name: t.home.pass }).click();
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await second.getByRole("button", { name: t.home.like }).click();

  const modal = second.getByRole("dialog", { name: t.errors.upgrade_required });
  await expect(modal).toBeVisible();
  await expect(modal.getByRole("table")).toContainText("12,000");
  await modal.getByRole("button", { name: t.upgrade.notNow }).click();
  await expect(modal).toBeHidden();
});

test("who has used the day's card is told when the next one comes, in its own time", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("when-hanako")),
    signUp(server.url, mailbox, personOf("when-taro", { sex: "male" })),
  ]);
  await isAt(hanako, USHUAIA);
  await hanako.ask(passUser, { unlikedId: taro.userId });
  const visitor = await visit({ language: "zh-hans", at: USHUAIA });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");

  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  // Midnight in UTC, by a clock in Tokyo.
  const { nextCardToday, nextCardTomorrow } = t.home;
  const either = [nextCardToday, nextCardTomorrow].map((sentence) => formatText(sentence, { time: "09:00" }));
  await expect(page.getByText(either[0]!).or(page.getByText(either[1]!))).toBeVisible();
});

test("who does not share a position is told why it is asked for, and nothing is sent", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("no-position"));
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");

  const prompt = page.getByRole("dialog", { name: t.location.title });
  await expect(prompt).toContainText(t.location.request);
  await prompt.getByRole("button", { name: t.location.allow }).click();

  await expect(page.getByRole("alert").filter({ hasText: t.location.request })).toBeVisible();
  const { user } = await hanako.ask(getOwnUser, {});
  expect(user).toMatchObject({ location: null, gps_updated_at: null });
});

test("a fresh position is not asked for again; the arrow keys like and pass", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("arrow-hanako")),
    signUp(server.url, mailbox, personOf("arrow-taro", { sex: "male", username: "Arrow Taro" })),
  ]);
  await Promise.all([isAt(hanako, NAIROBI), isAt(taro, NAIROBI)]);
  const visitor = await visit({ at: NAIROBI });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "Arrow Taro" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("ArrowRight");

  await expect(
    page.getByRole("status").filter({ hasText: formatText(t.home.liked, { name: "Arrow Taro" }) }),
  ).toHaveCount(1);
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
});

test("with the keys alone, who has used the day's card buys a membership and likes again", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro, jiro] = await Promise.all([
    signUp(server.url, mailbox, personOf("upgrade-hanako")),
    signUp(server.url, mailbox, personOf("upgrade-taro", { sex: "male", username: "Upgrade Taro" })),
    signUp(server.url, mailbox, personOf("upgrade-jiro", { sex: "male" })),
  ]);
  await Promise.all([isAt(hanako, FUNAFUTI), isAt(taro, FUNAFUTI)]);
  const visitor = await visit({ at: FUNAFUTI });
  visitor.allowError(/status of 402/);
  visitor.allowOrigin(server.url); // where the sandbox's page is
  const { page, t } = visitor;
  const { membership } = t;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { name });
  await openAsMember(visitor, hanako, "");
  await expect(button(t.home.like)).toBeVisible();
  await hanako.ask(likeUser, { likedId: jiro.userId }); // spends the card, on another device

  await keyboard.press(button(t.home.like));
  await expect(page.getByRole("dialog", { name: t.errors.upgrade_required })).toBeVisible();
  await keyboard.press(page.getByRole("link", { name: t.upgrade.seePlans }));
  await expect(heading(membership.title)).toBeFocused();
  await expect(heading(membership.free)).toBeVisible();
  await expect(page.getByText(membership.sandbox)).toBeVisible();
  await keyboard.type(page.getByRole("textbox", { name: membership.month }), "2");
  await page.keyboard.press("Enter"); // takes the number, and pays nothing
  await page.keyboard.press("ArrowDown");
  await keyboard.press(button(membership.paySandbox));
  await expect(page.getByText("This is a sandbox: no money moves.")).toBeVisible();
  await keyboard.press(button("Approve"));
  await expect(heading(membership.thanks)).toBeVisible();
  await expect(page.getByText(/^1 month$/)).toBeVisible();
  await keyboard.press(page.getByRole("link", { name: membership.start }));
  await keyboard.press(button(t.home.like));

  await expect(
    page.getByRole("status").filter({ hasText: formatText(t.home.liked, { name: "Upgrade Taro" }) }),
  ).toHaveCount(1);
  await expect(heading(t.home.empty_all_seen)).toBeVisible();
});

test("logging out in one tab logs out the other", async ({ visit, mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("two-tabs"));
  const visitor = await visit({ language: "zh-hans" });
  const { page, t } = visitor;
  visitor.allowError(/status of 401/);
  await openAsMember(visitor, hanako, "/setting");
  const second = await visitor.context.newPage();
  await second.goto(visitor.url("/setting/filter"));
  await expect(second.getByRole("navigation", { name: t.shell.menu })).toBeVisible();

  await page.getByRole("button", { name: t.settings.logout }).click();
  const question = page.getByRole("dialog", { name: t.settings.confirmLogout });
  await question.getByRole("button", { name: t.settings.logout }).click();

  await expect(page).toHaveURL(visitor.url("/login"));
  await expect(second.getByLabel(t.login.userId)).toBeVisible();
  const answer = await hanako.fetch("/en/users/api/user");
  expect(answer.status).toBe(401);
});

test("who logs out on a slow line and logs in at once loses nothing that is typed meanwhile", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("hasty"));
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting");
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  await page.route("**/users/api/logout", async (route) => {
    await isOver;
    await route.continue();
  });

  await page.getByRole("button", { name: t.settings.logout }).click();
  const question = page.getByRole("dialog", { name: t.settings.confirmLogout });
  await question.getByRole("button", { name: t.settings.logout }).click();
  await page.getByLabel(t.login.userId).fill(hanako.userId);
  await page.getByLabel(t.login.password, { exact: true }).fill(hanako.password);
  const answer = page.waitForResponse("**/users/api/logout");
  end();
  await answer;
  await expect(page).toHaveURL(visitor.url("/login"));
  await page.getByRole("button", { name: t.login.logIn, exact: true }).click();

  await expect(page.getByLabel(t.login.userId)).toBeHidden();
});

test("a profile that does not exist and one that has blocked the viewer read the same", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("block-hanako", { username: "Hanako of the harbour" })),
    signUp(server.url, mailbox, personOf("block-taro", { sex: "male" })),
  ]);
  await Promise.all([isAt(hanako, LIMA), isAt(taro, LIMA)]);
  const one = await visit({ at: LIMA });
  const other = await visit({ at: LIMA });
  for (const visitor of [one, other]) visitor.allowError(/status of 404/);
  await openAsMember(one, taro, "/home/block-hanako");
  await expect(one.page).toHaveTitle("Hanako of the harbour block-hanako");

  await openAsMember(other, hanako, "/home/block-taro");
  await other.page.getByRole("button", { name: other.t.profile.block }).click();
  await other.page
    .getByRole("dialog")
    .getByRole("button", { name: other.t.safety.block, exact: true })
    .click();
  await expect(other.page.getByText(other.t.safety.blocked)).toBeVisible();

  for (const userId of ["block-hanako", "nobody-at-all"]) {
    await one.open(`/home/${userId}`);
    await expect(one.page.getByText("This user doesn't exists or you are blocked.")).toBeVisible();
    await expect(one.page).toHaveTitle("Alcove");
  }
  await other.open("/setting/blocks");
  await other.page.getByRole("button", { name: other.t.settings.unblock }).click();
  await expect(other.page.getByText(other.t.settings.noBlocks)).toBeVisible();
  await one.open("/home/block-hanako");
  await expect(one.page.getByRole("heading", { name: "Hanako of the harbour" })).toBeVisible();
});

/**
 * Answers as the server would a quarter of an hour later: the member's access has expired. Gives the refresh tokens of
 * the renewals that follow; the first one waits for `line`.
 */
async function goStale({ context, t }: Visitor, member: SignedUp, line?: Promise<void>): Promise<string[]> {
  const renewed: string[] = [];
  await context.route("**/*", async (route) => {
    const isStale = route.request().headers()["authorization"] === `Bearer ${member.access}`;
    const body = JSON.stringify({ code: "token_expired", error_message: t.errors.token_expired });
    if (isStale) await route.fulfill({ status: 401, contentType: "application/json", body });
    else if (route.request().url().endsWith("/api/token/refresh/")) {
      await line;
      const response = await route.fetch();
      renewed.push(((await response.json()) as { refresh: string }).refresh);
      await route.fulfill({ response });
    } else await route.fallback();
  });
  return renewed;
}

test("two tabs whose access has expired go on with one new pair of tokens", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("expired-access"));
  await isAt(hanako, PERTH);
  const visitor = await visit({ at: PERTH });
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  const renewed = await goStale(visitor, hanako);

  const second = await context.newPage();
  await Promise.all([
    openAsMember(visitor, hanako, "/setting/blocks"),
    page
      .waitForURL("**/setting/blocks", { waitUntil: "commit" })
      .then(() => second.goto(visitor.url("/setting/filter"))),
  ]);

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  await expect(second.getByRole("button", { name: t.settings.save })).toBeVisible();
  expect(new Set(renewed).size).toBe(1);
});

test("a tab that sees the other's new tokens late goes on with them", async ({ visit, mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("late-tokens"));
  const visitor = await visit();
  visitor.allowError(/status of 401/);
  const { page, context, t } = visitor;
  const line = Promise.withResolvers<void>();
  const renewed = await goStale(visitor, hanako, line.promise);
  const second = await context.newPage();
  const renewal = page.waitForRequest("**/api/token/refresh/");
  await openAsMember(visitor, hanako, "/setting/blocks");
  await renewal;
  await second.goto(visitor.url("/setting/filter"));
  const isWaiting = async () => {
    const { pending } = await navigator.locks.query();
    return pending!.some(({ name }) => name === "session");
  };
  await expect.poll(() => second.evaluate(isWaiting)).toBe(true);

  // What browsers do under load: the lock comes before the news of what was stored.
  await second.evaluate(() => {
    const { getItem } = Storage.prototype;
    const { fetch } = globalThis;
    const old = new Map(Object.entries(localStorage) as [string, string][]);
    Storage.prototype.getItem = (name) => old.get(name) ?? null;
    globalThis.fetch = async (...request) => {
      const answer = await fetch(...request);
      Storage.prototype.getItem = getItem;
      return answer;
    };
  });
  line.resolve();

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  await expect(second.getByRole("button", { name: t.settings.save })).toBeVisible();
  expect(renewed).toHaveLength(2);
  expect(new Set(renewed).size).toBe(1);
  await page.reload();
  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
});

test("a page whose new tokens got lost on the way stays logged in when it is loaded again", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("lost-answer"));
  const visitor = await visit();
  visitor.allowError(/status of 401|net::ERR_FAILED|Offline/);
  const { page, context, t } = visitor;
  let renewals = 0;
  await context.route("**/*", async (route) => {
    const isStale = route.request().headers()["authorization"] === `Bearer ${hanako.access}`;
    const body = JSON.stringify({ code: "token_expired", error_message: t.errors.token_expired });
    if (isStale) await route.fulfill({ status: 401, contentType: "application/json", body });
    else if (route.request().url().endsWith("/api/token/refresh/") && renewals++ === 0) {
      await route.fetch(); // the server has given new tokens
      await route.abort();
    } else await route.fallback();
  });
  await openAsMember(visitor, hanako, "/setting/blocks");
  await expect(page.getByRole("heading", { name: t.errorScreen.offline })).toBeVisible();

  await page.reload();

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  // The page that was left may have asked once more by itself.
  expect(renewals).toBeGreaterThanOrEqual(2);
});

test("who is refused in words that do not come through stays logged in", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("cut-refusal"));
  const visitor = await visit();
  visitor.allowError(/status of 401|Offline/);
  const { page, context, t } = visitor;
  await context.route("**/users/api/blocks", (route) => route.fulfill({ status: 401, body: '{"code":"to' }), {
    times: 1,
  });
  await openAsMember(visitor, hanako, "/setting/blocks");
  await expect(page.getByRole("heading", { name: t.errorScreen.offline })).toBeVisible();

  await page.reload();

  await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
});

test("a filter that is saved is the one by which candidates are chosen", async ({
  visit,
  mailbox,
  server,
}) => {
  const [hanako, taro] = await Promise.all([
    signUp(server.url, mailbox, personOf("filter-hanako")),
    signUp(server.url, mailbox, personOf("filter-taro", { sex: "male" })),
  ]);
  await Promise.all([isAt(hanako, OSLO), isAt(taro, OSLO)]);
  const visitor = await visit({ language: "zh-hant", at: OSLO, device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/filter");

  await page.getByRole("radio", { name: t.profileForm.women }).check();
  await page.getByRole("slider", { name: t.profileForm.youngest }).press("ArrowRight");
  await page.getByRole("button", { name: t.settings.save }).click();
  await expect(page.getByText(t.settings.saved)).toBeVisible();

  const { user } = await hanako.ask(getOwnUser, {});
  expect(user).toMatchObject({ search_sex: "female", search_min_age: 19 });
  expect((await hanako.ask(getOptions, {})).options).toEqual([]);
});
