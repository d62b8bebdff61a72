import { getOwnUser } from "@alcove/contract/accounts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("explains by device how to allow the position again, and sends nothing while it is denied", async ({
  visit,
  member,
}) => {
  const hanako = await member("no-position");
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const heading = page.getByRole("heading", { name: t.location.off });
  await openAsMember(visitor, hanako, "");

  await expect(heading).toBeVisible();
  await expect(page.getByText(t.location.request)).toBeVisible();
  await checkAccessibility(visitor, "the help for a denied position");
  for (const kind of ["iphone", "android", "computer"] as const) {
    await page.getByRole("radio", { name: t.location[`device_${kind}`] }).check();
    await expect(
      page.getByRole("listitem").filter({ hasText: formatText(t.location[`open_${kind}`]) }),
    ).toHaveCount(1);
  }
  await keyboard.press(page.getByRole("button", { name: t.location.switchedOn }));
  await expect(alertWith(visitor, t.location.request)).toBeVisible();
  const { user } = await hanako.call(getOwnUser, {});
  expect(user).toMatchObject({ location: null, gps_updated_at: null });

  await visitor.context.setGeolocation({ longitude: 139.7, latitude: 35.6 });
  await visitor.context.grantPermissions(["geolocation"]);
  await keyboard.press(page.getByRole("button", { name: t.location.switchedOn }));
  await expect(heading).toBeHidden();
  expect((await hanako.call(getOwnUser, {})).user.location).not.toBeNull();
});
