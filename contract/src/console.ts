import * as z from "zod/mini";
import { call, type Call } from "./call.ts";
import { decideCorrection, getCorrections, openCorrection } from "./console-corrections.ts";
import { answerHelp, closeHelp, getHelpQueue, openHelp } from "./console-help.ts";
import { decideMailboxRequest, getMailboxRequests, openMailboxRequest } from "./console-mailboxes.ts";
import { approvePicture, getNewPictures, openPicture, removeNewPicture } from "./console-pictures.ts";
import { approveRequest, getRequests, rejectRequest } from "./console-requests.ts";
import { getStatistics } from "./console-statistics.ts";
import { FREE } from "./costs.ts";
import {
  areValid,
  choice,
  Email,
  fillable,
  messageKey,
  text,
  UserId,
  WebAuthnJson,
  wholeNumber,
} from "./fields.ts";
import { CONSOLE_REASON_MAX, CONTACT_MAX, COUPONS_AT_ONCE, PLAN } from "./limits.ts";
import { CouponId } from "./membership.ts";
import { PasskeyId } from "./passkeys.ts";
import { reportReasons } from "./safety.ts";
import { foldTyped } from "./text-rules.ts";
import {
  CASE_NUMBER,
  caseDecisions,
  caseKinds,
  caseRules,
  caseStates,
  decisionChecks,
  removableContents,
  SUSPENSION_DAYS_MAX,
} from "./cases.ts";

/*
 * Calls of the operators' console. They have their own server and are no part of the members' API
 * (docs/adr/0044-console-on-its-own-port.md).
 */

const Reason = text(CONSOLE_REASON_MAX);
const Id = z.uuid({ error: "invalid" });

export const startEnrolment = call({
  name: "startEnrolment",
  summary: "Begins to register a passkey with a link of `operators add` or `operators reset`.",
  method: "POST",
  path: "/api/enrolment/options",
  access: "visitor",
  costs: FREE,
  input: z.object({ token: text(100) }),
  response: z.object({ name: z.string(), options: WebAuthnJson }),
  errors: ["not_found", "too_many_requests"],
});

export const finishEnrolment = call({
  name: "finishEnrolment",
  summary: "Registers the passkey. The link works once.",
  method: "POST",
  path: "/api/enrolment",
  access: "visitor",
  costs: FREE,
  input: z.object({ token: text(100), response: WebAuthnJson }),
  response: null,
  errors: ["not_found", "wrong_passkey", "too_many_requests"],
});

export const startLogin = call({
  name: "startLogin",
  summary: "Begins a login with a passkey.",
  method: "POST",
  path: "/api/login/options",
  access: "visitor",
  costs: FREE,
  input: z.object({}),
  response: z.object({ options: WebAuthnJson }),
  errors: ["too_many_requests"],
});

export const finishLogin = call({
  name: "finishLogin",
  summary: "Opens a session in a cookie.",
  method: "POST",
  path: "/api/login",
  access: "visitor",
  costs: FREE,
  input: z.object({ response: WebAuthnJson }),
  response: null,
  errors: ["wrong_passkey", "too_many_requests"],
});

export const endLogin = call({
  name: "endLogin",
  summary: "Ends the session.",
  method: "POST",
  path: "/api/logout",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: null,
});

export const getOperator = call({
  name: "getOperator",
  summary: "Returns the operator of the session.",
  method: "GET",
  path: "/api/operator",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ name: z.string() }),
});

const ListedPasskey = z.object({
  id: z.string(),
  /** A phone or computer, or a security key; null if unknown. */
  kind: z.nullable(z.enum(["device", "key"])),
  added_on: z.string(),
  used_on: z.nullable(z.string()),
});
export type ListedPasskey = z.infer<typeof ListedPasskey>;

export const getPasskeys = call({
  name: "getPasskeys",
  summary: "Lists the operator's own passkeys, oldest first.",
  method: "GET",
  path: "/api/passkeys",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ passkeys: z.array(ListedPasskey) }),
});

