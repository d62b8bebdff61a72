export { deleteMember } from "./deletion.ts";
export { readUserIds } from "./export.sql.ts";
export { createMember, findAnyMember, findMember } from "./members.ts";
export { noteOperatorAct } from "./operator-log.ts";
export { makeAuthenticate, openSession } from "./sessions.ts";
export { restoreMember, suspendMember } from "./suspension.ts";
export { makeRedeemFileTicket, redeemTicket } from "./tickets.ts";
