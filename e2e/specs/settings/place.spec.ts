import { getOwnUser } from "@alcove/contract/accounts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("saves the size of the place at once, and shows the old one if saving fails", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("place-hanako", { at: place });
  const visitor = await visit({ language: "ja", device: "phone" });
  visitor.allowError(/status of 503/);
  const { page, context, t } = visitor;
  await openAsMember(visitor, hanako, "/setting/area");
  const size = (name: string) => page.getByRole("radio", { name });
  await expect(size(t.privacy.place_cell)).toBeChecked();
  await expect(page.getByRole("radiogroup")).toHaveAccessibleDescription(t.privacy.placeHint);

  await size(t.privacy.place_region).check();
  await expect
    .poll(async () => (await hanako.call(getOwnUser, {})).user)
    .toMatchObject({ location_precision: "region" });
  await page.reload();
  await expect(size(t.privacy.place_region)).toBeChecked();
  await checkAccessibility(visitor, "the size of the place");

  await context.route("**/users/api/user", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 503, json: { code: "service_unavailable", error_message: "Later" } })
      : route.continue(),
  );
  await size(t.privacy.place_town).click();
  await expect(page.getByRole("alert").filter({ hasText: "Later" })).toBeVisible();
  await expect(size(t.privacy.place_region)).toBeChecked();
});
