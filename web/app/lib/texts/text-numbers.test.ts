import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  ADULT_AGE,
  BANK_ORDERS_OPEN,
  BLOCKS_MAX,
  DISTANCE_BANDS,
  IMAGE_MAX_BYTES,
  IMAGE_MAX_MEGAPIXELS,
  IMAGE_MAX_RATIO,
  KNOWN_DEVICE_DAYS,
  MAILBOX_REQUESTS,
  NEVER_SEE,
  PASSWORD,
  PICTURES_MAX,
  PLACE_RADIUS_KM,
  PLAN,
  SMALLEST_BAND,
  TRANSFER_MIN_CENTS,
  USER_ID,
  VOICE,
} from "@alcove/contract/limits";
import { RETENTION } from "@alcove/contract/retention";
import { languages, type Language } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { wordsOf } from "../../../../i18n/check-translations.ts";
import { flatten } from "../../../../i18n/flatten.ts";

const SHARED_MINUTES = numberIn("web/app/lib/session/privacy-settings.ts", /TAB_ONLY_MINUTES = (\d+)/);
const DISTANCE_CHANGES = numberIn(
  "server/src/profiles/filter.ts",
  /"distance_filter_changes",\n {2}max: (\d+)/,
);
const LOCK = "web/app/lib/session/pin-lock.ts";
const PIN_LENGTHS = [numberIn(LOCK, /PIN = .*\{(\d+),/), numberIn(LOCK, /PIN = .*,(\d+)\}/)];
const REPEATS = "server/src/platform/http/repeats.ts";
const KEY_LENGTHS = [numberIn(REPEATS, /KEY = .*\{(\d+),/), numberIn(REPEATS, /KEY = .*,(\d+)\}/)];
const NOTICES = "server/src/notices/notices.ts";
const NOTICE_TIMES = [numberIn(NOTICES, /INTIMATE_HOURS = (\d+)/), numberIn(NOTICES, /OTHER_HOURS = (\d+)/)];
const CELL_KM2 = 5;
const transferUsd = TRANSFER_MIN_CENTS / 100;
const userId = [USER_ID.min, USER_ID.max];

