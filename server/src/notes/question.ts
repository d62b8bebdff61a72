import type { ParsedOf } from "@alcove/contract";
import type { answerQuestion, Question } from "@alcove/contract/notes";
import { questionEnd, questionOn } from "@alcove/contract/questions";
import type { Language } from "@alcove/i18n";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { translator } from "../platform/i18n.ts";
import { answerOf, changeNotes, loadPeople, newNote, type Note, noteDay } from "../profiles/index.ts";

export async function readQuestion(
  ctx: AppContext,
  { memberId }: MemberRef,
  language: Language,
): Promise<{ question: Question }> {
  const me = (await loadPeople(ctx, [memberId])).get(memberId);
  if (!me) throw new ApiError("login_required"); // deleted since the request began
  return presentQuestion(ctx, me.notes, language);
}

/** Null takes the reply back. A member has one reply, which may belong to the question before. */
export async function answer(
  ctx: AppContext,
  { memberId }: MemberRef,
  { text, visibility }: ParsedOf<typeof answerQuestion>,
  language: Language,
): Promise<{ question: Question }> {
  if (text !== null && visibility == null) throw validationError({ visibility: "required" });
  const added = text === null ? [] : [newNote(ctx, { text, visibility: visibility!, kind: "week" })];
  const notes = await ctx.db
    .transaction()
    .execute((tx) =>
      changeNotes(tx, ctx, memberId, (old) => [...added, ...old.filter(({ kind }) => kind !== "week")]),
    );
  return presentQuestion(ctx, notes, language);
}

function presentQuestion(
  ctx: AppContext,
  notes: readonly Note[],
  language: Language,
): { question: Question } {
  const day = noteDay(ctx);
  const id = `q${questionOn(day)}` as const;
  const own = answerOf(ctx, notes);
  return {
    question: {
      id,
      text: translator(language, "questions")(id as "q1"),
      ends_on: questionEnd(day),
      answer: own?.text ?? null,
      visibility: own?.visibility ?? null,
    },
  };
}
