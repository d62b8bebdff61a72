export { deleteMember } from "./deletion.ts";
export { renderEmail } from "./emails/email-template.ts";
export { findRecipient, sendMemberEmail } from "./emails/emails.ts";
export { foldEmail } from "./emails/email.ts";
export {
  createMember,
  findAnyMember,
  findMember,
  findMemberId,
  findMemberByEmail,
  findIdentifiers,
} from "./members.ts";
export {
  lockAndShare,
  lockBoth,
  lockMember,
  lockMembers,
  lockNewMember,
  shareLockBoth,
  shareLockMember,
  shareLockMembers,
} from "./locks.ts";
export { countMembers, findInviter } from "./members.sql.ts";
export { deleteOldOperatorActions, logOperatorAction, readOperatorActions } from "./operator-log.ts";
export { selectActiveMembers } from "./select-members.sql.ts";
export { createAuthenticator, endAllSessions, openSession, tryAuthenticate } from "./login/sessions.ts";
export { findOpenSessionIds, findOpenSessionsOf, findLastUse } from "./login/sessions.sql.ts";
export { readSuspensionReason, restoreMember, suspendIf, suspendMember } from "./suspension.ts";
export { createFileTicketRedeemer, redeemTicket } from "./login/tickets.ts";
export { passesBotCheck } from "./sign-up/bot-check.ts";
export {
  decryptFromEvent,
  encryptForEvent,
  findUserId,
  foldUserId,
  readUserIds,
  userIdDigest,
} from "./user-ids.ts";
export { findLogins } from "./user-ids.sql.ts";
