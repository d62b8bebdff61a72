import type { ParsedOf, ResponseOf } from "@alcove/contract";
import { NOTES_MAX } from "@alcove/contract/limits";
import type { addPost, changePost, getPosts } from "@alcove/contract/notes";
import { areMatched } from "../discovery/index.ts";
import { NO_MEMBER } from "../members/find-member.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import {
  changeNotes,
  loadPeople,
  newNote,
  type Note,
  openNoteId,
  presentNotes,
  readableNotes,
} from "../profiles/index.ts";
import { isHiddenFrom } from "../safety/index.ts";

type Posts = ResponseOf<typeof getPosts>;

export async function listNotes(ctx: AppContext, { memberId }: MemberRef): Promise<Posts> {
  const me = (await loadPeople(ctx, [memberId])).get(memberId);
  if (!me) throw new ApiError("login_required"); // deleted since the request began
  return { posts: presentNotes(ctx, me, "author") };
}

/** @throws too_many_posts */
export async function addNote(
  ctx: AppContext,
  me: MemberRef,
  content: ParsedOf<typeof addPost>,
): Promise<Posts> {
  return change(ctx, me, (notes) => {
    if (notes.filter(({ kind }) => kind === "note").length >= NOTES_MAX) throw new ApiError("too_many_posts");
    return [newNote(ctx, { ...content, kind: "note" }), ...notes];
  });
}

/** @throws cannot_edit_post, not_found */
export async function changeNote(
  ctx: AppContext,
  me: MemberRef,
  { id, text, visibility }: ParsedOf<typeof changePost>,
): Promise<Posts> {
  const noteId = await requireOwn(ctx, me, id);
  return change(ctx, me, (notes) => {
    requireNote(notes, noteId);
    return notes.map((note) =>
      note.id === noteId
        ? { ...note, text: text ?? note.text, visibility: visibility ?? note.visibility }
        : note,
    );
  });
}

/** @throws cannot_edit_post, not_found */
export async function removeNote(ctx: AppContext, me: MemberRef, id: string): Promise<void> {
  const noteId = await requireOwn(ctx, me, id);
  await change(ctx, me, (notes) => {
    requireNote(notes, noteId);
    return notes.filter((note) => note.id !== noteId);
  });
}

async function change(
  ctx: AppContext,
  { memberId }: MemberRef,
  change: (notes: readonly Note[]) => readonly Note[],
): Promise<Posts> {
  const notes = await ctx.db.transaction().execute((tx) => changeNotes(tx, ctx, memberId, change));
  return { posts: presentNotes(ctx, { memberId, notes }, "author") };
}

function requireNote(notes: readonly Note[], noteId: string): void {
  if (!notes.some(({ id }) => id === noteId)) throw new ApiError("not_found");
}

/** An unknown id, and a note that the member may not read, are `not_found` alike. */
async function requireOwn(ctx: AppContext, me: MemberRef, id: string): Promise<string> {
  const named = openNoteId(ctx, id);
  if (named?.memberId === me.memberId) return named.noteId;
  throw new ApiError((await findReadableNote(ctx, me, id)) ? "cannot_edit_post" : "not_found");
}

/** A note that the member may read now. Null for all others, after the same statements. */
export async function findReadableNote(
  ctx: AppContext,
  { memberId: reader }: MemberRef,
  id: string,
): Promise<(MemberRef & { readonly note: Note }) | null> {
  const named = openNoteId(ctx, id);
  const author = named?.memberId ?? NO_MEMBER;
  const isVisible = !(await isHiddenFrom(ctx, reader, author)) && named !== null;
  const read = isVisible ? author : reader;
  const [isMatch, people] = await Promise.all([areMatched(ctx.db, reader, author), loadPeople(ctx, [read])]);
  const person = people.get(read);
  if (!isVisible || !person || person.isSuspended) return null;
  const notes = readableNotes(ctx, person.notes, isMatch ? "match" : "everybody");
  const note = notes.find(({ id: noteId }) => noteId === named.noteId);
  return note ? { memberId: author, note } : null;
}
