/** Limits and constants of docs/product-rules.md. No schema here, because every page loads this file. */

export const ADULT_AGE = 18;
export const OLDEST_AGE = 140;

export const USER_ID = { min: 3, max: 30, pattern: /^[A-Za-z0-9_-]+$/ } as const;
export const PASSWORD = { min: 8, max: 128 } as const;
export const USERNAME_MAX = 50;
export const DESCRIPTION_MAX = 5_000;
/** Of an introduction: paragraphs, headings, quotes and items of lists. */
export const BLOCKS_MAX = 60;
export const SHORT_TEXT_MAX = 500;
export const URL_MAX = 300;
export const EMAIL_MAX = 254;
export const SOCIAL_TOKEN_MAX = 2_048;
export const MESSAGE_MAX = 2_000;
export const NOTE_MAX = 1_000;
/** Of a member, without the reply to the week's question. */
export const NOTES_MAX = 10;
export const NOTE_ID_MAX = 200;
/** The start of a quoted message; screens show two lines. */
export const QUOTE_MAX = 200;
export const REPORT_MAX = 2_000;
/** A freeze without a person's decision ends after it. */
export const FREEZE_DAYS = 3;
export const REPORT_ENTRIES_MAX = 20;
export const APPEAL_MAX = 2_000;
export const CORRECTION_REASON_MAX = 1_000;
export const CONSOLE_REASON_MAX = 1_000;
/** WebAuthn allows ids of 1,023 bytes, in base64url. */
export const PASSKEY_ID_MAX = 1_364;
export const PASSKEY_NAME_MAX = 50;
export const PASSKEYS_MAX = 20;
export const RECOVERY_CODES = 8;
/** The life of WebAuthn's options. A page may offer a passkey while it is open. */
export const PASSKEY_OPTIONS_MINUTES = 15;
export const LEGAL_VERSION_MAX = 40;
/** After the day from which a version holds, every client needs the consent. */
export const CONSENT_GRACE_DAYS = 30;
export const CONTACT_MAX = 5_000;
/** Browsers copy long addresses. */
export const NOTICE_URL_MAX = 2_000;
export const NEVER_SEE = { perDay: 10, total: 50, minDays: 30, undoMinutes: 10, noteMax: 60 } as const;

/** Days until a free member may change the hour of the card again. */
export const HOUR_CHANGE_DAYS = 7;
export const CARD_HOURS_APART = 20;

/** A member who visits less often is no candidate. */
export const CANDIDATE_DAYS = 60;

export const PLAN = { maxYears: 10, maxMonths: 120, maxPrice: 1_000_000 } as const;
export const COUPON_ID = { max: 40, pattern: /^[A-Z0-9][A-Z0-9_-]{2,39}$/ } as const;
export const BANK_ORDERS_OPEN = 3;

export const EMAIL_CHANGES = { max: 2, days: 30 } as const;
/** On a device of this age a change may stay hidden from the old address. */
export const KNOWN_DEVICE_DAYS = 30;

/** Requests for a new address by members who cannot read theirs. */
export const MAILBOX_REQUESTS = { perYear: 2, days: 30, tellings: 3 } as const;
export const ORDER_TEXT_MAX = 100;
export const MAILBOX_TEXT_MAX = 2_000;
export const COUPONS_AT_ONCE = 1_000;
/** Figures of the operator below it are not shown. */
export const FEW_BELOW = 10;
export const PUSH_ENDPOINT_MAX = 2_000;
export const PUSH_DEVICES_MAX = 10;
/** A digest email goes to members who were away for this long. */
export const AWAY_HOURS = 12;

/** The number of members who joined by an invitation is shown in such steps. */
export const JOINED_STEP = 5;

export const TRANSFER_MIN_CENTS = 1_000;
/** PayPal rejects longer addresses. */
export const PAYOUT_EMAIL_MAX = 127;

