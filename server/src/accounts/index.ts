export {
  type AgeCheckOutcome,
  decideAgeCheck,
  listAgeChecks,
  readDocument,
  readWaitingAgeCheck,
} from "./age-check/age-check.ts";
export { type Client, spendCode, verifyCode } from "./codes/codes.ts";
export { deleteCodesOf } from "./codes/codes.sql.ts";
export { requestCodeEmail } from "./codes/request-code.ts";
export { deleteMember } from "./deletion.ts";
export { listDestroyedKeys, verifyReceipt } from "./receipts/receipts.ts";
export { withinEmailLimits } from "./emails/email-rate-limit.ts";
export { renderEmail } from "./emails/email-template.ts";
export {
  type FindLocalTime,
  findRecipient,
  fixEmailTo,
  fixMemberEmail,
  sendMemberEmail,
} from "./emails/emails.ts";
export { createMember } from "./sign-up/create-member.ts";
export {
  deleteOldOperatorActions,
  logOperatorAction,
  OPERATOR_LOG_PAGE,
  readLooksAt,
  readOperatorActions,
  showLooks,
} from "./operator-log.ts";
export {
  createAuthenticator,
  endAllSessions,
  openSession,
  publishSessionsEnded,
  tryAuthenticate,
} from "./login/sessions.ts";
export { hasPasskey } from "./passkeys/passkeys.sql.ts";
export {
  countRises,
  createOptions,
  type Credential,
  credentialIdIn,
  requestOptions,
  type Structure,
  type Transport,
  verifyCreation,
  verifyUse,
} from "./passkeys/webauthn.ts";
export {
  type ProofFields,
  provePasskey,
  proveRecoveryCode,
  requireProof,
  spendProof,
} from "./passkeys/proofs.ts";
export { isDisposable } from "./sign-up/disposable-email.ts";
export {
  endSessionsOf,
  findLastUse,
  findOpenSession,
  findOpenSessionsOf,
  isDeviceKnownSince,
} from "./login/sessions.sql.ts";
export { restoreIn, restoreMember, suspendIn, suspendMember } from "./suspension.ts";
export { createFileTicketRedeemer, redeemTicket } from "./login/tickets.ts";
export { passesBotCheck } from "./sign-up/bot-check.ts";
