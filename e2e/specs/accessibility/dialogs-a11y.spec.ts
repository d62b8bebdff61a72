import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { requestCode, choosePicture, enterCode } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";

const LOOKS = [
  { language: "ja", theme: "dark", at: [-57.85, -51.7] },
  { language: "en", theme: "light", at: [55.45, -4.62] },
] as const;

for (const { language, theme, at } of LOOKS) {
  const wish = { language, theme, device: "phone", at } as const;

  test(`the steps of signing up are sound in ${language}, ${theme}, with everything wrong too`, async ({
    visit,
    mailbox,
  }) => {
    const visitor = await visit(wish);
    const { page, t } = visitor;
    const email = `layers-${language}@example.com`;

    await visitor.open("/sign-up");
    await requestCode(visitor, mouse, email);
    await page.getByLabel(t.codes.code).fill("00000");
    await page.getByRole("button", { name: t.codes.confirm }).click();
    await expect(page.getByLabel(t.codes.code)).toHaveAttribute("aria-invalid", "true");
    await checkAccessibility(visitor, "the code's step", [theme]);
    await page.getByLabel(t.codes.code).clear();
    await enterCode(visitor, mouse, mailbox, email);
    await checkAccessibility(visitor, "the profile's form", [theme]);

    await page.getByLabel(t.profileForm.height).fill("9999");
    await page.getByLabel("LINE").fill("javascript:alert(1)");
    await page.getByRole("button", { name: t.signUp.create }).click();
    await expect(page.getByRole("alert").filter({ hasText: t.fields.icon_required })).toBeVisible();
    await expect(page.getByRole("button", { name: t.profileForm.choosePicture })).toBeFocused();
    await expect(page.getByLabel("LINE")).toHaveAccessibleDescription(t.fields.url_invalid);
    await checkAccessibility(visitor, "the profile's form with errors", [theme]);

    await choosePicture(visitor, mouse);
    await expect(page.getByRole("dialog", { name: t.crop.title })).toBeVisible();
    await checkAccessibility(visitor, "the crop layer", [theme]);
  });

  test(`what opens over a member's screens is sound in ${language}, ${theme}`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const [hanako, jiro, taro] = await Promise.all([
      signUp(server.url, mailbox, personOf(`layers-hanako-${language}`)),
      signUp(server.url, mailbox, personOf(`layers-jiro-${language}`, { sex: "male" })),
      signUp(server.url, mailbox, personOf(`layers-taro-${language}`, { sex: "male", username: "Taro" })),
    ]);
    await taro.ask(saveLocation, { location: at.join(",") });
    const visitor = await visit(wish);
    visitor.allowError(/status of 40[24]/);
    const { page, t } = visitor;
    const look = (what: string) => checkAccessibility(visitor, what, [theme]);
    await openAsMember(visitor, hanako, "");
    await expect(page.getByRole("dialog", { name: t.location.title })).toBeVisible();
    await look("the prompt for the position");
    await sharePosition(visitor, mouse);
    await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();

    // The card of the day is used on another device.
    await hanako.ask(likeUser, { likedId: jiro.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    const modal = page.getByRole("dialog", { name: t.errors.upgrade_required });
    await expect(modal).toBeVisible();
    await look("the upgrade modal");
    await page.keyboard.press("Escape");
    await expect(modal).toBeHidden();

    await jiro.ask(likeUser, { likedId: hanako.userId });
    const notice = page.getByRole("dialog", { name: t.matchNotice.title });
    await expect(notice).toBeVisible();
    await look("the notice of a match");
    await notice.getByRole("button", { name: t.matchNotice.keepLooking }).click();

    await visitor.open(`/home/${taro.userId}`);
    await page.getByRole("button", { name: t.profile.enlarge }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("the enlarged picture");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.profile.block }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("the question before a block");
    await page.keyboard.press("Escape");

    await visitor.open("/setting");
    await page.getByRole("button", { name: t.settings.logout }).click();
    await expect(page.getByRole("dialog", { name: t.settings.confirmLogout })).toBeVisible();
    await look("the question before logging out");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(page.getByRole("dialog", { name: t.shell.language })).toBeVisible();
    await look("the languages");
    await page.getByRole("button", { name: t.ui.close }).click(); // Esc once more would hide the screen
    await page.getByRole("button", { name: t.shell.hide }).click();
    await expect(page.getByRole("heading", { name: t.privacyScreen.title })).toBeVisible();
    await look("the cover");
    await page.getByRole("button", { name: t.privacyScreen.back }).click();

    await visitor.open("/no-such-corner");
    await expect(page.getByRole("heading", { name: t.errorScreen.notFound })).toBeVisible();
    await look("the page that is not there");
  });

  test(`what a broken answer leads to is sound in ${language}, ${theme}`, async ({
    visit,
    mailbox,
    server,
  }) => {
    const hanako = await signUp(server.url, mailbox, personOf(`fault-${language}`));
    const visitor = await visit(wish);
    visitor.allowError(/status of 500|Refused: /);
    const { page, t } = visitor;
    await visitor.context.route("**/users/api/blocks", (route) =>
      route.fulfill({ status: 500, json: { code: "fault", error_message: t.errors.fault } }),
    );

    await openAsMember(visitor, hanako, "/setting/blocks");

    await expect(page.getByRole("heading", { name: t.errorScreen.title })).toBeVisible();
    await expect(page.getByText(`500 · ${t.errors.fault}`)).toBeVisible();
    await checkAccessibility(visitor, "the fault screen", [theme]);
    await visitor.context.unrouteAll();
    await page.getByRole("button", { name: t.errorScreen.again }).click();
    await expect(page.getByText(t.settings.noBlocks)).toBeVisible();
  });
}
