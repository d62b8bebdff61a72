import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, likeUser, passUser, saveLocation } from "@alcove/contract/discovery";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { enter, sharePosition } from "../../actions/open-as-member.ts";
import { keys, mouse } from "../../actions/input-method.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";
import { said } from "../../fixtures/translations.ts";

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
  visitor.expectComplaint(/status of 402/);
  const { page, words } = visitor;
  await enter(visitor, hanako, "");
  await sharePosition(visitor, mouse);
  const card = (of: typeof page) => of.getByRole("article", { name: "太郎" });
  await expect(card(page)).toBeVisible();
  const second = await visitor.context.newPage();
  await second.goto(visitor.address(""));
  await expect(card(second)).toBeVisible();

  await page.getByRole("button", { name: words.home.pass }).click();
  await expect(page.getByRole("heading", { name: words.home.empty_card_used })).toBeVisible();
  await second.getByRole("button", { name: words.home.like }).click();

  const modal = second.getByRole("dialog", { name: words.errors.upgrade_required });
  await expect(modal).toBeVisible();
  await expect(modal.getByRole("table")).toContainText("12,000");
  await modal.getByRole("button", { name: words.upgrade.notNow }).click();
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
  const { page, words } = visitor;
  await enter(visitor, hanako, "");

  await expect(page.getByRole("heading", { name: words.home.empty_card_used })).toBeVisible();
  // Midnight in UTC, by a clock in Tokyo.
  const { nextCardToday, nextCardTomorrow } = words.home;
  const either = [nextCardToday, nextCardTomorrow].map((sentence) => said(sentence, { time: "09:00" }));
  await expect(page.getByText(either[0]!).or(page.getByText(either[1]!))).toBeVisible();
});

test("who does not share a position is told why it is asked for, and nothing is sent", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("no-position"));
  const visitor = await visit();
  const { page, words } = visitor;
  await enter(visitor, hanako, "");

  const prompt = page.getByRole("dialog", { name: words.location.title });
  await expect(prompt).toContainText(words.location.request);
  await prompt.getByRole("button", { name: words.location.allow }).click();

  await expect(page.getByRole("alert").filter({ hasText: words.location.request })).toBeVisible();
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
  const { page, words } = visitor;
  await enter(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "Arrow Taro" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("ArrowRight");

  await expect(
    page.getByRole("status").filter({ hasText: said(words.home.liked, { name: "Arrow Taro" }) }),
  ).toHaveCount(1);
  await expect(page.getByRole("heading", { name: words.home.empty_card_used })).toBeVisible();
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
  visitor.expectComplaint(/status of 402/);
  visitor.mayAsk(server.url); // where the sandbox's page is
  const { page, words } = visitor;
  const { membership } = words;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { name });
  await enter(visitor, hanako, "");
  await expect(button(words.home.like)).toBeVisible();
  await hanako.ask(likeUser, { likedId: jiro.userId }); // spends the card, on another device

  await keys.press(button(words.home.like));
  await expect(page.getByRole("dialog", { name: words.errors.upgrade_required })).toBeVisible();
  await keys.press(page.getByRole("link", { name: words.upgrade.seePlans }));
  await expect(heading(membership.title)).toBeFocused();
  await expect(heading(membership.free)).toBeVisible();
  await expect(page.getByText(membership.sandbox)).toBeVisible();
  await keys.type(page.getByRole("textbox", { name: membership.month }), "2");
  await page.keyboard.press("Enter"); // takes the number, and pays nothing
  await page.keyboard.press("ArrowDown");
  await keys.press(button(membership.paySandbox));
  await expect(page.getByText("This is a sandbox: no money moves.")).toBeVisible();
  await keys.press(button("Approve"));
  await expect(heading(membership.thanks)).toBeVisible();
  await expect(page.getByText(/^1 month$/)).toBeVisible();
  await keys.press(page.getByRole("link", { name: membership.start }));
  await keys.press(button(words.home.like));

  await expect(
    page.getByRole("status").filter({ hasText: said(words.home.liked, { name: "Upgrade Taro" }) }),
  ).toHaveCount(1);
  await expect(heading(words.home.empty_all_seen)).toBeVisible();
});

test("logging out in one tab logs out the other", async ({ visit, mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("two-tabs"));
  const visitor = await visit({ language: "zh-hans" });
  const { page, words } = visitor;
  visitor.expectComplaint(/status of 401/);
  await enter(visitor, hanako, "/setting");
  const second = await visitor.context.newPage();
  await second.goto(visitor.address("/setting/filter"));
  await expect(second.getByRole("navigation", { name: words.shell.menu })).toBeVisible();

  await page.getByRole("button", { name: words.settings.logout }).click();
  const question = page.getByRole("dialog", { name: words.settings.confirmLogout });
  await question.getByRole("button", { name: words.settings.logout }).click();

  await expect(page).toHaveURL(visitor.address("/login"));
  await expect(second.getByLabel(words.login.userId)).toBeVisible();
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
  const { page, words } = visitor;
  await enter(visitor, hanako, "/setting");
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  await page.route("**/users/api/logout", async (route) => {
    await isOver;
    await route.continue();
  });

  await page.getByRole("button", { name: words.settings.logout }).click();
  const question = page.getByRole("dialog", { name: words.settings.confirmLogout });
  await question.getByRole("button", { name: words.settings.logout }).click();
  await page.getByLabel(words.login.userId).fill(hanako.userId);
  await page.getByLabel(words.login.password, { exact: true }).fill(hanako.password);
  const answer = page.waitForResponse("**/users/api/logout");
  end();
  await answer;
  await expect(page).toHaveURL(visitor.address("/login"));
  await page.getByRole("button", { name: words.login.logIn, exact: true }).click();

  await expect(page.getByLabel(words.login.userId)).toBeHidden();
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
  for (const visitor of [one, other]) visitor.expectComplaint(/status of 404/);
  await enter(one, taro, "/home/block-hanako");
  await expect(one.page).toHaveTitle("Hanako of the harbour block-hanako");

  await enter(other, hanako, "/home/block-taro");
  await other.page.getByRole("button", { name: other.words.profile.block }).click();
  await other.page
    .getByRole("dialog")
    .getByRole("button", { name: other.words.safety.block, exact: true })
    .click();
  await expect(other.page.getByText(other.words.safety.blocked)).toBeVisible();

  for (const userId of ["block-hanako", "nobody-at-all"]) {
    await one.open(`/home/${userId}`);
    await expect(one.page.getByText("This user doesn't exists or you are blocked.")).toBeVisible();
    await expect(one.page).toHaveTitle("Alcove");
  }
  await other.open("/setting/blocks");
  await other.page.getByRole("button", { name: other.words.settings.unblock }).click();
  await expect(other.page.getByText(other.words.settings.noBlocks)).toBeVisible();
  await one.open("/home/block-hanako");
  await expect(one.page.getByRole("heading", { name: "Hanako of the harbour" })).toBeVisible();
});

