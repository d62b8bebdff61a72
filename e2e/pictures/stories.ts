import { expect } from "@playwright/test";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";
import { mouse } from "../actions/input-method.ts";
import { openAsMember } from "../actions/open-as-member.ts";
import {
  choosePicture,
  cropPicture,
  enterCode,
  fillInAbout,
  fillInSignIn,
  goOn,
  requestCode,
} from "../actions/sign-up.ts";
import { MEMBER_PATHS, PUBLIC_PATHS } from "../fixtures/paths.ts";
import type { Visitor } from "../fixtures/visitor.ts";
import type { Settled } from "./member.ts";

interface Stage extends Settled {
  readonly visitor: Visitor;
  readonly mailbox: Mailbox;
  /** Saves a picture of the present screen. */
  shoot(name: string): Promise<void>;
}

interface Story {
  readonly name: string;
  /** The picture on which its screens stand. */
  readonly sheet: string;
  /** Shown in every view, the others in two. */
  readonly isMain?: boolean;
  tell(stage: Stage): Promise<void>;
}

const nameOf = (path: string) => path.replace(/\?.*/, "").slice(1).replaceAll("/", "-") || "landing";
const button = ({ page }: Visitor, name: string) => page.getByRole("button", { name }).first();

/** A page by its path: as a visitor, or after the login. */
function page(path: string, sheet: string, isMain = false): Story {
  const isMember = MEMBER_PATHS.includes(path);
  return {
    name: nameOf(path),
    sheet,
    isMain,
    async tell({ visitor, member, shoot }) {
      await (isMember ? openAsMember(visitor, member, path) : visitor.open(path));
      await shoot(nameOf(path));
    },
  };
}

let newUsers = 0;

async function signUp({ visitor, mailbox, shoot }: Stage): Promise<void> {
  const form = signUpForm(`new_member_${++newUsers}`, { username: "Adrian", sex: "male" });
  const user = { ...form, date_of_birth: "1980-04-18" };
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await shoot("sign-up-code");
  await enterCode(visitor, mouse, mailbox, user.email);
  await choosePicture(visitor, mouse);
  await cropPicture(visitor, mouse);
  await shoot("sign-up-picture");
  await goOn(visitor, mouse, "signInTitle");
  await fillInSignIn(visitor, mouse, user);
  await shoot("sign-up-login");
  await goOn(visitor, mouse, "aboutTitle");
  await fillInAbout(visitor, mouse, user);
  await shoot("sign-up-about-you");
  await goOn(visitor, mouse, "meetTitle");
  await shoot("sign-up-meet");
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
  ...PUBLIC_PATHS.filter((path) => !path.startsWith("/unsubscribe")).map((path) => page(path, "public")),
  { name: "sign-up-pages", sheet: "sign-up", tell: signUp },
  { name: "home", sheet: "member", isMain: true, tell: card },
  { name: "profile", sheet: "member", isMain: true, tell: profile },
  { name: "chat", sheet: "member", isMain: true, tell: chat },
  { name: "likes", sheet: "member", tell: likes },
  ...MEMBER_PATHS.map((path) => page(path, sheetOf(path), path === "/upgrade-account")),
  { name: "layers", sheet: "member", tell: layers },
];
