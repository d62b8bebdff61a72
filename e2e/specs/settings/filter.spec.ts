import type { Locator } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { centreOf, dragWithFinger, dragWithMouse } from "../../actions/gestures.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { rejectUserChanges } from "../../actions/reject-user-changes.ts";

test("saves the filter", async ({ visit, member }) => {
  const hanako = await member("filter-hanako");
  const visitor = await visit({ language: "zh-hant", device: "phone" });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/filter");

  await page.getByRole("radio", { name: t.profileForm.women }).check();
  await page.getByRole("slider", { name: t.profileForm.youngest }).press("ArrowRight");
  await page.getByRole("button", { name: t.settings.save }).click();
  await expect(page.getByText(t.settings.saved)).toBeVisible();

  const { user } = await hanako.call(getOwnUser, {});
  expect(user).toMatchObject({ search_sex: "female", search_min_age: 19 });
});

for (const device of ["phone", "desktop"] as const) {
  test(`moves the thumbs of a slider by ${device === "phone" ? "finger" : "mouse"}, and never past each other`, async ({
    visit,
    member,
  }) => {
    const hanako = await member(`thumbs-${device}`);
    const visitor = await visit({ device });
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "/setting/filter");
    const [nearest, farthest] = [t.profileForm.nearest, t.profileForm.farthest].map((name) =>
      page.getByRole("slider", { name }),
    ) as [Locator, Locator];
    const values = async () => [await nearest.inputValue(), await farthest.inputValue()].map(Number);
    const move = device === "phone" ? dragWithFinger : dragWithMouse;
    /** Drags the topmost thumb at a value to another value. */
    const slide = async (from: number, to: number) => {
      const { x, y, width, height } = await centreOf(nearest);
      const at = (value: number): [number, number] => [
        x - width / 2 + height / 2 + ((width - height) * value) / 500,
        y,
      ];
      await move(page, at(from), at(to));
    };
    await expect(nearest).toBeVisible();

    await slide(500, 250);
    expect((await values())[0]).toBe(0);
    expect(Math.abs((await values())[1]! - 250)).toBeLessThanOrEqual(3);
    await slide(0, 400);
    const [low, high] = await values();
    expect(low).toBe(high);
    await slide(high!, 500);
    await slide(low!, 500);
    expect(await values()).toEqual([500, 500]);
    await slide(500, 100);
    expect((await values())[1]).toBe(500);
    expect(Math.abs((await values())[0]! - 100)).toBeLessThanOrEqual(3);
    await slide(500, 0);
    expect((await values())[0]).toBe((await values())[1]);
    await slide((await values())[0]!, 0);
    await slide((await values())[0]!, 450);

    await page.getByRole("button", { name: t.settings.save }).click();
    await expect(page.getByText(t.settings.saved)).toBeVisible();
    const { user } = await hanako.call(getOwnUser, {});
    expect([user.search_min_range, user.search_max_range]).toEqual(await values());
  });
}

test("links errors to a choice and to a range", async ({ visit, member }) => {
  const hanako = await member("edit-filter");
  const visitor = await visit();
  visitor.allowError(/status of 400/);
  const { page, t } = visitor;
  const { profileForm: form, fields } = t;
  await openAsMember(visitor, hanako, "/setting/filter");
  await rejectUserChanges(visitor, { search_sex: ["unknown_choice"], search_max_age: ["range_reversed"] });

  await page.getByRole("button", { name: t.settings.save }).click();

  const choice = page.getByRole("radiogroup", { name: form.lookingFor });
  await expect(choice).toHaveAttribute("aria-invalid", "true");
  await expect(choice).toHaveAccessibleDescription(fields.unknown_choice);
  await expect(choice.getByRole("radio", { checked: true })).toBeFocused();
  for (const thumb of [form.youngest, form.oldest]) {
    const slider = page.getByRole("slider", { name: thumb });
    await expect(slider).toHaveAttribute("aria-invalid", "true");
    await expect(slider).toHaveAccessibleDescription(fields.range_reversed);
  }
  await expect(page.getByRole("slider", { name: form.nearest })).not.toHaveAttribute("aria-invalid");
  await checkAccessibility(visitor, "the filter with errors");
});

test("explains that the distance changed too often, and keeps the form", async ({ visit, member }) => {
  const hanako = await member("hasty-filter");
  const visitor = await visit({ language: "zh-hans" });
  visitor.allowError(/status of 429/);
  const { page, context, t } = visitor;
  const error_message = t.errors.distance_changes_used_up;
  await openAsMember(visitor, hanako, "/setting/filter");
  await context.route("**/users/api/user", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 429, json: { code: "distance_changes_used_up", error_message } })
      : route.continue(),
  );
  const farthest = page.getByRole("slider", { name: t.profileForm.farthest });
  await page.getByRole("radio", { name: t.profileForm.women }).check();
  await farthest.press("ArrowLeft");

  await page.getByRole("button", { name: t.settings.save }).click();

  await expect(page.getByRole("alert").filter({ hasText: error_message })).toBeVisible();
  await expect(farthest).toHaveValue("499");
  await expect(page.getByRole("radio", { name: t.profileForm.women })).toBeChecked();
});