export const startConfirmation = call({
  name: "startConfirmation",
  summary: "Begins a check of the operator with one of their passkeys, but not with `except`.",
  method: "POST",
  path: "/api/passkeys/options",
  access: "operator",
  costs: FREE,
  input: z.object({ except: fillable(PasskeyId) }),
  response: z.object({ options: WebAuthnJson }),
});

export const addPasskey = call({
  name: "addPasskey",
  summary:
    "Returns the token of a link that registers a further passkey, after a check with a passkey. Logged first.",
  method: "POST",
  path: "/api/passkeys/add",
  access: "operator",
  costs: FREE,
  input: z.object({ confirmation: WebAuthnJson }),
  response: z.object({ token: z.string() }),
  errors: ["wrong_passkey"],
});

export const removePasskey = call({
  name: "removePasskey",
  summary:
    "Removes a passkey and ends the operator's other sessions, after a check with another passkey. Logged first.",
  method: "POST",
  path: "/api/passkeys/remove",
  access: "operator",
  costs: FREE,
  input: z.object({ id: PasskeyId, confirmation: WebAuthnJson }),
  response: null,
  errors: ["invalid_input", "not_found", "wrong_passkey"],
});

const CaseId = z.string().check(z.regex(CASE_NUMBER, "invalid"));
export const accountStatuses = ["active", "suspended"] as const;
const Status = z.enum(accountStatuses);

const ListedCase = z.object({
  id: z.string(),
  kind: z.enum(caseKinds),
  on: z.string(),
  /** Of reports: the most dangerous one, else that of the oldest. */
  reason: z.nullable(z.enum(reportReasons)),
  reports: z.number(),
  state: z.enum(caseStates),
  due_at: z.nullable(z.string()),
  has_message: z.boolean(),
  claimed_by: z.nullable(z.string()),
  is_mine: z.boolean(),
});
export type ListedCase = z.infer<typeof ListedCase>;

export const getCases = call({
  name: "getCases",
  summary:
    "Lists cases in pages of 50, without members and texts. Waiting ones about danger come first, then the oldest; decided ones newest first. `number` is that of a case or of a report.",
  method: "GET",
  path: "/api/cases",
  access: "operator",
  costs: FREE,
  input: z.object({
    page: fillable(wholeNumber(1, 1_000)),
    /** Empty: all that wait, so all but decided ones. */
    state: fillable(choice(caseStates)),
    kind: fillable(choice(caseKinds)),
    rule: fillable(choice(caseRules)),
    number: fillable(CaseId),
  }),
  response: z.object({ cases: z.array(ListedCase), has_more: z.boolean() }),
  errors: ["invalid_input"],
});

/** A text and a message of a report, or evidence of the case itself. */
const CaseEntry = z.object({
  id: z.string(),
  on: z.nullable(z.string()),
  reason: z.nullable(z.enum(reportReasons)),
  reporter: z.nullable(z.string()),
  detail: z.nullable(z.string()),
  contest: z.nullable(z.string()),
  kind: z.nullable(z.enum(["message", "profile", "picture", "text", "chat", "note"])),
  text: z.nullable(z.string()),
  sent_at: z.nullable(z.string()),
  lines: z.array(
    z.object({
      text: z.nullable(z.string()),
      sent_at: z.string(),
      has_picture: z.boolean(),
      voice_text: z.nullable(z.string()),
      has_voice: z.boolean(),
    }),
  ),
  voice_text: z.nullable(z.string()),
  pictures: z.number(),
  voice_notes: z.array(z.int()),
});
export type CaseEntry = z.infer<typeof CaseEntry>;

const Decided = z.object({
  decision: z.enum(caseDecisions),
  rule: z.enum(caseRules),
  reason: z.nullable(z.string()),
  effective_at: z.string(),
  until: z.nullable(z.string()),
  is_announced: z.boolean(),
  appeal: z.nullable(z.string()),
  appeal_state: z.nullable(z.enum(["open", "upheld", "reversed"])),
});

