import { randomUUID } from "node:crypto";
import type { NoteVisibility, Post } from "@alcove/contract/users";
import { questionOn } from "@alcove/contract/questions";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, dayIn, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { NONCE_BYTES } from "../platform/keys/cipher.ts";
import { openToken, sealToken } from "../platform/keys/sealed-token.ts";
import { UUID_BYTES, uuidAt, writeUuid } from "../platform/lib/uuid-bytes.ts";
import { decryptProfileText, encryptProfileText, type Note } from "./profile-text.ts";
import * as rows from "./profiles.sql.ts";

export type Reader = "everybody" | "match" | "author";

const READERS: Readonly<Record<NoteVisibility, readonly Reader[]>> = {
  public: ["everybody", "match", "author"],
  private: ["match", "author"],
  secret: ["author"],
};

type Dependencies = Pick<AppContext, "clock" | "config">;

export const noteDay = ({ clock, config }: Dependencies): string => dayIn(config.dayTimeZone, clock.now());

export const newNote = (ctx: Dependencies, content: Pick<Note, "text" | "visibility" | "kind">): Note => ({
  id: randomUUID(),
  ...content,
  day: noteDay(ctx),
});

/** The day when a reply of that day is gone. */
const answerEnd = (day: string): string =>
  utcDay(new Date(Date.parse(`${day}T00:00:00Z`) + RETENTION.answerDays * DAY_MS));

const isOver = ({ kind, day }: Note, today: string): boolean => kind === "week" && answerEnd(day) <= today;

/** Newest first. */
export function readableNotes(ctx: Dependencies, notes: readonly Note[], reader: Reader): Note[] {
  const today = noteDay(ctx);
  return notes.filter((note) => READERS[note.visibility].includes(reader) && !isOver(note, today));
}

/** Null without a reply to the present question. */
export function answerOf(ctx: Dependencies, notes: readonly Note[]): Note | null {
  const question = questionOn(noteDay(ctx));
  return (
    readableNotes(ctx, notes, "author").find(
      ({ kind, day }) => kind === "week" && questionOn(day) === question,
    ) ?? null
  );
}

export function presentNotes(
  ctx: Pick<AppContext, "clock" | "config" | "secrets">,
  author: { readonly memberId: number; readonly notes: readonly Note[] },
  reader: Reader,
): Post[] {
  return readableNotes(ctx, author.notes, reader).map((note) => {
    const { text, visibility, kind, day } = note;
    return { id: noteIdOf(ctx, author.memberId, note), text, visibility, kind, day };
  });
}

/**
 * Changes the member's notes and drops a reply that is over. The profile's lock orders parallel changes.
 *
 * @throws login_required for a deleted member
 */
export async function changeNotes(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  change: (notes: readonly Note[]) => readonly Note[],
): Promise<readonly Note[]> {
  const row = await rows.lockProfile(tx, memberId);
  if (!row) throw new ApiError("login_required");
  const text = await decryptProfileText(ctx.encryption, memberId, row.encrypted_profile);
  const notes = change(readableNotes(ctx, text.notes, "author"));
  const answer = notes.find(({ kind }) => kind === "week");
  await rows.updateNotes(tx, memberId, {
    encrypted_profile: await encryptProfileText(ctx.encryption, memberId, { ...text, notes }),
    answer_ends_on: answer ? answerEnd(answer.day) : null,
  });
  return notes;
}

/** Nobody reads a reply that is over; this destroys it. */
export async function endAnswers(ctx: AppContext): Promise<void> {
  for (const memberId of await rows.findAnswersUntil(ctx.db, noteDay(ctx)))
    await ctx.db.transaction().execute(async (tx) => {
      if (await rows.lockProfile(tx, memberId)) await changeNotes(tx, ctx, memberId, (notes) => notes);
    });
}

const PURPOSE = "note id";

/** Names the author too, so that no table leads from a note to its author. The same for everybody. */
export function noteIdOf({ secrets }: Pick<AppContext, "secrets">, memberId: number, note: Note): string {
  const plain = Buffer.alloc(UUID_BYTES + 8);
  writeUuid(plain, 0, note.id);
  plain.writeBigUInt64BE(BigInt(memberId), UUID_BYTES);
  return sealToken(secrets, plain, PURPOSE, Buffer.from(plain.subarray(0, NONCE_BYTES)));
}

/** Null for an id that `noteIdOf` never returned. */
export function openNoteId(
  { secrets }: Pick<AppContext, "secrets">,
  id: string,
): { readonly memberId: number; readonly noteId: string } | null {
  const plain = openToken(secrets, id, PURPOSE);
  return plain && { memberId: Number(plain.readBigUInt64BE(UUID_BYTES)), noteId: uuidAt(plain, 0) };
}
