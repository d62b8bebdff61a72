import { getOwnUser } from "@alcove/contract/accounts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

/** As if the card had come at the member's hour: the first such hour is a day after the choice. */
async function bringAtHour({ context }: Visitor): Promise<void> {
  await context.route("**/users/api/get-options*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { options: unknown[] };
    const came = body.options.length > 0 && { card_came_at: "2026-05-01T20:00:00.000Z" };
    await route.fulfill({ response, json: { ...body, ...came } });
  });
}

test("opens the niche of the day by keyboard, once, and closes it by Later", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("niche-hanako"),
    member("niche-taro", { sex: "male", username: "Niche Taro" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place, device: "phone" });
  await bringAtHour(visitor);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  const card = page.getByRole("article", { name: "Niche Taro" });
  const niche = page.getByRole("button", { name: "Open today's card" });
  await expect(page.getByRole("heading", { name: t.home.cardCame })).toBeVisible();
  await expect(card).toHaveCount(0);
  await checkAccessibility(visitor, "a closed niche");
  const lamp = () =>
    niche.evaluate((element) => {
      element.setAttribute("data-opening", "");
      const { animationDuration } = getComputedStyle(element, "::before");
      element.removeAttribute("data-opening");
      return animationDuration;
    });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await lamp()).toBe("0.6s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await lamp()).toBe("0.24s");

  await keyboard.press(niche);
  await expect(card).toBeVisible();
  await expect(card.getByRole("heading", { name: "Niche Taro" })).toBeFocused();
  await page.reload();
  await expect(card).toBeVisible();

  await expect(
    page.getByText("Your card for today. Take your time; it stays until you decide."),
  ).toBeVisible();
  await mouse.press(page.getByRole("button", { name: t.home.later }));
  await expect(card).toHaveCount(0);
  await expect(niche).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(card).toBeVisible();
  expect((await hanako.call(getOwnUser, {})).user.card_arrives_at).toBeNull(); // nothing is spent
});

test("chooses the hour of the card in the settings, once a week", async ({ visit, member }) => {
  const hanako = await member("arrival-hanako");
  const visitor = await visit({ language: "ja", device: "phone" });
  visitor.allowError(/status of 429/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/arrival");
  const zone = page.getByRole("combobox", { name: t.arrival.zone });
  const deviceZone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  await expect(zone).toHaveValue(deviceZone);
  await checkAccessibility(visitor, "the hour of the card");

  await page.getByRole("radio", { name: "20:00" }).check();
  await mouse.press(page.getByRole("button", { name: t.settings.save, exact: true }));
  await expect(page.getByText(t.settings.saved)).toBeVisible();
  expect((await hanako.call(getOwnUser, {})).user).toMatchObject({
    arrival: "evening",
    arrival_zone: deviceZone,
  });
  await page.reload();
  await expect(page.getByRole("radio", { name: "20:00" })).toBeChecked();

  await zone.selectOption("Europe/Paris");
  await mouse.press(page.getByRole("button", { name: t.settings.save, exact: true }));
  await expect(page.getByRole("alert").filter({ hasText: t.errors.arrival_changes_used_up })).toBeVisible();
});
