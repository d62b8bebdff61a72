import { expect, test } from "vitest";
import { findWarning } from "./find-warning.ts";
import points from "./points.json" with { type: "json" };
import { learnPoints, readMessages } from "./tests/learn-points.ts";

/** The scams after these come in later weeks, without the rules for links and other apps. */
const EARLY_SCAMS = 50;

test.each(["en", "ja", "zh-hans", "zh-hant"])(
  "warns of scams and not of honest messages in %s",
  (language) => {
    for (const part of ["author", "kept-apart"]) {
      const { scam, honest } = readMessages(part, language);
      const warned = scam.filter((text, i) => findWarning(text, i < EARLY_SCAMS) !== null);
      const disturbed = honest.filter((text) => findWarning(text, true) !== null);

      expect([scam.length, honest.length]).toEqual([100, 100]);
      expect(warned.length, `scams of ${part}`).toBeGreaterThanOrEqual(80);
      expect(disturbed.length, `honest messages of ${part}`).toBeLessThanOrEqual(2);
    }
  },
);

test("has the points that the practice messages give", () => {
  expect(points).toEqual(learnPoints());
});

test.each([
  ["Please send me 500 dollars by Western Union, I will pay you back.", "money"],
  ["スチームのギフトカードを買って、裏のコードを送ってくれる?", "gift"],
  ["不给钱的话,我就把聊天记录发给你老婆。", "threat"],
])("warns in all messages of %s", (text, kind) => {
  expect([findWarning(text, true), findWarning(text, false)]).toEqual([kind, kind]);
});

test.each([
  ["I never open this app. Add me on WhatsApp, my number is +44 7700 900123.", "move"],
  ["加個LINE聊好嗎?我的ID是 lily8866。", "move"],
  ["I put my private photos here, sign up: https://sweet-page.xyz/anna", "link"],
])("warns only in the first messages of %s", (text, kind) => {
  expect([findWarning(text, true), findWarning(text, false)]).toEqual([kind, null]);
});

test("reads styled, wide and invisible characters as plain ones", () => {
  expect(findWarning("Ｂuy me a 𝐒𝐭𝐞𝐚𝐦 g\u200bift card and send me the code", false)).toBe("gift");
});
