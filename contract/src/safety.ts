import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import {
  choice,
  Email,
  foldHandle,
  hasBoth,
  messageKey,
  fillable,
  keepable,
  line,
  text,
  UserId,
} from "./fields.ts";
import { NEVER_SEE, NOTE_ID_MAX, REPORT_MAX, USER_ID } from "./limits.ts";
import { Party } from "./users.ts";

/** Twelve digits, drawn at random: neither order nor count shows in them. Of cases too. */
export const REPORT_NUMBER = /^[1-9]\d{11}$/;

export const reportReasons = ["fake", "harassment", "spam", "underage", "threat", "other"] as const;
export type ReportReason = (typeof reportReasons)[number];

export const blockUser = call({
  name: "blockUser",
  method: "POST",
  path: "/users/api/block",
  access: "member",
  summary: "Blocks a member: ends the match, hides the chat on both sides and cuts its sockets.",
  costs: { ...write("blocks"), learns: "user_id" },
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found", "cannot_block_yourself"],
});

export const unblockUser = call({
  name: "unblockUser",
  summary: "Removes a block. Match and chat stay ended; the two may meet again after 90 days.",
  method: "DELETE",
  path: "/users/api/block",
  access: "member",
  costs: { ...write("blocks"), learns: "user_id" },
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found"],
});

export const getBlocks = call({
  name: "getBlocks",
  summary: "Returns the members whom the caller has blocked, newest first.",
  method: "GET",
  path: "/users/api/blocks",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ users: z.array(Party) }),
});

const NamedOrEnded = { userId: fillable(UserId), endedId: fillable(z.uuid({ error: "invalid" })) };
const isNamed = z.refine<{ userId?: unknown; endedId?: unknown }>(
  ({ userId, endedId }) => (userId ?? endedId) != null,
  { path: ["userId"], error: messageKey("required"), when: hasBoth("userId", "endedId") },
);

const hasOneSubject = z.refine<{ dmId?: unknown; postId?: unknown }>(
  ({ dmId, postId }) => dmId == null || postId == null,
  { path: ["postId"], error: messageKey("not_with_others"), when: hasBoth("dmId", "postId") },
);

export const reportUser = call({
  name: "reportUser",
  method: "POST",
  path: "/users/api/report",
  access: "member",
  forCase: true,
  summary:
    "Reports a member to the operator; a member who blocked the caller can be reported too. `dmId` is the id of a message from that member, for 30 days also of a chat that a block has hidden. `postId` is the id of a note of that member; 404 if the caller cannot see it. `endedId` names the member of an ended match in place of `userId`. One report for each reason is open at a time: a further text or message, up to twenty, is added to it, with the same response.",
  costs: { ...write("reports", { max: 20, per: "day" }), learns: "user_id" },
  input: z
    .object({
      ...NamedOrEnded,
      reason: choice(reportReasons),
      detail: fillable(text(REPORT_MAX)),
      dmId: fillable(z.uuid({ error: "invalid" })),
      postId: fillable(text(NOTE_ID_MAX)),
    })
    .check(isNamed, hasOneSubject),
  response: null,
  errors: [
    "invalid_input",
    "user_not_found",
    "cannot_report_yourself",
    "too_many_requests",
    "media_unavailable",
  ],
});

export const pressThreat = call({
  name: "pressThreat",
  method: "POST",
  path: "/users/api/threat",
  access: "member",
  forCase: true,
  withoutConsent: true,
  summary:
    "For a member who is threatened: parts the two as a block does, copies what the other member wrote to the caller in the last 30 days for the operators, and informs them. `endedId` names the member of an ended match in place of `userId`. With `ownMessages=yes` the caller's messages to them are copied too; with `hide=yes` the caller pauses. Returns the number of the report, the same for the same member. 404 unless that member wrote to the caller.",
  costs: { ...write("threats", { max: 20, per: "day" }), learns: "user_id" },
  input: z
    .object({ ...NamedOrEnded, hide: keepable(z.boolean()), ownMessages: keepable(z.boolean()) })
    .check(isNamed),
  response: z.object({ number: z.string() }),
  errors: ["invalid_input", "user_not_found", "too_many_requests", "media_unavailable"],
});

