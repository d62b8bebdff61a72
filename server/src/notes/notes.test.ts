import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser } from "@alcove/contract/discovery";
import { NOTE_MAX, NOTES_MAX, QUOTE_MAX } from "@alcove/contract/limits";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { addPost, changePost, getPosts, removePost } from "@alcove/contract/notes";
import { saveProfile, saveVisibility } from "@alcove/contract/profiles";
import { blockUser, reportUser } from "@alcove/contract/safety";
import type { NoteVisibility, Post } from "@alcove/contract/users";
import { appealCase, getCase } from "@alcove/contract/cases";
import { suspendMember } from "../accounts/index.ts";
import { decideAppeal } from "../cases/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { announceDecisions, BY_OTHER, decide, readOpenReports } from "../testing/cases.ts";
import { dumpTables, encodingsOf, placesWith } from "../testing/data-traces.ts";
import { exportOf } from "../testing/export.ts";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { recordStatements } from "../testing/statements.ts";
import { type CallError, expectError, type TestMember } from "../testing/test-service.ts";

const UNKNOWN = "5f0c1a2e-7d0b-4a8f-9c53-0d7a1b2c3d4e";

/** Hanako writes. Taro is her match, Jiro a stranger. */
async function people() {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { sex: "female", paid: true });
  const taro = await service.member("taro", { sex: "male", paid: true });
  const jiro = await service.member("jiro", { sex: "male", paid: true });
  await match(hanako, taro);
  service.clock.set("2026-05-05T13:14:15Z"); // before the ends of the sessions
  return { service, hanako, taro, jiro };
}

const write = async (who: TestMember, text: string, visibility: NoteVisibility = "public") =>
  (await who.call(addPost, { text, visibility })).posts[0]!;
const postsOf = async (whom: TestMember, who: TestMember) =>
  (await who.call(getUser, { userId: whom.user_id })).user.posts;
const textsOf = (posts: readonly Post[]) => posts.map(({ text }) => text);

async function responseTo(member: TestMember, method: string, path: string, input: object) {
  const body = JSON.stringify(input);
  const headers = { "content-type": "application/json" };
  const response = await member.fetch(`/en/users/api/${path}`, { method, headers, body });
  return `${response.status} ${await response.text()}`;
}

test("shows a note to everybody, matches or its author, newest first, with the day only", async () => {
  const { service, hanako, taro, jiro } = await people();
  const first = await write(hanako, "For everybody.");
  service.clock.advance(DAY_MS);
  for (const visibility of ["private", "secret"] as const) await write(hanako, visibility, visibility);

  expect(first).toEqual({
    id: expect.any(String) as string,
    text: "For everybody.",
    visibility: "public",
    kind: "note",
    day: "2026-05-05",
  });
  const { posts } = await hanako.call(getPosts, {});
  expect(textsOf(posts)).toEqual(["secret", "private", "For everybody."]);
  expect(posts[0]!.day).toBe("2026-05-06");
  expect((await hanako.call(getOwnUser, {})).user.posts).toEqual(posts);
  expect(await postsOf(hanako, hanako)).toEqual(posts);
  expect(await postsOf(hanako, taro)).toEqual(posts.slice(1));
  expect(await postsOf(hanako, jiro)).toEqual([first]);
  const { options } = await jiro.call(getOptions, {});
  expect(options.find(({ user_id }) => user_id === "hanako")!.posts).toEqual([first]);
});

test("changes and removes own notes, keeps absent fields and the day", async () => {
  const { service, hanako } = await people();
  const { id, day } = await write(hanako, "First\nwords.", "private");
  service.clock.advance(3 * DAY_MS);

  const { posts } = await hanako.call(changePost, { id, text: "Other words." });
  expect(posts).toEqual([{ id, text: "Other words.", visibility: "private", kind: "note", day }]);
  await hanako.call(changePost, { id, visibility: "secret" });
  await hanako.call(saveProfile, { hobby: "Kites" });
  expect((await hanako.call(getPosts, {})).posts).toEqual([{ ...posts[0], visibility: "secret" }]);

  expect(await responseTo(hanako, "DELETE", "posts", { id })).toBe("204 ");
  expect((await hanako.call(getPosts, {})).posts).toEqual([]);
  await expectError(hanako.call(changePost, { id, text: "Gone." }), "not_found");
});

