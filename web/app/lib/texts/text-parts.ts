/** Texts that only some screens load, as namespaces. All other namespaces are in `base`, which every screen loads. */
const TEXT_PARTS = {
  member: [
    "home",
    "evening",
    "location",
    "profile",
    "safety",
    "upgrade",
    "pricing",
    "externalLink",
    "slideshow",
    "fields",
    "notes",
  ],
  chat: ["chat", "messages", "voice", "openers"],
  forms: ["signUp", "fields", "codes", "profileForm", "crop", "passwords"],
  settings: [
    "settings",
    "arrival",
    "passkeys",
    "privacy",
    "notifications",
    "devices",
    "deleteAccount",
    "neverSee",
    "ownNotes",
    "hiddenAreas",
    "help",
    "looks",
    "visibility",
    "caseRoom",
    "ownReports",
    "threat",
    "ownNotices",
    "membership",
    "referral",
    "ageCheck",
    "kept",
    "corrections",
    "ownEmail",
    "errors",
  ],
  pages: ["about", "howItWorks", "pricing", "contact", "notice", "lostEmail"],
  /** Loads with the first reply to one of them. */
  questions: ["questions"],
  /** Texts of the native app, which loads them itself. */
  native: ["nativeApp"],
  /** Texts that only the server uses. */
  server: ["emails", "caseFacts", "memberNotices", "exportPage"],
} as const;

/** Single texts of those namespaces that every screen needs. */
const BASE_TEXTS = [
  "errors.fault",
  "errors.login_required",
  "errors.upgrade_required",
  "fields.bot_check_failed",
  "fields.required",
  "help.answered",
  "ownNotices.arrived",
  "home.retryIn",
  "home.title",
  "notifications.failed",
  "notifications.somethingNew",
  "notifications.turnedOn",
  "ownEmail.look",
  "ownEmail.newsChoice",
  "ownEmail.newsRequest",
  "privacy.deleteDigit",
  "privacy.forgotten",
  "privacy.forgottenAsk",
  "privacy.forgottenText",
  "privacy.idleWarning",
  "privacy.idleWarningText",
  "privacy.lockedTitle",
  "privacy.pin",
  "privacy.pinWrong",
  "privacy.stay",
  "privacy.waitMinutes",
  "privacy.waitSeconds",
  "settings.arrival",
  "settings.back",
  "settings.preview",
  "settings.previewLine",
  "signUp.done",
  "visibility.endPause",
  "visibility.openSetting",
  "visibility.pausedText",
  "visibility.pausedTitle",
  "visibility.pausedUntil",
] as const;

/** Single texts of `fields` that home and conversations never show: they have no such field. */
const NOT_OF_MEMBERS: readonly string[] = [
  "account_exists",
  "agreement_required",
  "code_wrong",
  "confirmation_differs",
  "date_invalid",
  "date_passed",
  "device_too_new",
  "email_disposable",
  "email_or_user_id",
  "email_unchanged",
  "good_faith_required",
  "icon_again",
  "icon_required",
  "inches_too_big",
  "no_picture_of_child",
  "password_common",
  "password_contains_user_id",
  "password_length",
  "password_mismatch",
  "passwords_differ",
  "plan_required",
  "plan_too_long",
  "price_differs",
  "range_reversed",
  "too_old",
  "too_young",
  "user_id_characters",
  "user_id_length",
  "user_id_reserved",
  "user_id_taken",
  "username_reserved",
  "version_outdated",
];

type Texts = Record<string, Record<string, string>>;
export type TextPart = "base" | Exclude<keyof typeof TEXT_PARTS, "questions" | "native" | "server">;

export const ALL_PARTS: readonly TextPart[] = ["base", "member", "chat", "forms", "settings", "pages"];

/** Selects the texts of a part when the app is built. */
export function selectPart(texts: Texts, part: string): Texts {
  if (part !== "base") {
    const namespaces: readonly string[] = TEXT_PARTS[part as keyof typeof TEXT_PARTS];
    const selected = Object.entries(texts).filter(([namespace]) => namespaces.includes(namespace));
    return Object.fromEntries(
      selected.map(([namespace, all]) => [
        namespace,
        part === "member" && namespace === "fields" ? without(all, NOT_OF_MEMBERS) : all,
      ]),
    );
  }
  const others = new Set<string>(Object.values(TEXT_PARTS).flat());
  const base = Object.fromEntries(Object.entries(texts).filter(([namespace]) => !others.has(namespace)));
  for (const key of BASE_TEXTS) {
    const [namespace, name] = key.split(".") as [string, string];
    base[namespace] = { ...base[namespace], [name]: texts[namespace]?.[name] ?? "" };
  }
  return base;
}

function without<T>(all: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

/** By the second segment of the URL; a screen that is not listed has all parts. */
const PARTS_BY_SCREEN: Record<string, readonly TextPart[]> = {
  login: ["base"],
  "bot-check": ["base"],
  "oauth-callback": ["base"],
  "sign-up": ["base", "forms"],
  "reset-password": ["base", "forms"],
  "about-service": ["base", "pages"],
  "how-it-works": ["base", "pages"],
  pricing: ["base", "pages"],
  "not-me": ["base"],
  tos: ["base"],
  "privacy-policy": ["base"],
  provider: ["base"],
  accessibility: ["base"],
  "child-safety": ["base"],
  "delete-account": ["base"],
  home: ["base", "member"],
  dm: ["base", "member", "chat"],
};

export function partsOf(pathname: string, isLoggedIn: boolean): readonly TextPart[] {
  const [, , screen = ""] = pathname.toLowerCase().split("/");
  if (screen === "") return isLoggedIn ? ["base", "member"] : ["base"];
  return PARTS_BY_SCREEN[screen] ?? ALL_PARTS;
}
