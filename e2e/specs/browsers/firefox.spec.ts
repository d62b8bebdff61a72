import { join } from "node:path";
import { likeUser } from "@alcove/contract/discovery";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { signUpForm } from "@alcove/test-services/fixtures";
import { type FirefoxVisitor, openFirefox } from "../../fixtures/firefox.ts";
import { drawPicture } from "../../fixtures/pictures.ts";
import { northOf } from "../../fixtures/places.ts";
import { expect, test as base } from "../../fixtures/test.ts";
import { formatText, translationsOf } from "../../fixtures/translations.ts";

const test = base.extend<{ firefox: FirefoxVisitor }>({
  async firefox({ place }, use) {
    const firefox = await openFirefox("en", place);
    await use(firefox);
    await firefox.close();
    expect(firefox.errors).toEqual([]);
  },
});

test.setTimeout(180_000);

const t = translationsOf("en");
const TARO = signUpForm("taro-firefox", {
  username: "Taro",
  sex: "male",
  description: "I fold paper herons.",
});

async function signUp(firefox: FirefoxVisitor, codeOf: () => Promise<string>, folder: string): Promise<void> {
  await firefox.type(t.codes.email, TARO.email);
  await firefox.press("field", formatText(t.signUp.agreePrivacy));
  await firefox.press("field", formatText(t.signUp.agreeTerms));
  await firefox.press("button", t.codes.send);
  await firefox.sees("heading", t.codes.title);
  await firefox.type(t.codes.code, await codeOf());
  await firefox.sees("heading", t.signUp.pictureTitle);
  const picture = drawPicture([180, 70, 90], [240, 210, 180]);
  await firefox.attach("input[data-field=icon]", join(folder, "firefox.png"), picture);
  await firefox.press("button", t.crop.zoomIn);
  await firefox.press("button", t.crop.confirm);
  await firefox.press("button", t.signUp.continue);
  await firefox.type(t.signUp.userId, TARO.userId);
  await firefox.type(t.signUp.password, TARO.password);
  await firefox.type(t.signUp.passwordAgain, TARO.password);
  await firefox.press("button", t.signUp.continue);
  await firefox.type(t.profileForm.username, TARO.username);
  await firefox.press("field", t.profileForm.male);
  const [year, month, day] = TARO.date_of_birth.split("-").map(Number);
  const monthName = new Intl.DateTimeFormat("en", { month: "long" }).format(new Date(year!, month! - 1));
  await firefox.choose(t.profileForm.day, String(day));
  await firefox.choose(t.profileForm.month, monthName);
  await firefox.choose(t.profileForm.year, String(year));
  await firefox.type(t.profileForm.description, TARO.description);
  await firefox.press("button", t.signUp.continue);
  await firefox.press("field", t.profileForm.everyone);
  await firefox.press("button", t.signUp.create);
}

test(
  "leads from the landing to a match, a chat and a purchase in Firefox",
  { tag: "@long" },
  async ({ server, mailbox, member, place, dataDir, firefox }) => {
    const hanako = await member("hanako-firefox", { username: "Hanako", at: northOf(place, 9) });
    const { page, press, type, sees, reads } = firefox;

    await page.goto(`${server.url}/en`);
    await press("link", t.login.createAccount);
    await sees("heading", t.signUp.title);
    await signUp(firefox, async () => (await mailbox.waitForEmail(TARO.email)).code!, dataDir);
    await reads(t.signUp.done);
    await type(t.login.password, TARO.password);
    await press("button", t.login.logIn);

    await hanako.call(likeUser, { likedId: TARO.userId });
    await sees("dialog", t.location.title); // it covers a button of the same name
    await press("button", t.location.allow);
    await sees("heading", "Hanako");
    await press("button", t.home.like);
    await press("button", t.matchNotice.write);
    await type(t.chat.write, "Good evening! 🦊");
    await press("button", t.chat.send);
    await reads("Good evening! 🦊");
    await hanako.call(sendDm, { receiverId: TARO.userId, description: "はじめまして。" });
    await reads("はじめまして。");
    await press("button", t.voice.record);
    await page.waitForFunction(() => /\b0:0[2-9]/.test(document.body.innerText));
    await press("button", t.voice.stop);
    await press("button", t.voice.play);
    await press("button", t.voice.play);
    await sees("button", t.voice.pause);
    await press("button", t.voice.send);
    const noteSeconds = async () =>
      (await hanako.call(getDms, { friendId: TARO.userId })).dms.at(-1)?.voice_seconds ?? 0;
    await expect.poll(noteSeconds).toBeGreaterThan(1);
    await sees("button", t.voice.play);
    await page.goto(`${server.url}/en/home/${hanako.userId}`);
    await sees("heading", "Hanako");

    await page.goto(`${server.url}/en/upgrade-account`);
    await press("button", t.membership.pay);
    await sees("heading", "Payment sandbox");
    await press("button", "Approve");
    await sees("heading", t.membership.thanks);
  },
);