export const getThreatEvidence = call({
  name: "getThreatEvidence",
  method: "GET",
  path: "/users/api/threat/evidence",
  access: "member",
  forCase: true,
  summary:
    "Returns the evidence file of a threat that the caller reported, signed so that the operator can check it. 404 until a person has confirmed the threat.",
  costs: write("threat_evidence", { max: 30, per: "day" }),
  input: z.object({ number: z.string().check(z.regex(REPORT_NUMBER, messageKey("invalid"))) }),
  response: z.object({ file: z.string() }),
  errors: ["invalid_input", "not_found", "too_many_requests"],
});

export const neverSeeKinds = ["email", "handle"] as const;
export type NeverSeeKind = (typeof neverSeeKinds)[number];

/** A person named by email address or user id (`handle`). */
export interface NeverSeePerson {
  readonly kind: NeverSeeKind;
  readonly value: string;
}

/** Parses names separated by line breaks, spaces or commas. Returns null if one is neither an email address nor a user id. */
export function parseNeverSee(who: string): NeverSeePerson[] | null {
  const names = who.split(/[\s,;\u3001\uFF0C\uFF1B]+/u).filter((name) => name !== "");
  const people = names.map(parsePerson);
  return people.some((person) => person === null) ? null : people.filter((person) => person !== null);
}

function parsePerson(name: string): NeverSeePerson | null {
  const value = foldHandle(name);
  if (value.includes("@")) {
    const email = z.core.safeParse(Email, value);
    return email.success ? { kind: "email", value: email.data } : null;
  }
  const isHandle = USER_ID.pattern.test(value) && value.length >= USER_ID.min && value.length <= USER_ID.max;
  return isHandle ? { kind: "handle", value } : null;
}

/** An entry never contains the name: only a digest of it is stored. */
const NeverSeeEntry = z.object({
  id: z.string(),
  kind: z.enum(neverSeeKinds),
  note: z.nullable(z.string()),
  added_at: z.string(),
  removable_at: z.string(),
  /** Until then it can be removed too; null afterwards. */
  undo_until: z.nullable(z.string()),
});
export type NeverSeeEntry = z.infer<typeof NeverSeeEntry>;

export const getNeverSee = call({
  name: "getNeverSee",
  summary: "Returns the caller's entries of people who must never see them, newest first, without the names.",
  method: "GET",
  path: "/users/api/never-see",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ entries: z.array(NeverSeeEntry) }),
});

export const addNeverSee = call({
  name: "addNeverSee",
  summary:
    "Names people by email address or user id: from then on they never see the caller, even if they join later. Nothing changes for the caller: they may still see the named people, whom their likes do not reach. No response depends on whether a name belongs to a member. `note` is stored with each of the new entries, encrypted with the caller's key.",
  method: "POST",
  path: "/users/api/never-see",
  access: "member",
  costs: write("never_see_changes"),
  input: z.object({
    who: text(4_000).check(
      z.refine((who) => (parseNeverSee(who)?.length ?? 0) > 0, messageKey("email_or_user_id")),
      z.refine((who) => (parseNeverSee(who)?.length ?? 0) <= NEVER_SEE.perDay, messageKey("too_long")),
    ),
    note: fillable(line(NEVER_SEE.noteMax)),
  }),
  response: z.object({ entries: z.array(NeverSeeEntry) }),
  errors: ["invalid_input", "never_see_full", "too_many_requests"],
});

export const noteNeverSee = call({
  name: "noteNeverSee",
  summary: "Changes or, without `note`, removes the caller's note of an entry.",
  method: "PATCH",
  path: "/users/api/never-see",
  access: "member",
  costs: write("never_see_changes"),
  input: z.object({ id: z.uuid({ error: "invalid" }), note: fillable(line(NEVER_SEE.noteMax)) }),
  response: z.object({ entries: z.array(NeverSeeEntry) }),
  errors: ["invalid_input", "not_found"],
});

export const removeNeverSee = call({
  name: "removeNeverSee",
  summary:
    "Removes an entry within ten minutes after it was added, and from 30 days after. The named person may see the caller again, and the caller's likes count as any old like.",
  method: "DELETE",
  path: "/users/api/never-see",
  access: "member",
  costs: write("never_see_removals", { max: 20, per: "day" }),
  input: z.object({ id: z.uuid({ error: "invalid" }) }),
  response: z.object({ entries: z.array(NeverSeeEntry) }),
  errors: ["invalid_input", "not_found", "never_see_too_new"],
});
