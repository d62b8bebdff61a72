export const LANGUAGE_COOKIE_DAYS = 365;
export const SIGN_UP_FORM_MINUTES = 60;

/**
 * How long the service keeps data of members and visitors. The privacy policy states each of these periods in all languages
 * (`server/tests/data/privacy-policy.test.ts`), so a change here changes a promise.
 */
export const RETENTION = {
  /** An account without a visit or paid time, unless the operator chose another time (`UNUSED_MONTHS`). */
  unusedMonths: 24,
  sessionDays: 90,
  /** The row of an expired session stays this long to recognise its device. */
  deviceDays: 90,
  /** The cookie that recognises a browser between the steps of a form. It covers a late email and the life of a confirmed code. */
  visitCookieHours: 2,
  /** The outcome of a call, for a repeated request. An hour at least, because only the hour of its end is stored. */
  repeatableResponseHours: 2,
  languageCookieDays: LANGUAGE_COOKIE_DAYS,
  signUpFormMinutes: SIGN_UP_FORM_MINUTES,
  hiddenConversationDays: 30,
  /** Days of a match and its end, without the other member's name. */
  endedMatchDays: 30,
  deletedMatchDays: 7,
  /** Messages of a deleted member stay so long for a report by their match; older ones go at once. */
  leftConversationDays: 7,
  leftMessageDays: 30,
  /** Cells of places that a member left, encrypted, for members who hide there. */
  leftPlaceDays: 30,
  answerDays: 7,
  unsentMessageHours: 24,
  /** Evidence of a case, after its last decision. */
  caseDays: 180,
  noticeDays: 180,
  operatorLogDays: 365,
  announcementDays: 90,
  /** The picture of a document for the age check, at most. */
  ageCheckDays: 7,
  suspendedPictureDays: 365,
  /** Digests of the networks from which members signed up. */
  signUpNetworkDays: 30,
  /** Digests of user id and mailbox of a deleted account, with its quotas of the last day. */
  formerAccountDays: 90,
  /** Changes of the email address, because two in this time are the limit. */
  emailChangeDays: 30,
  /** The address before a change, unless the member states that others read it. */
  heldEmailDays: 7,
  /** Proofs of members without a mailbox, at most. */
  mailboxProofDays: 90,
  /** The days of such requests, because two in this time are the limit. */
  mailboxRequestDays: 365,
  sentLinkDays: 7,
  /** Cards that were dealt. They are unused by then in every time zone. */
  cardDays: 3,
  /** An hour at least, because only the hour of an upload is stored. */
  unclaimedUploadHours: 2,
  /** PayPal drops unpaid orders sooner. */
  unpaidOrderDays: 7,
  bankOrderDays: 30,
  /** PayPal repeats an event for three days. */
  webhookEventDays: 30,
  /** The key of emails that wait to be sent. A job retries for less than this time. */
  emailKeyDays: 3,
  /** The question of a visitor, less than the life of its key. */
  questionDays: 2,
  /** Backups and logs, which the operator deletes (docs/backups.md, docs/operations.md). */
  backupDays: 30,
  logDays: 30,
} as const;

export type Period = keyof typeof RETENTION;
export const periodUnits = ["minutes", "hours", "days", "months"] as const;

/** Legal grounds of the GDPR: explicit consent, the contract, legitimate interests, duties by law. */
export const legalGrounds = ["consent", "contract", "interest", "duty"] as const;

interface StoredFor {
  /** `account`: while the account exists, except for the periods. `period`: only for them. */
  readonly lasts: "account" | "period";
  readonly reasons: readonly (typeof legalGrounds)[number][];
  readonly periods: readonly Period[];
}

/** The kinds of data, in the order of the privacy policy, which has an entry for each. */
export const STORED_KINDS = {
  account: {
    lasts: "account",
    reasons: ["contract"],
    periods: [
      "unusedMonths",
      "ageCheckDays",
      "emailChangeDays",
      "heldEmailDays",
      "mailboxProofDays",
      "mailboxRequestDays",
      "formerAccountDays",
    ],
  },
  profile: { lasts: "account", reasons: ["consent", "contract"], periods: ["answerDays"] },
  filter: { lasts: "account", reasons: ["consent"], periods: [] },
  pictures: { lasts: "account", reasons: ["consent"], periods: ["unclaimedUploadHours"] },
  clearPictures: { lasts: "account", reasons: ["consent"], periods: [] },
  position: { lasts: "account", reasons: ["consent"], periods: ["leftPlaceDays"] },
  decisions: {
    lasts: "account",
    reasons: ["consent", "contract"],
    periods: ["endedMatchDays", "deletedMatchDays", "cardDays"],
  },
  blocks: { lasts: "account", reasons: ["interest"], periods: [] },
  messages: {
    lasts: "account",
    reasons: ["consent", "contract"],
    periods: [
      "hiddenConversationDays",
      "unsentMessageHours",
      "leftConversationDays",
      "leftMessageDays",
      "sentLinkDays",
    ],
  },
  membership: {
    lasts: "account",
    reasons: ["contract", "duty"],
    periods: ["unpaidOrderDays", "bankOrderDays", "webhookEventDays"],
  },
  referral: { lasts: "account", reasons: ["contract", "duty"], periods: [] },
  notifications: {
    lasts: "account",
    reasons: ["consent", "duty"],
    periods: ["announcementDays", "emailKeyDays"],
  },
  sessions: { lasts: "period", reasons: ["contract"], periods: ["sessionDays", "deviceDays"] },
  reports: { lasts: "period", reasons: ["interest", "duty"], periods: ["caseDays", "noticeDays"] },
  operatorLog: { lasts: "period", reasons: ["interest", "duty"], periods: ["operatorLogDays"] },
  moderation: {
    lasts: "account",
    reasons: ["interest"],
    periods: ["suspendedPictureDays", "signUpNetworkDays"],
  },
  limits: { lasts: "period", reasons: ["interest"], periods: ["repeatableResponseHours"] },
  questions: { lasts: "account", reasons: ["contract"], periods: ["questionDays"] },
  logs: { lasts: "period", reasons: ["interest"], periods: ["logDays", "backupDays"] },
  device: {
    lasts: "period",
    reasons: ["contract"],
    periods: ["visitCookieHours", "languageCookieDays", "signUpFormMinutes"],
  },
} as const satisfies Record<string, StoredFor>;

export type StoredKind = keyof typeof STORED_KINDS;
