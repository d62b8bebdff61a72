import { setTimeout } from "node:timers/promises";
import { getOptions, likeUser, saveLocation, passUser } from "@alcove/contract/discovery";
import { getDms, getLastDms, sendDm } from "@alcove/contract/messaging";
import { saveProfile } from "@alcove/contract/profiles";
import type { Language } from "@alcove/i18n";
import { signUp, type SignedUpMember } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";
import type { FakePayPal } from "@alcove/test-services/paypal";
import { buyYear } from "../actions/buy-membership.ts";
import type { Place } from "../fixtures/places.ts";

const SAMPLE_MEMBERS_MS = 120_000;
const MATCHES = 4;
const NEAR_KM = 10;
/** A full list of candidates: by then most sample members have moved in. */
const READY_OPTIONS = 10;

interface Person {
  readonly userId: string;
  readonly username: string;
  /** Far apart, so that each lives among people of the same language. */
  readonly home: Place;
  readonly description: string;
  readonly lines: readonly string[];
}

export const people: Record<Language, Person> = {
  en: {
    home: [-0.12, 51.5],
    userId: "adrian83",
    username: "Adrian",
    description: "Cellist in a small orchestra, walker of old towns. I like letters that arrive slowly.",
    lines: ["Did you get home before the rain?", "That table by the window is still my favourite."],
  },
  ja: {
    home: [139.7, 35.68],
    userId: "adrian_ja",
    username: "涼",
    description: "小さな楽団でチェロを弾いています。古い町を歩くことと、ゆっくり届く手紙が好きです。",
    lines: ["雨の前に帰れましたか。", "窓際のあの席、やっぱり一番好きです。"],
  },
  "zh-hans": {
    home: [103.85, 1.3],
    userId: "adrian_hans",
    username: "志远",
    description: "在一个小乐团拉大提琴。喜欢走老城的小路，也喜欢慢慢到来的信。",
    lines: ["下雨前到家了吗？", "窗边那张桌子，还是我最喜欢的。"],
  },
  "zh-hant": {
    home: [121.56, 25.04],
    userId: "adrian_hant",
    username: "志遠",
    description: "在一個小樂團拉大提琴。喜歡走老城的小路，也喜歡慢慢到來的信。",
    lines: ["下雨前到家了嗎？", "窗邊那張桌子，還是我最喜歡的。"],
  },
};

export interface Settled {
  /** Has paid, to look at many people a day. */
  readonly member: SignedUpMember;
  /** Has not paid. */
  readonly newcomer: SignedUpMember;
  /** Matched members: with a conversation first. */
  readonly matched: readonly string[];
}

const settledBy = new Map<Language, Promise<Settled>>();

/** Signs up two members. One has not paid. The other has paid and has matches, a conversation and a portrait. */
export function settle(
  url: string,
  mailbox: Mailbox,
  paypal: FakePayPal,
  language: Language,
): Promise<Settled> {
  const known = settledBy.get(language);
  if (known) return known;
  const settled = settleNew(url, mailbox, paypal, language);
  settledBy.set(language, settled);
  return settled;
}

async function settleNew(
  url: string,
  mailbox: Mailbox,
  paypal: FakePayPal,
  language: Language,
): Promise<Settled> {
  const { lines, home, userId, ...profile } = people[language];
  const form = signUpForm(userId, { ...profile, sex: "male", date_of_birth: "1980-04-18", tall: 178 });
  const member = await signUp(url, mailbox, form, language);
  const newcomer = await signUp(
    url,
    mailbox,
    signUpForm(`${userId}_new`, { ...profile, sex: "male" }),
    language,
  );
  await newcomer.call(saveLocation, { location: home.join(",") });
  await buyYear(paypal, member, language === "ja" ? "JPY" : "USD");
  await member.call(saveLocation, { location: home.join(",") });
  // Their picture is not drawn.
  await member.call(passUser, { unlikedId: newcomer.userId });
  const model = await until(async () => {
    const { options } = await member.call(getOptions, {});
    return options.length === READY_OPTIONS ? options.at(-1) : undefined;
  });
  for (const wearer of [member, newcomer]) await wearPortrait(wearer, await member.fetch(model.icon));
  // Their portrait is taken.
  await member.call(passUser, { unlikedId: model.user_id });

  const matched = await until(async () => {
    const { options } = await member.call(getOptions, {});
    const { matches } = await member.call(getLastDms, {});
    if (matches.length >= MATCHES) return matches.map(({ user_id }) => user_id);
    // Those who speak the same language live nearest.
    const near = options.find(({ distance }) => distance !== null && distance <= NEAR_KM);
    if (near) await member.call(likeUser, { likedId: near.user_id });
    else if (options[0]) await member.call(passUser, { unlikedId: options[0].user_id });
    return undefined;
  });
  for (const friendId of matched.slice(0, 2)) {
    for (const [index, description] of lines.entries()) {
      await member.call(sendDm, { receiverId: friendId, description });
      await until(async () => {
        const { dms } = await member.call(getDms, { friendId });
        return dms.length > 2 * index + 1 ? dms : undefined;
      });
    }
  }
  return { member, newcomer, matched };
}

async function wearPortrait(wearer: SignedUpMember, portrait: Response) {
  const picture = await portrait.blob();
  await wearer.call(saveProfile, {
    icon: new File([picture], "icon.webp", { type: picture.type }),
    icon_process: false,
  });
}

async function until<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  const end = performance.now() + SAMPLE_MEMBERS_MS;
  for (;;) {
    const result = await read();
    if (result !== undefined) return result;
    if (performance.now() > end) throw new Error("the sample members did not respond in time");
    await setTimeout(500);
  }
}