test("takes ten notes of a thousand characters, also when they come at once", async () => {
  const { hanako } = await people();
  const long = "字".repeat(NOTE_MAX);
  const sent = Array.from({ length: NOTES_MAX + 3 }, () =>
    write(hanako, long).catch((error: unknown) => error),
  );

  const results = await Promise.all(sent);

  const errors = results.filter((result) => result instanceof Error) as CallError[];
  expect(errors.map(({ status, code }) => `${status} ${code}`)).toEqual(Array(3).fill("422 too_many_posts"));
  const { posts } = await hanako.call(getPosts, {});
  expect(textsOf(posts)).toEqual(Array(NOTES_MAX).fill(long));
  await hanako.call(removePost, { id: posts[4]!.id });
  await write(hanako, "One more.");
});

test("rejects an empty or long text, another visibility, and more than sixty paragraphs", async () => {
  const { hanako } = await people();
  const errorsOf = async (input: object) =>
    (await expectError(hanako.call(addPost, input as never), "invalid_input")).body["validation_errors"];

  expect(await errorsOf({ text: " \u200b", visibility: "public" })).toEqual({ text: ["required"] });
  expect(await errorsOf({ text: "a".repeat(NOTE_MAX + 1), visibility: "friends" })).toEqual({
    text: ["too_long"],
    visibility: ["unknown_choice"],
  });
  expect(await errorsOf({ text: "- a\n".repeat(61), visibility: "secret" })).toEqual({
    text: ["too_many_blocks"],
  });
  expect(await errorsOf({})).toEqual({ text: ["required"], visibility: ["required"] });
});