const CaseDetail = z.object({
  id: z.string(),
  kind: z.enum(caseKinds),
  on: z.string(),
  /** Null for content without a known account. */
  user_id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  status: z.nullable(z.enum([...accountStatuses, "deleted"])),
  entries: z.array(CaseEntry),
  /** The suspended member whom the account resembles. */
  similar_to: z.nullable(z.string()),
  /** Of a notice, the cases of the accounts that it found; of such a case, its notice. */
  related: z.array(z.string()),
  decisions: z.array(Decided),
  earlier: z.array(z.enum(caseDecisions)),
  same_network: z.number(),
  /** Decided, without an open appeal. */
  is_closed: z.boolean(),
  /** Of a notice: its sender may still object, once. */
  can_object: z.boolean(),
  claimed_until: z.string(),
});
export type CaseDetail = z.infer<typeof CaseDetail>;

export const openCase = call({
  name: "openCase",
  summary: "Takes a case for 15 minutes and returns what was reported. Logged first.",
  method: "POST",
  path: "/api/case/open",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CaseId }),
  response: z.object({ case: CaseDetail }),
  errors: ["invalid_input", "not_found", "case_taken"],
});

export const readCasePicture = call({
  name: "readCasePicture",
  summary:
    "Returns a picture or a voice note of an entry of an own case, by its place, as base64 of a JPEG or a WAV file. Logged first.",
  method: "POST",
  path: "/api/case/picture",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CaseId, entry: Id, place: fillable(wholeNumber(0, 199)) }),
  response: z.object({ jpeg: z.nullable(z.string()), wav: z.nullable(z.string()) }),
  errors: ["invalid_input", "not_found", "case_taken", "media_unavailable"],
});

export const readCaseEvidence = call({
  name: "readCaseEvidence",
  summary: "Returns the evidence file of an own case for the police, with a keyed signature. Logged first.",
  method: "POST",
  path: "/api/case/evidence",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CaseId }),
  response: z.object({ file: z.string() }),
  errors: ["invalid_input", "not_found", "case_taken"],
});

export const releaseCase = call({
  name: "releaseCase",
  summary: "Gives an own case back to the queue.",
  method: "POST",
  path: "/api/case/release",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CaseId }),
  response: null,
  errors: ["invalid_input"],
});

export const decideCase = call({
  name: "decideCase",
  summary:
    "Decides an own case. Reports that came after it was opened are another case. The member is announced at 09:00 of their time zone, or at the next full hour where others are in danger.",
  method: "POST",
  path: "/api/case/decide",
  access: "operator",
  costs: FREE,
  input: z
    .object({
      id: CaseId,
      decision: choice(caseDecisions),
      rule: choice(caseRules),
      reason: Reason,
      days: fillable(wholeNumber(1, SUSPENSION_DAYS_MAX)),
      content: fillable(choice(removableContents)),
    })
    .check(...decisionChecks),
  response: null,
  errors: ["invalid_input", "case_taken", "other_operator_needed"],
});

export const decideCaseAppeal = call({
  name: "decideCaseAppeal",
  summary: "Decides the appeal of an own case. Another operator decides than before, where there are two.",
  method: "POST",
  path: "/api/case/appeal",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CaseId, outcome: choice(["uphold", "reverse"]), reason: Reason }),
  response: null,
  errors: ["invalid_input", "case_taken", "other_operator_needed"],
});

export const objectToNotice = call({
  name: "objectToNotice",
  summary:
    "Records the objection to a decided notice, which came by email, and opens its case again, once. Another operator decides then, where there are two. Logged first.",
  method: "POST",
  path: "/api/case/object",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CaseId, text: text(CONTACT_MAX) }),
  response: null,
  errors: ["invalid_input", "case_taken", "conflict"],
});

