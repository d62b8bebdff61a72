import { expect } from "@playwright/test";
import { openAsMember } from "../actions/open-as-member.ts";
import { MEMBER_PATHS, PUBLIC_PATHS } from "../fixtures/paths.ts";
import { operatorConsole } from "./operator-console.ts";
import { button, type Stage, type Story } from "./stage.ts";
import { states } from "./states.ts";
import { visitorStories } from "./visitor-stories.ts";

/** Paid members see something else there. */
const UNPAID_PATHS = ["/upgrade-account", "/purchase-history"];

const nameOf = (path: string) => path.replace(/\?.*/, "").slice(1).replaceAll("/", "-") || "landing";

/** A page by its path: as a visitor, or after the login. */
function page(path: string, sheet: string, isMain = false): Story {
  const isMember = MEMBER_PATHS.includes(path);
  return {
    name: nameOf(path),
    sheet,
    isMain,
    async tell({ visitor, member, newcomer, shoot }) {
      const viewer = UNPAID_PATHS.includes(path) ? newcomer : member;
      await (isMember ? openAsMember(visitor, viewer, path) : visitor.open(path));
      await shoot(nameOf(path));
    },
  };
}

async function card({ visitor, member, shoot }: Stage): Promise<void> {
  const { t } = visitor;
  await openAsMember(visitor, member, "");
  await expect(button(visitor, t.home.like)).toBeEnabled();
  await shoot("home");
  await button(visitor, t.home.more).click();
  await expect(visitor.page.getByRole("menuitem").first()).toBeVisible();
  await shoot("home-menu");
  await visitor.page.keyboard.press("Escape");
  await button(visitor, t.home.pass).click();
  await expect(button(visitor, t.home.undo)).toBeVisible();
  await shoot("home-passed");
}

/** Likes cards until both a like without and one with a match have been shown. */
async function likes({ visitor, member, shoot }: Stage): Promise<void> {
  const { page: screen, t } = visitor;
  await openAsMember(visitor, member, "");
  const matched = screen.getByRole("dialog", { name: t.matchNotice.title });
  const missing = new Set(["home-liked", "matched"]);
  for (let count = 0; count < 15 && missing.size > 0; count++) {
    await button(visitor, t.home.like).click();
    const isMatch = await matched.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    const name = isMatch ? "matched" : "home-liked";
    if (missing.delete(name)) await shoot(name);
    if (isMatch) await button(visitor, t.matchNotice.keepLooking).click();
  }
}

async function profile({ visitor, member, matched, shoot }: Stage): Promise<void> {
  await openAsMember(visitor, member, `/home/${matched[0]}`);
  await expect(visitor.page.getByRole("heading", { level: 1 })).toBeVisible();
  await shoot("profile");
  await button(visitor, visitor.t.profile.enlarge).click();
  await expect(visitor.page.getByRole("dialog")).toBeVisible();
  await shoot("slideshow");
}

async function chat({ visitor, member, matched, shoot }: Stage): Promise<void> {
  await openAsMember(visitor, member, `/dm/${matched[0]}`);
  await expect(visitor.page.getByRole("log").locator("p").first()).toBeVisible();
  await shoot("chat");
}

async function layers({ visitor, member, shoot }: Stage): Promise<void> {
  await openAsMember(visitor, member, "/dm");
  await button(visitor, visitor.t.shell.language).click();
  await shoot("language");
  await openAsMember(visitor, member, "/dm");
  await button(visitor, visitor.t.shell.hide).click();
  await shoot("hidden");
}

function sheetOf(memberPath: string): string {
  if (memberPath === "/dm") return "member";
  return memberPath.startsWith("/setting") ? "settings" : "membership";
}

export const stories: readonly Story[] = [
  page("", "public", true),
  ...PUBLIC_PATHS.filter((path) => path !== "" && !path.startsWith("/unsubscribe")).map((path) =>
    page(path, "public"),
  ),
  ...visitorStories,
  { name: "home", sheet: "member", isMain: true, tell: card },
  { name: "profile", sheet: "member", isMain: true, tell: profile },
  { name: "chat", sheet: "member", isMain: true, tell: chat },
  { name: "likes", sheet: "member", tell: likes },
  ...MEMBER_PATHS.map((path) => page(path, sheetOf(path), path === "/upgrade-account")),
  { name: "layers", sheet: "member", tell: layers },
  ...states,
  { name: "console", sheet: "console", tell: operatorConsole },
];