/**
 * Answers as the server would a quarter of an hour later: the member's access has expired. Gives the refresh tokens of
 * the renewals that follow; the first one waits for `line`.
 */
async function goStale(
  { context, words }: Visitor,
  member: SignedUp,
  line?: Promise<void>,
): Promise<string[]> {
  const renewed: string[] = [];
  await context.route("**/*", async (route) => {
    const isStale = route.request().headers()["authorization"] === `Bearer ${member.access}`;
    const body = JSON.stringify({ code: "token_expired", error_message: words.errors.token_expired });
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
  visitor.expectComplaint(/status of 401/);
  const { page, context, words } = visitor;
  const renewed = await goStale(visitor, hanako);

  const second = await context.newPage();
  await Promise.all([
    enter(visitor, hanako, "/setting/blocks"),
    page
      .waitForURL("**/setting/blocks", { waitUntil: "commit" })
      .then(() => second.goto(visitor.address("/setting/filter"))),
  ]);

  await expect(page.getByText(words.settings.noBlocks)).toBeVisible();
  await expect(second.getByRole("button", { name: words.settings.save })).toBeVisible();
  expect(new Set(renewed).size).toBe(1);
});

test("a tab that sees the other's new tokens late goes on with them", async ({ visit, mailbox, server }) => {
  const hanako = await signUp(server.url, mailbox, personOf("late-tokens"));
  const visitor = await visit();
  visitor.expectComplaint(/status of 401/);
  const { page, context, words } = visitor;
  const line = Promise.withResolvers<void>();
  const renewed = await goStale(visitor, hanako, line.promise);
  const second = await context.newPage();
  const renewal = page.waitForRequest("**/api/token/refresh/");
  await enter(visitor, hanako, "/setting/blocks");
  await renewal;
  await second.goto(visitor.address("/setting/filter"));
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

  await expect(page.getByText(words.settings.noBlocks)).toBeVisible();
  await expect(second.getByRole("button", { name: words.settings.save })).toBeVisible();
  expect(renewed).toHaveLength(2);
  expect(new Set(renewed).size).toBe(1);
  await page.reload();
  await expect(page.getByText(words.settings.noBlocks)).toBeVisible();
});

test("a page whose new tokens got lost on the way stays logged in when it is loaded again", async ({
  visit,
  mailbox,
  server,
}) => {
  const hanako = await signUp(server.url, mailbox, personOf("lost-answer"));
  const visitor = await visit();
  visitor.expectComplaint(/status of 401|net::ERR_FAILED|Offline/);
  const { page, context, words } = visitor;
  let renewals = 0;
  await context.route("**/*", async (route) => {
    const isStale = route.request().headers()["authorization"] === `Bearer ${hanako.access}`;
    const body = JSON.stringify({ code: "token_expired", error_message: words.errors.token_expired });
    if (isStale) await route.fulfill({ status: 401, contentType: "application/json", body });
    else if (route.request().url().endsWith("/api/token/refresh/") && renewals++ === 0) {
      await route.fetch(); // the server has given new tokens
      await route.abort();
    } else await route.fallback();
  });
  await enter(visitor, hanako, "/setting/blocks");
  await expect(page.getByRole("heading", { name: words.errorScreen.offline })).toBeVisible();

  await page.reload();

  await expect(page.getByText(words.settings.noBlocks)).toBeVisible();
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
  visitor.expectComplaint(/status of 401|Offline/);
  const { page, context, words } = visitor;
  await context.route("**/users/api/blocks", (route) => route.fulfill({ status: 401, body: '{"code":"to' }), {
    times: 1,
  });
  await enter(visitor, hanako, "/setting/blocks");
  await expect(page.getByRole("heading", { name: words.errorScreen.offline })).toBeVisible();

  await page.reload();

  await expect(page.getByText(words.settings.noBlocks)).toBeVisible();
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
  const { page, words } = visitor;
  await enter(visitor, hanako, "/setting/filter");

  await page.getByRole("radio", { name: words.profileForm.women }).check();
  await page.getByRole("slider", { name: words.profileForm.youngest }).press("ArrowRight");
  await page.getByRole("button", { name: words.settings.save }).click();
  await expect(page.getByText(words.settings.saved)).toBeVisible();

  const { user } = await hanako.ask(getOwnUser, {});
  expect(user).toMatchObject({ search_sex: "female", search_min_age: 19 });
  expect((await hanako.ask(getOptions, {})).options).toEqual([]);
});