const MemberFacts = z.object({
  user_id: z.string(),
  status: Status,
  suspension_reason: z.nullable(z.string()),
  created_at: z.string(),
  paid_until: z.nullable(z.string()),
  sessions: z.number(),
  available: z.number(),
  received: z.number(),
  pending: z.number(),
  /** The member's share of purchases to come, in percent. */
  percentage: z.number(),
  same_network: z.number(),
  grants: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      source: z.enum(["operator", "order", "coupon"]),
      year: z.number(),
      month: z.number(),
      coupon: z.nullable(z.string()),
      is_revoked: z.boolean(),
    }),
  ),
  orders: z.array(z.object({ id: z.string(), price: z.string(), state: z.string(), at: z.string() })),
  transfers: z.array(z.object({ id: z.string(), amount: z.string(), state: z.string(), at: z.string() })),
  reports: z.array(
    z.object({
      id: z.string(),
      side: z.enum(["made", "received"]),
      on: z.string(),
      outcome: z.nullable(z.enum(caseDecisions)),
    }),
  ),
});
export type MemberFacts = z.infer<typeof MemberFacts>;

const AboutMember = { userId: UserId, reason: Reason };
/** The case for which the operator looks, so that the member reads the look with the case. */
const ForCase = { case: fillable(CaseId) };

