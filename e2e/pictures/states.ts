import { expect, type Page } from "@playwright/test";
import { getOptions } from "@alcove/contract/discovery";
import { choosePicture } from "../actions/sign-up.ts";
import { mouse } from "../actions/input-method.ts";
import { chooseFromMore, chooseInChat } from "../actions/more-menu.ts";
import { openAsMember } from "../actions/open-as-member.ts";
import type { Visitor } from "../fixtures/visitor.ts";
import { people } from "./member.ts";
import type { Stage, Story } from "./stage.ts";

const PIN = "2468";
const HOUR_MS = 3_600_000;

const heading = ({ page }: Visitor, name: string) => page.getByRole("heading", { name }).first();

/** Responds to a call instead of the server, until the story ends. */
async function respond(page: Page, path: string, json: (body: never) => unknown): Promise<void> {
  await page.route(path, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, json: json((await response.json()) as never) });
  });
}

/** States of the home screen that depend on the server's candidates. */
async function emptyHome(stage: Stage): Promise<void> {
  const { visitor, newcomer, shoot } = stage;
  const { page, t } = visitor;
  const tomorrow = new Date(Date.now() + 9 * HOUR_MS + 720_000).toISOString();
  const states = {
    "nobody-left": {
      reason: "filters_too_narrow",
      suggestion: "wider_distance",
      suggested_max_range: 100,
    },
    "card-used": { reason: "card_used", next_card_at: tomorrow, card_day_began_on: tomorrow.slice(0, 10) },
  };
  for (const [name, state] of Object.entries(states)) {
    await respond(page, "**/users/api/get-options*", () => ({ options: [], likes_left: null, ...state }));
    await openAsMember(visitor, newcomer, "");
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await shoot(name);
    await page.unrouteAll({ behavior: "wait" });
  }
  await page.route("**/users/api/get-options*", () => undefined);
  await openAsMember(visitor, newcomer, "");
  await expect(page.getByText(t.ui.loading).first()).toBeAttached();
  await shoot("home-loading");
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

async function position({ visitor, member, shoot }: Stage): Promise<void> {
  const { page, context, t } = visitor;
  await respond(page, "**/users/api/user", ({ user }: { user: object }) => ({
    user: { ...user, location: null, gps_updated_at: null },
  }));
  await context.clearPermissions();
  await page.addInitScript(() => {
    navigator.permissions.query = async () => ({ state: "prompt" }) as PermissionStatus;
  });
  await openAsMember(visitor, member, "");
  await expect(page.getByRole("dialog", { name: t.location.title })).toBeVisible();
  await shoot("gps-permission");
  await page.addInitScript(() => {
    navigator.permissions.query = async () => ({ state: "denied" }) as PermissionStatus;
  });
  await page.reload();
  await expect(heading(visitor, t.location.off)).toBeVisible();
  await shoot("gps-denied");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.addInitScript(() => {
    navigator.permissions.query = async () => ({ state: "granted" }) as PermissionStatus;
  });
  await context.grantPermissions(["geolocation"]);
}

async function offline({ visitor, member, matched, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await openAsMember(visitor, member, `/dm/${matched[0]}`);
  await expect(page.getByRole("log").locator("p").first()).toBeVisible();
  await page.route("**/dm/api/**", (route) => route.abort());
  await visitor.goOffline();
  await page.getByRole("textbox", { name: t.chat.write }).fill(people[visitor.language].lines[1]!);
  await page.getByRole("button", { name: t.chat.send }).click();
  await expect(page.getByText(t.chat.waiting).first()).toBeVisible();
  await shoot("chat-offline");
  await visitor.goOnline();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route("**/users/api/user", (route) => route.abort());
  await openAsMember(visitor, member, "");
  await expect(heading(visitor, t.errorScreen.offline)).toBeVisible();
  await shoot("offline");
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

async function chatStates({ visitor, member, matched, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await openAsMember(visitor, member, `/dm/${matched.at(-1)}`);
  await expect(page.getByRole("textbox", { name: t.chat.write })).toBeVisible();
  await shoot("chat-empty");
  await openAsMember(visitor, member, `/dm/${matched[0]}`);
  const bubble = page.getByRole("log").locator("p").last();
  await bubble.click({ button: "right" });
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await shoot("chat-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: t.chat.more }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await shoot("chat-options");
  await page.keyboard.press("Escape");
  await chooseInChat(visitor, t.chat.report);
  await shoot("chat-report");
  await page.keyboard.press("Escape");
  await openAsMember(visitor, member, `/dm/${matched[0]}`);
  await bubble.click({ button: "right" });
  await page.getByRole("menuitem", { name: t.chat.reply }).click();
  await shoot("chat-reply");
}

async function profiles({ visitor, member, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  visitor.allowError(/status of 404/);
  const { options } = await member.call(getOptions, {});
  await openAsMember(visitor, member, `/home/${options[0]!.user_id}`);
  await expect(page.getByRole("button", { name: t.home.like })).toBeVisible();
  await shoot("profile-to-judge");
  await chooseFromMore(visitor, "block");
  await expect(page.getByRole("dialog")).toBeVisible();
  await shoot("block");
  await page.keyboard.press("Escape");
  await openAsMember(visitor, member, "/home/nobody_by_that_id");
  await expect(page.getByRole("heading").first()).toBeVisible();
  await shoot("profile-missing");
}

async function settingSheets({ visitor, member, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await openAsMember(visitor, member, "/setting/profile");
  await page.getByLabel(t.profileForm.hobby).fill("…");
  await page.getByRole("button", { name: t.settings.save, exact: true }).scrollIntoViewIfNeeded();
  await shoot("profile-unsaved");
  page.on("dialog", (leaving) => void leaving.accept());
  await openAsMember(visitor, member, "/setting/profile");
  await choosePicture(visitor, mouse);
  await expect(page.getByRole("dialog", { name: t.crop.title })).toBeVisible();
  await shoot("crop");
  await openAsMember(visitor, member, "/setting");
  await page.getByRole("button", { name: t.settings.logout }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await shoot("logout");
}

async function lockAndCover({ visitor, member, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  await openAsMember(visitor, member, "/setting/pin");
  await page.getByLabel(t.privacy.pin, { exact: true }).fill(PIN);
  await page.getByLabel(t.privacy.pinAgain).fill(PIN);
  await page.getByRole("button", { name: t.privacy.setPin }).click();
  await expect(page.getByText(t.privacy.pinSet)).toBeVisible();
  await shoot("pin-set");
  await page.reload();
  await expect(page.getByLabel(t.privacy.pin, { exact: true })).toBeVisible();
  await shoot("lock");
  await page.getByLabel(t.privacy.pin, { exact: true }).fill("0000");
  await expect(page.getByLabel(t.privacy.pin, { exact: true })).toHaveAttribute("aria-invalid", "true");
  await shoot("lock-wrong");
  await page.evaluate(() => localStorage.clear());
}

async function errors({ visitor, member, shoot }: Stage): Promise<void> {
  const { page, t } = visitor;
  visitor.allowError(/status of 500/);
  await page.route("**/users/api/blocks", (route) =>
    route.fulfill({ status: 500, json: { code: "fault", error_message: t.errors.fault } }),
  );
  await openAsMember(visitor, member, "/setting/blocks");
  await expect(heading(visitor, t.errorScreen.title)).toBeVisible();
  await shoot("error");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route("**/users/api/never-see", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, json: { code: "fault", error_message: t.errors.fault } })
      : route.fallback(),
  );
  await openAsMember(visitor, member, "/setting/never-see");
  await page.getByLabel(t.neverSee.who).fill("someone@example.com");
  await page.getByRole("button", { name: t.neverSee.add, exact: true }).click();
  await page.getByRole("button", { name: t.neverSee.confirm }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await shoot("banner-alert");
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** States that a path alone does not show. */
export const states: readonly Story[] = [
  { name: "state-home", sheet: "states", tell: emptyHome },
  { name: "state-profiles", sheet: "states", tell: profiles },
  { name: "state-chat", sheet: "states", tell: chatStates },
  { name: "state-offline", sheet: "states", tell: offline },
  { name: "state-settings", sheet: "states", tell: settingSheets },
  { name: "state-errors", sheet: "states", tell: errors },
  { name: "state-lock", sheet: "states", tell: lockAndCover },
  { name: "state-position", sheet: "states", tell: position },
];
