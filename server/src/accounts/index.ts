export { createMember, findMember } from "./members.ts";
export { makeAuthenticate, openSession } from "./sessions.ts";
