/** Limits and constants of the product (specification, sections 5 and 9; decisions, sections 1, 3 and 4). No schema here: every page may load it. */

export const ADULT_AGE = 18;
export const OLDEST_AGE = 140;

export const USER_ID = { min: 3, max: 30, pattern: /^[A-Za-z0-9_-]+$/ } as const;
export const PASSWORD = { min: 8, max: 128 } as const;
export const USERNAME_MAX = 50;
export const DESCRIPTION_MAX = 5_000;
export const SHORT_TEXT_MAX = 500;
export const URL_MAX = 300;
export const EMAIL_MAX = 254;
export const SOCIAL_TOKEN_MAX = 2_048;
export const MESSAGE_MAX = 2_000;
export const REPORT_MAX = 2_000;
/** People who must never see a member: entries a day and in all, and how long one stays at least. */
export const NEVER_SEE = { aDay: 10, inAll: 50, keptDays: 30 } as const;

/** How much can be bought at once; no price of that is greater. */
export const PLAN = { maxYears: 10, maxMonths: 120, maxPrice: 1_000_000 } as const;
/** A coupon's id is written in capitals. */
export const COUPON_ID = { max: 40, pattern: /^[A-Z0-9][A-Z0-9_-]{2,39}$/ } as const;
/** How long the address of a push service may be, and how many devices of a member are told. */
export const PUSH_ENDPOINT_MAX = 2_000;
export const PUSH_DEVICES_MAX = 10;
/** A letter about something new comes to who has been away for so long. */
export const AWAY_HOURS = 12;

/** A transfer of what was earned by inviting, in USD cents. */
export const TRANSFER_MIN_CENTS = 1_000;
/** PayPal takes no longer address for a payout. */
export const PAYOUT_EMAIL_MAX = 127;

export const SEARCH_RANGE = { min: 0, max: 500, defaultMin: 0, defaultMax: 500 } as const;
export const SEARCH_AGE = { min: 0, max: 140, defaultMin: 0, defaultMax: 120 } as const;

export const HOW_LONG_MARRIED_MAX = 50_000;
export const TALL_CM = { min: 50, max: 280 } as const;
export const TALL_FEET = { min: 1, max: 9.11 } as const;
export const WEIGHT = { min: 20, max: 1_000 } as const;
export const SALARY_MAX = 1_000_000_000_000;

export const CODE_DIGITS = 6;
export const CODE_LIFE_MINUTES = 10;
/** The fifth wrong code ends the round (specification, section 9: "fifth failure resets the flow"). */
export const CODE_MISSES = 5;

/** How many sockets a member may have open at one process; one more closes the oldest. */
export const SOCKETS_MAX = 20;

export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;
export const ICON_PIXELS = 720;

/** How old the position may be before the app asks for it again. */
export const GPS_FRESH_MS = 60 * 60 * 1000;
export const OPTIONS_PER_FETCH = 10;
export const MESSAGES_PER_PAGE = 100;
export const BANNER_MS = 5_000;
export const LOGIN_REDIRECT_MS = 550;

/** Upper ends of the distance bands, in the viewer's unit (decisions, section 3). */
export const DISTANCE_BANDS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000] as const;

/** Names nobody may take, compared without regard to case. */
export const RESERVED_USER_IDS: ReadonlySet<string> = new Set([
  "about",
  "account",
  "admin",
  "administrator",
  "alcove",
  "anonymous",
  "api",
  "assets",
  "billing",
  "contact",
  "default",
  "deleted",
  "dm",
  "en",
  "everyone",
  "guest",
  "healthz",
  "help",
  "home",
  "info",
  "ja",
  "login",
  "logout",
  "mail",
  "me",
  "media",
  "metrics",
  "moderator",
  "null",
  "official",
  "operator",
  "postmaster",
  "privacy",
  "readyz",
  "root",
  "security",
  "service",
  "setting",
  "settings",
  "sign-up",
  "signup",
  "staff",
  "support",
  "system",
  "team",
  "tos",
  "undefined",
  "unsubscribe",
  "user",
  "users",
  "webhooks",
  "webmaster",
  "ws",
  "www",
  "zh-hans",
  "zh-hant",
]);
