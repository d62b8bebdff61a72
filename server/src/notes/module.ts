import * as calls from "@alcove/contract/notes";
import { type App, route } from "../platform/http/router.ts";
import { addNote, changeNote, listNotes, removeNote } from "./notes.ts";
import { answer, readQuestion } from "./question.ts";

export function registerNotes(app: App): void {
  const { ctx } = app;
  route(app, calls.getPosts, ({ me }) => listNotes(ctx, me));
  route(app, calls.addPost, ({ me, input }) => addNote(ctx, me, input));
  route(app, calls.changePost, ({ me, input }) => changeNote(ctx, me, input));
  route(app, calls.removePost, ({ me, input }) => removeNote(ctx, me, input.id));
  route(app, calls.getQuestion, ({ me, lang }) => readQuestion(ctx, me, lang));
  route(app, calls.answerQuestion, ({ me, input, lang }) => answer(ctx, me, input, lang));
}
