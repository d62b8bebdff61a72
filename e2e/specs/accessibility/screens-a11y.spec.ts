import { likeUser, saveLocation } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { signUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { mouse } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

/** What a screen must be before it is looked at: its heading, or something else that is there when it is whole. */
type Screen = [path: string, whole: (visitor: Visitor) => Promise<void>];

const heading: Screen[1] = ({ page }) => expect(page.getByRole("heading").first()).toBeVisible();
const PUBLIC: Screen[] = [
  "/login",
  "/sign-up",
  "/reset-password",
  "/tos",
  "/privacy-policy",
  "/about-service",
  "/pricing",
  "/unsubscribe?token=a",
  "/nowhere",
].map((path) => [path, heading]);
const MEMBERS: Screen[] = [
  ["/setting", heading],
  ["/setting/profile", heading],
  ["/setting/filter", heading],
  ["/setting/password", heading],
  ["/setting/privacy", heading],
  ["/setting/notifications", heading],
  ["/setting/devices", heading],
  ["/setting/blocks", heading],
  ["/setting/never-see", heading],
  ["/setting/delete-account", heading],
  ["/upgrade-account", heading],
  ["/purchase-history", heading],
  ["/brokerage-fee", heading],
  ["/home/nobody-at-all", heading],
];

// What is looked for does not change with the language: one of each kind of letters, one light and one dark.
for (const [language, theme] of [
  ["en", "light"],
  ["ja", "dark"],
] as const) {
  test(`every public screen is sound in ${language}`, async ({ visit }) => {
    const visitor = await visit({ language, device: "phone" });
    visitor.allowError(/status of 404/);
    for (const [path, isWhole] of PUBLIC) {
      await visitor.open(path);
      await isWhole(visitor);
      await checkAccessibility(visitor, `${language}${path}`, [theme]);
    }
  });
}

/** Each device has a place of its own, so that nobody of the other's test is within reach. */
const PLACES = { phone: [-21.94, 64.15], desktop: [174.78, -41.29] } as const;

for (const device of ["phone", "desktop"] as const) {
  test(`every screen of members is sound on a ${device}, light and dark`, async ({
    visit,
    mailbox,
    server,
  }) => {
    test.slow(); // some dozens of looks
    const [hanako, taro] = await Promise.all([
      signUp(server.url, mailbox, personOf(`sound-hanako-${device}`)),
      signUp(
        server.url,
        mailbox,
        personOf(`sound-taro-${device}`, {
          sex: "male",
          description: "# Hello\n\n- one\n- **two**\n\n[a link](https://example.com)",
        }),
      ),
    ]);
    await taro.ask(saveLocation, { location: PLACES[device].join(",") });
    const visitor = await visit({ language: device === "phone" ? "ja" : "en", device, at: PLACES[device] });
    visitor.allowError(/status of 404/);
    const { page, t } = visitor;
    await openAsMember(visitor, hanako, "/dm");
    await expect(page.getByText(t.messages.empty)).toBeVisible();
    await checkAccessibility(visitor, "the list without a match");
    await visitor.open("");
    const prompt = page.getByRole("dialog", { name: t.location.title });
    await expect(prompt).toBeVisible();
    await checkAccessibility(visitor, "the prompt for the position");
    await sharePosition(visitor, mouse);
    await expect(page.getByRole("button", { name: t.home.like })).toBeVisible();
    await checkAccessibility(visitor, "the card");

    await taro.ask(likeUser, { likedId: hanako.userId });
    await page.getByRole("button", { name: t.home.like }).click();
    const notice = page.getByRole("dialog", { name: t.matchNotice.title });
    await expect(notice).toBeVisible();
    await checkAccessibility(visitor, "the notice of a match");
    await notice.getByRole("button", { name: t.matchNotice.keepLooking }).click();
    await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
    await checkAccessibility(visitor, "the empty home");
    await visitor.open("/dm");
    await expect(page.getByRole("heading", { name: t.messages.newMatches })).toBeVisible();
    await checkAccessibility(visitor, "the list with a match");
    const file = new File([new Uint8Array(drawPicture([30, 80, 60], [230, 200, 90]))], "picture.png", {
      type: "image/png",
    });
    await taro.ask(sendDm, {
      receiverId: hanako.userId,
      description: "See https://example.com/ and\nanswer.",
      file,
    });
    await hanako.ask(sendDm, { receiverId: taro.userId, description: "x".repeat(600) });
    await visitor.open(`/dm/${taro.userId}`);
    await expect(page.getByRole("button", { name: t.chat.tapToView })).toBeVisible();
    await checkAccessibility(visitor, "the conversation");
    await visitor.open("/dm");
    await expect(page.getByRole("heading", { name: t.messages.conversations })).toBeVisible();
    await checkAccessibility(visitor, "the list of conversations");

    for (const [path, isWhole] of [...MEMBERS, [`/home/${taro.userId}`, heading] as Screen]) {
      await visitor.open(path);
      await isWhole(visitor);
      await checkAccessibility(visitor, path);
    }
    await page.getByRole("button", { name: t.profile.enlarge }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await checkAccessibility(visitor, "the enlarged picture");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.profile.block }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await checkAccessibility(visitor, "the question before a block");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.shell.language }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await checkAccessibility(visitor, "the languages");
  });
}