/** The numbers that a text states itself, instead of taking them as arguments. */
const STATED: Record<string, readonly number[]> = {
  "chat.unsendText": [RETENTION.unsentMessageHours],
  "emails.mailboxFull": [RETENTION.formerAccountDays],
  "errors.bank_orders_open": [BANK_ORDERS_OPEN],
  "errors.distance_changes_used_up": [DISTANCE_CHANGES],
  "errors.idempotency_key_invalid": KEY_LENGTHS,
  "errors.never_see_too_new": [NEVER_SEE.undoMinutes, NEVER_SEE.minDays],
  "errors.pictures_full": [PICTURES_MAX],
  "errors.transfer_too_small": [transferUsd],
  "errors.voice_too_long": [VOICE.maxSeconds],
  "fields.plan_too_long": [PLAN.maxYears],
  "fields.image_too_large": [IMAGE_MAX_BYTES / 1024 / 1024],
  "fields.image_too_long": [IMAGE_MAX_RATIO],
  "fields.image_too_many_pixels": [IMAGE_MAX_MEGAPIXELS],
  "fields.inches_too_big": [0, 11],
  "fields.password_length": [PASSWORD.min, PASSWORD.max],
  "fields.too_many_blocks": [BLOCKS_MAX],
  "fields.too_young": [ADULT_AGE],
  "fields.user_id_length": userId,
  "howItWorks.declared": [ADULT_AGE],
  "pricing.month": [1],
  "pricing.year": [1],
  "emails.newAddressConfirmLife": [1],
  "fields.device_too_new": [KNOWN_DEVICE_DAYS],
  "hiddenAreas.text": [RETENTION.leftPlaceDays],
  "lostEmail.after": [MAILBOX_REQUESTS.days, MAILBOX_REQUESTS.tellings],
  "lostEmail.later": [MAILBOX_REQUESTS.days],
  "location.area": [CELL_KM2],
  "location.coarse": [CELL_KM2],
  "login.sharedHint": [SHARED_MINUTES],
  "messages.goodbyeText": [RETENTION.hiddenConversationDays],
  "notice.afterTime": NOTICE_TIMES,
  "ownEmail.notice": [RETENTION.heldEmailDays],
  "ownEmail.othersReadLater": [KNOWN_DEVICE_DAYS],
  "profileForm.distanceSteps": DISTANCE_BANDS.filter((band) => band >= SMALLEST_BAND.dealt && band <= 500),
  "privacy.idleShared": [SHARED_MINUTES],
  "privacy.idleWarning": [1],
  "privacy.idle_15": [15],
  "privacy.idle_60": [1],
  "privacy.idle_1440": [1],
  "privacy.pinHint": PIN_LENGTHS,
  "privacy.pinInvalid": PIN_LENGTHS,
  "privacy.placeText": [PLACE_RADIUS_KM],
  "privacy.place_cell": [2],
  "privacy.place_town": [6],
  "privacy.place_region": [16],
  "referral.tooLittle": [transferUsd],
  "safety.endedHint": [RETENTION.leftMessageDays],
  "safety.reason_underage": [ADULT_AGE],
  "safety.textMatch": [RETENTION.hiddenConversationDays],
  "threat.nowKept": [RETENTION.leftMessageDays],
  "threat.askServiceText": [RETENTION.leftMessageDays, RETENTION.caseDays],
  "threat.danger": [110, 112, 911],
  "ageCheck.lead": [ADULT_AGE],
  "ageCheck.minors": [ADULT_AGE],
  "signUp.agreeTerms": [ADULT_AGE],
  "signUp.passwordHint": [PASSWORD.min],
  "signUp.userIdHint": userId,
};
/** The cover shows somebody's notes. */
const INVENTED = /^privacyScreen\./;
/** Quotas of the server in words. */
const QUOTA: Record<Language, RegExp> = {
  en: /\b(?:one|single|fifty) (?:card|like)s?\b/i,
  ja: /カード(?:を|が|は)?[1一]枚|[1一]枚のカード/,
  "zh-hans": /(?<!下)一张卡片/,
  "zh-hant": /(?<!下)一張卡片/,
};

function numberIn(path: string, pattern: RegExp): number {
  const number = pattern.exec(readFileSync(join(import.meta.dirname, "../../../..", path), "utf8"))?.[1];
  if (number === undefined) throw new Error(`${path} has no ${pattern}`);
  return Number(number);
}

/** Japanese counts with digits where the other languages have words, as in 「1行に1件」 and 「3か月」. */
const isCounter = (language: Language, number: number) => language === "ja" && number <= 2;

test.each(languages)("states only limits of the code, and no quota of the server, in %s", (language) => {
  const texts = [...flatten(allTranslations[language])].filter(([key]) => !INVENTED.test(key));

  for (const [key, text] of texts) {
    const words = wordsOf(text);
    const numbers = (words.match(/\d+(?!\d*か月)/g) ?? []).map(Number);
    const stated = STATED[key] ?? [];
    const others = numbers.filter((number) => !stated.includes(number) && !isCounter(language, number));
    expect(others, `${language}: ${key}`).toEqual([]);
    if (numbers.some((number) => stated.includes(number)))
      expect(numbers, `${language}: ${key}`).toEqual(expect.arrayContaining([...stated]));
    expect(words, `${language}: ${key}`).not.toMatch(QUOTA[language]);
  }
});

test("lists no text that has lost its number", () => {
  const keys = languages.flatMap((language) =>
    [...flatten(allTranslations[language])].filter(([, text]) => /\d/.test(text)).map(([key]) => key),
  );

  expect(Object.keys(STATED).filter((key) => !keys.includes(key))).toEqual([]);
});