export const lookUpMember = call({
  name: "lookUpMember",
  summary: "Returns facts of a member's account, never a text that they wrote. Logged first.",
  method: "POST",
  path: "/api/member",
  access: "operator",
  costs: FREE,
  input: z.object({ ...AboutMember, ...ForCase }),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

export const listSameNetwork = call({
  name: "listSameNetwork",
  summary: "Lists who signed up from the member's network in the last 30 days. Logged first.",
  method: "POST",
  path: "/api/member/network",
  access: "operator",
  costs: FREE,
  input: z.object({ ...AboutMember, ...ForCase }),
  response: z.object({
    members: z.array(z.object({ user_id: z.string(), status: Status, on: z.string() })),
  }),
  errors: ["invalid_input", "user_not_found"],
});

export const suspendAccount = call({
  name: "suspendAccount",
  summary: "Suspends a member at once, by a case of its own, which they read and may appeal after a login.",
  method: "POST",
  path: "/api/member/suspend",
  access: "operator",
  costs: FREE,
  input: z.object(AboutMember),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

export const restoreAccount = call({
  name: "restoreAccount",
  summary: "Ends each suspension of a member and deletes the hashes of the pictures.",
  method: "POST",
  path: "/api/member/restore",
  access: "operator",
  costs: FREE,
  input: z.object(AboutMember),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

export const findAccount = call({
  name: "findAccount",
  summary: "Returns facts of the account with an email address, which neither log nor URL contains.",
  method: "POST",
  path: "/api/member/find",
  access: "operator",
  costs: FREE,
  input: z.object({ email: Email, reason: Reason, ...ForCase }),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

export const logOutAccount = call({
  name: "logOutAccount",
  summary: "Ends all sessions of a member.",
  method: "POST",
  path: "/api/member/log-out",
  access: "operator",
  costs: FREE,
  input: z.object(AboutMember),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

export const removeAccount = call({
  name: "removeAccount",
  summary: "Deletes a member, or asks another operator to agree where there are two.",
  method: "POST",
  path: "/api/member/delete",
  access: "operator",
  costs: FREE,
  input: z.object(AboutMember),
  response: z.object({ removed: z.enum(["deleted", "waiting"]) }),
  errors: ["invalid_input", "user_not_found"],
});

const lastsTenYearsAtMost = z.refine<{ readonly year: number; readonly month: number }>(
  ({ year, month }) => year * 12 + month <= PLAN.maxMonths,
  { path: ["year"], error: messageKey("plan_too_long"), when: areValid("year", "month") },
);

export const grantAccount = call({
  name: "grantAccount",
  summary: "Grants a paid membership. The same `grantId` counts once.",
  method: "POST",
  path: "/api/member/grant",
  access: "operator",
  costs: FREE,
  input: z
    .object({ ...AboutMember, year: wholeNumber(0, 100), month: wholeNumber(0, 1_200), grantId: Id })
    .check(lastsTenYearsAtMost),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

export const revokeGrant = call({
  name: "revokeGrant",
  summary:
    "Takes back a gift of the operator or of a coupon, never a purchase. Repeated, it changes nothing.",
  method: "POST",
  path: "/api/member/revoke-grant",
  access: "operator",
  costs: FREE,
  input: z.object({ ...AboutMember, grantId: Id }),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found", "not_found"],
});

export const setPercentage = call({
  name: "setPercentage",
  summary: "Sets the member's share of purchases to come; empty is the server's setting.",
  method: "POST",
  path: "/api/member/percentage",
  access: "operator",
  costs: FREE,
  input: z.object({ ...AboutMember, percentage: fillable(wholeNumber(0, 100)) }),
  response: z.object({ member: MemberFacts }),
  errors: ["invalid_input", "user_not_found"],
});

/** The price of a code elsewhere, in any currency. */
export const CouponValue = z.string().check(
  z.overwrite((value) => foldTyped(value).toUpperCase()),
  z.regex(/^[A-Z]{3} \d{1,9}(\.\d{1,2})?$/, messageKey("invalid")),
);

const ConsoleCoupon = z.object({
  id: z.string(),
  /** The price of the code elsewhere, such as `USD 80`. */
  value: z.nullable(z.string()),
  year: z.number(),
  month: z.number(),
  state: z.enum(["usable", "over", "disabled"]),
  used: z.number(),
  max_uses: z.number(),
  expires_at: z.string(),
});
export type ConsoleCoupon = z.infer<typeof ConsoleCoupon>;

export const getCoupons = call({
  name: "getCoupons",
  summary: "Lists coupons, newest first.",
  method: "GET",
  path: "/api/coupons",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ coupons: z.array(ConsoleCoupon) }),
});

export const createCoupon = call({
  name: "createCoupon",
  summary:
    "Creates a coupon, valid until the end of a day in UTC. Without `id`, it draws `count` codes. `value` is the price of a code elsewhere.",
  method: "POST",
  path: "/api/coupons",
  access: "operator",
  costs: FREE,
  input: z
    .object({
      id: fillable(CouponId),
      count: fillable(wholeNumber(1, COUPONS_AT_ONCE)),
      value: fillable(CouponValue),
      year: wholeNumber(0, 100),
      month: wholeNumber(0, 1_200),
      max_uses: wholeNumber(1, 1_000_000),
      expires_on: z.iso.date({ error: "date_invalid" }),
    })
    .check(lastsTenYearsAtMost),
  response: z.object({ ids: z.array(z.string()) }),
  errors: ["invalid_input", "conflict"],
});

export const disableCoupon = call({
  name: "disableCoupon",
  summary: "Disables a coupon. Earlier grants stay.",
  method: "POST",
  path: "/api/coupons/disable",
  access: "operator",
  costs: FREE,
  input: z.object({ id: CouponId }),
  response: null,
  errors: ["invalid_input", "coupon_not_found"],
});

const Payment = z.object({
  id: z.string(),
  amount: z.string(),
  state: z.string(),
  on: z.string(),
  next_poll_at: z.nullable(z.string()),
  paypal_id: z.nullable(z.string()),
  is_open: z.boolean(),
});
export type Payment = z.infer<typeof Payment>;

export const getPayments = call({
  name: "getPayments",
  summary: "Lists the latest orders and transfers without their members.",
  method: "GET",
  path: "/api/payments",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({
    orders: z.array(Payment),
    transfers: z.array(Payment),
    /** Unpaid bank transfers, and those whose share the operator pays back by hand. */
    bank: z.array(
      z.object({ reference: z.string(), amount: z.string(), state: z.enum(["open", "pay_back"]) }),
    ),
  }),
});

export const confirmBank = call({
  name: "confirmBank",
  summary:
    "Confirms that the money of a bank transfer has arrived, or was paid back by hand. An arrival counts once.",
  method: "POST",
  path: "/api/payments/bank",
  access: "operator",
  costs: FREE,
  input: z.object({ reference: text(40), what: choice(["paid", "refunded"] as const) }),
  response: null,
  errors: ["invalid_input", "order_not_found"],
});

/** Stands for the user id, which has no spaces. */
export const DELETED_SUBJECT = "a deleted member";

const LogEntry = z.object({
  no: z.number(),
  at: z.string(),
  operator: z.nullable(z.string()),
  action: z.string(),
  subject: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const getLog = call({
  name: "getLog",
  summary: "Lists looks and changes of operators, newest first, in pages of 200.",
  method: "GET",
  path: "/api/log",
  access: "operator",
  costs: FREE,
  input: z.object({ before: fillable(wholeNumber(0, Number.MAX_SAFE_INTEGER)) }),
  response: z.object({ entries: z.array(LogEntry), has_more: z.boolean() }),
});

const ListedAgeCheck = z.object({ id: z.string(), on: z.string() });

export const getAgeChecks = call({
  name: "getAgeChecks",
  summary:
    "Lists up to 100 pictures of documents that wait for a decision, the oldest first, without members. Logged first.",
  method: "GET",
  path: "/api/age-checks",
  access: "operator",
  costs: FREE,
  input: z.object({}),
  response: z.object({ checks: z.array(ListedAgeCheck) }),
});

const OpenAgeCheck = z.object({
  id: z.string(),
  on: z.string(),
  user_id: z.string(),
  date_of_birth: z.string(),
  jpeg: z.string(),
});
export type OpenAgeCheck = z.infer<typeof OpenAgeCheck>;

export const openAgeCheck = call({
  name: "openAgeCheck",
  summary: "Returns a document and the member's date of birth. Logged first.",
  method: "POST",
  path: "/api/age-check/open",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id }),
  response: z.object({ check: OpenAgeCheck }),
  errors: ["invalid_input", "case_taken", "media_unavailable"],
});

/** `unreadable` also stands for a document that shows too little. */
export const ageCheckOutcomes = ["approved", "unreadable", "different"] as const;

export const decideAgeCheck = call({
  name: "decideAgeCheck",
  summary: "Decides an age check and destroys the picture. The member gets a neutral email. Logged first.",
  method: "POST",
  path: "/api/age-check/decide",
  access: "operator",
  costs: FREE,
  input: z.object({ id: Id, outcome: choice(ageCheckOutcomes) }),
  response: null,
  errors: ["invalid_input", "case_taken"],
});

export const consoleCalls: readonly Call[] = [
  startEnrolment,
  finishEnrolment,
  startLogin,
  finishLogin,
  endLogin,
  getOperator,
  getPasskeys,
  startConfirmation,
  addPasskey,
  removePasskey,
  getCases,
  openCase,
  readCasePicture,
  readCaseEvidence,
  releaseCase,
  decideCase,
  decideCaseAppeal,
  objectToNotice,
  getAgeChecks,
  openAgeCheck,
  decideAgeCheck,
  getCorrections,
  openCorrection,
  decideCorrection,
  lookUpMember,
  listSameNetwork,
  suspendAccount,
  restoreAccount,
  findAccount,
  logOutAccount,
  removeAccount,
  grantAccount,
  revokeGrant,
  setPercentage,
  getCoupons,
  createCoupon,
  disableCoupon,
  getPayments,
  confirmBank,
  getStatistics,
  getLog,
  getHelpQueue,
  openHelp,
  answerHelp,
  closeHelp,
  getNewPictures,
  openPicture,
  approvePicture,
  removeNewPicture,
  getMailboxRequests,
  openMailboxRequest,
  decideMailboxRequest,
  getRequests,
  approveRequest,
  rejectRequest,
];
