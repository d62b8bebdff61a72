import type { Locator } from "@playwright/test";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveFilter } from "@alcove/contract/profiles";
import { centreOf, dragWithFinger, dragWithMouse } from "../../actions/gestures.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("moves the thumbs of a slider by finger and by mouse, never past each other, and saves them", async ({
  visit,
  member,
}) => {
  const hanako = await member("thumbs");
  for (const device of ["phone", "desktop"] as const) {
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
    await hanako.call(saveFilter, { search_min_range: 0, search_max_range: 500 });
    await page.reload();
    await expect(nearest).toHaveValue("0");

    await slide(500, 250);
    expect((await values())[0]).toBe(0);
    expect(Math.abs((await values())[1]! - 250)).toBeLessThanOrEqual(3);
    await slide(0, 400);
    const [low, high] = await values();
    expect(low).toBe(high);
    if (device === "phone") {
      await slide(high!, 500);
      await slide(low!, 500);
      expect(await values()).toEqual([500, 500]);
      await slide(500, 100);
      expect((await values())[1]).toBe(500);
      expect(Math.abs((await values())[0]! - 100)).toBeLessThanOrEqual(3);
    }

    await page.getByRole("button", { name: t.settings.save }).click();
    await expect(page.getByText(t.settings.saved)).toBeVisible();
    const { user } = await hanako.call(getOwnUser, {});
    expect([user.search_min_range, user.search_max_range]).toEqual(await values());
  }
});
