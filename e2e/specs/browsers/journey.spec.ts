import type { BrowserContext } from "@playwright/test";
import { likeUser } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { signUpForm } from "@alcove/test-services/fixtures";
import { message, sendMessage } from "../../actions/chat-actions.ts";
import { mouse } from "../../actions/input-method.ts";
import {
  blockStorage,
  holdSockets,
  removeNewerFunctions,
  shiftClock,
} from "../../actions/limited-browsers.ts";
import { sharePosition } from "../../actions/open-as-member.ts";
import { completeSignUp, logInOnScreen } from "../../actions/sign-up.ts";
import { northOf } from "../../fixtures/places.ts";
import { expect, test } from "../../fixtures/test.ts";

test.setTimeout(180_000);

interface Condition {
  readonly name: string;
  readonly limit: (context: BrowserContext) => Promise<void>;
  /** Errors of libraries that the condition explains. */
  readonly allowed?: RegExp;
  readonly tag?: "@long";
}

const CONDITIONS: Record<string, Condition> = {
  oldest: { name: "in the oldest supported browsers", limit: removeNewerFunctions },
  storage: {
    name: "where storage is blocked",
    limit: blockStorage,
    allowed: /Access is denied/,
    tag: "@long",
  },
  sockets: { name: "while no socket opens", limit: holdSockets, tag: "@long" },
  behind: {
    name: "with a clock that is a day behind",
    limit: async (context) => shiftClock(context, -26),
    tag: "@long",
  },
  ahead: {
    name: "with a clock that is a day ahead",
    limit: async (context) => shiftClock(context, 26),
    tag: "@long",
  },
};

for (const [id, { name, limit, allowed, tag = [] }] of Object.entries(CONDITIONS))
  test(
    `leads from the landing to the first message ${name}`,
    { tag },
    async ({ visit, member, mailbox, place }) => {
      const hanako = await member(`hanako-${id}`, { username: "Hanako", at: northOf(place, 9) });
      const taro = signUpForm(`taro-${id}`, { username: "Taro", sex: "male", description: "Paper herons." });
      const visitor = await visit({ at: place });
      const { page, context, t } = visitor;
      if (allowed) visitor.allowError(allowed);
      await limit(context);

      await visitor.open("");
      await page.getByRole("link", { name: t.login.createAccount }).click();
      await completeSignUp(visitor, mouse, mailbox, taro);
      await logInOnScreen(visitor, mouse, taro);
      await sharePosition(visitor, mouse);
      await expect(page.getByRole("article", { name: "Hanako" })).toBeVisible();
      await hanako.call(likeUser, { likedId: taro.userId });
      await page.getByRole("button", { name: t.home.like }).click();
      await page
        .getByRole("dialog", { name: t.matchNotice.title })
        .getByRole("button", { name: t.matchNotice.write })
        .click();
      await sendMessage(visitor, mouse, "Good evening! https://example.com/heron");
      await expect
        .poll(async () =>
          (await hanako.call(getDms, { friendId: taro.userId })).dms.map((dm) => dm.description),
        )
        .toEqual(["Good evening! https://example.com/heron"]);
      await hanako.call(sendDm, { receiverId: taro.userId, description: "はじめまして。" });

      await expect(message(visitor, "はじめまして。")).toBeVisible({ timeout: 30_000 });
      if (id === "sockets") await expect(page.getByText(t.chat.late)).toBeVisible();
    },
  );