test("states that a reader cannot edit a note, and nothing about one that they cannot read", async () => {
  const { service, hanako, taro, jiro } = await people();
  const shown = await write(hanako, "For everybody.");
  const matches = await write(hanako, "For matches.", "private");
  const secret = await write(hanako, "For me.", "secret");
  const changes = [
    ["PATCH", { text: "Mine now." }],
    ["DELETE", {}],
  ] as const;
  const respond = async (who: TestMember, id: string) =>
    Promise.all(changes.map(([method, input]) => responseTo(who, method, "posts", { id, ...input })));
  const forbidden = '403 {"code":"cannot_edit_post","error_message":"You cannot edit this post"}';
  const unknown = await respond(jiro, UNKNOWN);
  expect(unknown[0]).toMatch(/^404 \{"code":"not_found"/);

  expect(await respond(jiro, shown.id)).toEqual([forbidden, forbidden]);
  expect(await respond(taro, matches.id)).toEqual([forbidden, forbidden]);
  for (const id of [matches.id, secret.id, `${shown.id.slice(0, -1)}-`, "x"])
    expect(await respond(jiro, id)).toEqual(unknown);
  expect(await respond(taro, secret.id)).toEqual(unknown);

  await hanako.call(saveVisibility, { paused: true });
  expect(await respond(jiro, shown.id)).toEqual(unknown);
  expect(await respond(taro, shown.id)).toEqual([forbidden, forbidden]);
  await hanako.call(saveVisibility, { paused: false, only_liked: true });
  expect(await respond(jiro, shown.id)).toEqual(unknown);
  await hanako.call(saveVisibility, { only_liked: false });
  await hanako.call(blockUser, { userId: "taro" });
  expect(await respond(taro, shown.id)).toEqual(unknown);
  await suspendMember(service.ctx, hanako.memberId);
  expect(await respond(jiro, shown.id)).toEqual(unknown);
});

test("runs the same statements for a hidden note and an unknown one, and none for the notes of cards", async () => {
  const { service, hanako, jiro } = await people();
  await service.ctx.jobs.stop();
  const countOf = async (act: () => Promise<unknown>) => {
    await act(); // keys and caches are warm
    return (await recordStatements(act)).length;
  };
  const cards = () => jiro.call(getOptions, {});
  const withoutNotes = await countOf(cards);
  for (let i = 1; i < NOTES_MAX; i++) await write(hanako, `${i}`);
  const { id } = await write(hanako, "For me.", "secret");
  expect(await countOf(cards)).toBe(withoutNotes);

  const remove = (noteId: string) => () => expectError(jiro.call(removePost, { id: noteId }), "not_found");
  const ofUnknown = await countOf(remove(UNKNOWN));
  expect(await countOf(remove(id))).toBe(ofUnknown);
  await hanako.call(saveVisibility, { paused: true });
  expect(await countOf(remove(id))).toBe(ofUnknown);
});

test("quotes a note in a message to its author, until the note is gone or for the author only", async () => {
  const { hanako, taro, jiro } = await people();
  const note = await write(hanako, `On the river. ${"a".repeat(QUOTE_MAX)}`, "private");
  const secret = await write(hanako, "For me.", "secret");
  const jiros = await write(jiro, "Of somebody else.");
  const say = async (postId: string) =>
    (await taro.call(sendDm, { receiverId: "hanako", description: "Which bridge?", postId })).dm;
  const replies = async (who: TestMember, friendId: string) =>
    (await who.call(getDms, { friendId })).dms.map(({ reply }) => reply);

  const { reply } = await say(note.id);

  expect(reply).toEqual({
    id: note.id,
    sender_id: "hanako",
    description: note.text.slice(0, QUOTE_MAX),
    has_image: false,
    is_note: true,
  });
  expect(await replies(hanako, "taro")).toEqual([reply]);
  for (const id of [secret.id, jiros.id, UNKNOWN]) expect((await say(id)).reply).toBeUndefined();
  await hanako.call(changePost, { id: note.id, visibility: "secret" });
  expect(await replies(taro, "hanako")).toEqual([undefined, undefined, undefined, undefined]);
  await hanako.call(changePost, { id: note.id, visibility: "public", text: "Corrected." });
  expect((await replies(taro, "hanako"))[0]).toEqual({ ...reply, description: "Corrected." });
  await hanako.call(removePost, { id: note.id });
  expect((await replies(hanako, "taro"))[0]).toBeUndefined();
});

test("reports a note with its text, and responds to a hidden one as to an unknown one", async () => {
  const { service, hanako, taro, jiro } = await people();
  const note = await write(hanako, "Write to my other account.");
  const secret = await write(hanako, "For me.", "secret");
  const report = (who: TestMember, fields: object) =>
    responseTo(who, "POST", "report", { userId: "hanako", reason: "spam", ...fields });
  const unknown = await report(jiro, { postId: UNKNOWN });
  expect(unknown).toMatch(/^404 /);
  for (const postId of [secret.id, (await write(taro, "Of somebody else.")).id])
    expect(await report(jiro, { postId })).toBe(unknown);
  expect(await report(jiro, { postId: note.id, dmId: UNKNOWN })).toMatch(/^400 .*not_with_others/);
  expect(await readOpenReports(service.ctx)).toEqual([]);

  expect(await report(jiro, { postId: note.id })).toBe("204 ");
  await hanako.call(changePost, { id: note.id, text: "Nothing of the kind." });
  expect(await report(jiro, { postId: note.id })).toBe("204 ");
  expect(await report(jiro, { postId: note.id })).toBe("204 ");

  const reports = await readOpenReports(service.ctx);
  expect(reports.map(({ message }) => message?.text)).toEqual([
    "Write to my other account.",
    "Nothing of the kind.",
  ]);
  // The author edits their notes as before: an error would show the case.
  await hanako.call(changePost, { id: note.id, text: "Edited." });
});

test("removes reported notes by a decision, states it to the author, and puts them back after an appeal", async () => {
  const { service, hanako, taro, jiro } = await people();
  const bad = await write(hanako, "Send me money.");
  const good = await write(hanako, "On the river.", "private");
  await jiro.call(reportUser, { userId: "hanako", reason: "spam", postId: bad.id });
  const [{ caseNo } = { caseNo: 0 }] = await readOpenReports(service.ctx);

  await decide(service.ctx, caseNo, { decision: "remove", rule: "spam", content: "note" });
  service.clock.advance(2 * DAY_MS);
  await announceDecisions(service.ctx);

  const { case: own } = await hanako.call(getCase, {}, "en");
  expect(own).toMatchObject({ decision: "remove", facts: expect.stringContaining("notes on the profile") });
  expect(textsOf((await hanako.call(getPosts, {})).posts)).toEqual([good.text]);
  await hanako.call(appealCase, { text: "It was a quotation." });
  await decideAppeal(service.ctx, caseNo, { outcome: "reverse", reason: "a quotation", by: BY_OTHER });
  expect(textsOf(await postsOf(hanako, taro))).toEqual([good.text, bad.text]);
});

test("stores notes encrypted, exports them for reading, and deletes them with the account", async () => {
  const { service, hanako } = await people();
  await write(hanako, "The blue kingfisher.", "secret");
  const traces = async () =>
    placesWith(encodingsOf("blue kingfisher"), await dumpTables(service.databaseUrl));
  expect(await traces()).toEqual([]);

  const { data, files } = await exportOf(hanako);

  const note = { text: "The blue kingfisher.", visibility: "secret", kind: "note" };
  expect(data["posts"]).toEqual([{ ...note, day: expect.any(String) as string }]);
  expect(data["user"]).not.toHaveProperty("posts");
  const page = files.get("index.html")!.toString();
  for (const words of ["The blue kingfisher.", "ひとこと", "自分だけ"]) expect(page).toContain(words);
});
