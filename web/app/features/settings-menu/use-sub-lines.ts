import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { useRangeTexts } from "../../lib/texts/range-texts.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { useLock } from "../../lib/session/lock.ts";
import { usePrivacySettings } from "../../lib/session/privacy-settings.ts";
import { useArrivalText } from "./arrival-text.ts";
import type { Summary } from "./summary.ts";

const MINUTE_MS = 60_000;
const SEX_WORDS = { female: "women", male: "men", all: "everyone" } as const;

const HELP_LINES = { nobody: "lineNone", me: "lineAsked", operator: "lineAnswered" } as const;

/** The present value of each setting; empty until it is known. */
export function useSubLines(summary: Summary | null) {
  const t = useTranslations("settings");
  const tp = useTranslations("privacy");
  const help = useTranslations("help");
  const somethingNew = useTranslations("shell")("somethingNew");
  const ta = useTranslations("ageCheck");
  const tn = useTranslations("ownNotes");
  const visibility = useVisibilityLine();
  const arrivalText = useArrivalText();
  const filter = useFilterLine();
  const status = useStatusLine();
  const { isSet, afterMs } = useLock();
  const { hidesWhenLeft, idleMinutes } = usePrivacySettings();
  const user = summary?.user;
  const number = (
    count: number | null | undefined,
    key: "likesLine" | "blocksLine" | "neverSeeLine" | "purchasesLine",
  ) => (count == null ? "" : t(key, { count }));
  const lockAfter = tp("minutes", { minutes: String(afterMs / MINUTE_MS) });

  return {
    profile: t("profileLine"),
    notes: user ? tn("count", { count: user.posts.filter(({ kind }) => kind === "note").length }) : "",
    filter: user ? filter(user) : "",
    arrival: user ? (user.arrival ? arrivalText(user.arrival) : t("arrivalNone")) : "",
    preview: t("previewLine"),
    device: [
      t(hidesWhenLeft ? "deviceHides" : "deviceShows"),
      ...(idleMinutes === 0
        ? []
        : [t("deviceLogsOut", { time: tp(`idle_${idleMinutes as 15 | 60 | 1440}`) })]),
    ].join(" · "),
    pin: isSet ? (afterMs === 0 ? t("pinAtOnce") : t("pinAfter", { time: lockAfter })) : t("off"),
    visibility: user ? visibility(user) : "",
    likes: number(summary?.liked, "likesLine"),
    blocks: number(summary?.blocked, "blocksLine"),
    neverSee: number(summary?.neverSee, "neverSeeLine"),
    notices: summary?.hasNewNotices ? somethingNew : t("noticesLine"),
    reading: summary?.chat
      ? t("readingLine", {
          receipts: summary.chat.shows_reading ? "yes" : "no",
          typing: summary.chat.shows_typing ? "yes" : "no",
        })
      : "",
    area: user ? tp(`place_${user.location_precision}`) : "",
    password: user ? t(user.has_password ? "passwordSet" : "passwordNone") : "",
    passkeys:
      summary?.passkeys == null
        ? ""
        : summary.passkeys === 0
          ? t("passkeysNone")
          : t("passkeysLine", { count: summary.passkeys }),
    devices: summary?.sessions == null ? "" : t("devicesLine", { count: String(summary.sessions) }),
    email: user ? user.email || t("emailNone") : "",
    notifications:
      summary?.isNotified == null ? "" : t(summary.isNotified ? "notificationsOn" : "notificationsOff"),
    ageCheck: user ? ta(user.age_checked ? "lineApproved" : "lineMissing") : "",
    corrections: t("correctionsLine"),
    export: t("exportLine"),
    help: summary?.help ? help(HELP_LINES[summary.help]) : "",
    status: user ? status(user) : "",
    purchases: number(summary?.orders, "purchasesLine"),
    brokerage: user ? t("brokerageLine", { percent: String(user.brokerage_fee_percentage) }) : "",
  };
}

function useFilterLine(): (user: User) => string {
  const t = useTranslations("profileForm");
  const { ageText, distanceText } = useRangeTexts();
  return (user) => {
    const parts = [
      t(SEX_WORDS[user.search_sex]),
      ageText(user.search_min_age, user.search_max_age),
      distanceText(user.search_min_range, user.search_max_range, user.search_range_unit),
    ];
    return [...new Set(parts)].join(" · "); // some languages have one word for "any"
  };
}

function useVisibilityLine(): (user: User) => string {
  const t = useTranslations("visibility");
  return ({ paused, paused_until: until, only_liked: isOnlyLiked }) => {
    if (paused) return until ? t("linePausedUntil", { day: until.replaceAll("-", "/") }) : t("linePaused");
    return t(isOnlyLiked ? "lineOnlyLiked" : "lineAll");
  };
}

function useStatusLine(): (user: User) => string {
  const t = useTranslations("settings");
  return ({ status, paid_account_expired_at: until }) =>
    status === "paid" && until ? t("statusPaid", { day: dayText(new Date(until)) }) : t("statusFree");
}
