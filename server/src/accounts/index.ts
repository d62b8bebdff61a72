export { deleteMember } from "./deletion.ts";
export { readUserIds } from "./export.sql.ts";
export { drawLetter } from "./email-template.ts";
export { mailingOf } from "./emails.ts";
export { foldEmail } from "./email.ts";
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
export { makeAuthenticate, openSession, tryAuthenticate } from "./sessions.ts";
export { findLivingSessions, findLivingSessionsOf, lastUseOf } from "./sessions.sql.ts";
export { restoreMember, suspendMember } from "./suspension.ts";
export { makeRedeemFileTicket, redeemTicket } from "./tickets.ts";