export const SEARCH_RANGE = { min: 0, max: 500, defaultMin: 0, defaultMax: 500 } as const;
export const SEARCH_AGE = { min: 0, max: 140, defaultMin: 0, defaultMax: 120 } as const;

export const HOW_LONG_MARRIED_MAX = 50_000;
export const TALL_CM = { min: 50, max: 280 } as const;
export const TALL_FEET = { min: 1, max: 9.11 } as const;
export const WEIGHT = { min: 20, max: 1_000 } as const;
export const SALARY_MAX = 1_000_000_000_000;

export const CODE_DIGITS = 8;
/** While codes are being guessed, a new one has capital letters without I and O. */
export const LETTER_CODE = { length: 12, alphabet: "ABCDEFGHJKLMNPQRSTUVWXYZ" } as const;
export const CODE_LIFE_MINUTES = 10;
/** The life of a code after step 2 accepted it. */
export const CONFIRMED_CODE_LIFE_MINUTES = 60;
/** The fifth wrong code of a group of clients closes the code for that group. */
export const CODE_MISSES = 5;

/** Open sessions of a member; one more ends the least recently used. */
export const SESSIONS_MAX = 50;

/** A new device is one for so long; at most one email about new devices goes out meanwhile. */
export const NEW_DEVICE_DAYS = 30;

/** Open sockets of a member at one process; one more closes the oldest. */
export const SOCKETS_MAX = 20;

export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;
/** A minute of 16 bits at 16 kHz has 1.92 MB. */
export const VOICE = { maxSeconds: 60, maxBytes: 2 * 1024 * 1024, sampleRate: 16_000 } as const;
export const VOICE_TEXT_MAX = 500;
/** Photos of phones have them; no small file expands to more. */
export const IMAGE_MAX_MEGAPIXELS = 50;
/** Longest to shortest side: a longer strip would be expensive to enlarge. */
export const IMAGE_MAX_RATIO = 20;
export const ICON_PIXELS = 720;
/** Stored widths in pixels; `?w=` of a picture's URL asks for one. */
export const ICON_WIDTHS = [160, 480, ICON_PIXELS] as const;
export const MESSAGE_IMAGE_WIDTHS = [640, 1_600] as const;
export const PICTURES_MAX = 3;
export const PICTURE_PATH_MAX = 200;

/** The app requests a position that is older than this. */
export const GPS_FRESH_MS = 60 * 60 * 1000;
/** Around a home, a place of work and a family's home. */
export const AREAS_MAX = 3;
export const AREA_RADII = [5, 10, 20] as const;
export const GOODBYES = 4;
/** A match that both leave silent for so long rests. */
export const RESTING_DAYS = 14;
export const LIKES_LISTED = 500;
export const OPTIONS_PER_FETCH = 10;
/** Of a paid member; counted when dealt. */
export const NEW_FACES_PER_DAY = 250;
export const MESSAGES_PER_PAGE = 100;

/** Moves that search and distances follow. Shorter moves may have any speed. */
export const COUNTED_MOVES = { perDay: 6, maxKmPerHour: 1_000, shortKm: 5 } as const;

/** A member's secret place is at most so far from the centre of their cell. */
export const PLACE_RADIUS_KM = 3;

/** Upper ends of the distance bands, in the viewer's unit. */
export const DISTANCE_BANDS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000] as const;
export const SMALLEST_BAND = { match: 5, dealt: 10 } as const;

export const RESERVED_PARTS = ["admin", "support"];

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
  "billing-dept",
  "contact",
  "customer-service",
  "default",
  "deleted",
  "dm",
  "en",
  "everyone",
  "guest",
  "healthz",
  "help",
  "help-desk",
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
  "paypal",
  "postmaster",
  "privacy",
  "readyz",
  "root",
  "security",
  "security-team",
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
  "verified",
  "webhooks",
  "webmaster",
  "ws",
  "www",
  "zh-hans",
  "zh-hant",
]);
