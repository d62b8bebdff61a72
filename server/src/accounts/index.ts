export { deleteMember } from "./deletion.ts";
export { readUserIds } from "./export.sql.ts";
export { drawLetter } from "./emails/email-template.ts";
export { mailingOf } from "./emails/emails.ts";
export { foldEmail } from "./emails/email.ts";
export {
  createMember,
  findAnyMember,
  findMember,
  findMemberId,
  findMemberByEmail,
  findNames,
  foldUserId,
} from "./members.ts";
export {
  lockAndShare,
  lockBoth,
  type LockedMember,
  lockMember,
  lockMembers,
  lockNewMember,
  shareLockBoth,
  shareLockMember,
} from "./locks.ts";
export { findInviter } from "./members.sql.ts";
export { noteOperatorAct, readOperatorActs } from "./operator-log.ts";
export { selectActiveMembers } from "./select-members.sql.ts";
export { makeAuthenticate, openSession, tryAuthenticate } from "./login/sessions.ts";
export { findLivingSessions, findLivingSessionsOf, lastUseOf } from "./login/sessions.sql.ts";
export { restoreMember, suspendMember } from "./suspension.ts";
export { makeRedeemFileTicket, redeemTicket } from "./login/tickets.ts";
