import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { choice, fillable, keepable, text } from "./fields.ts";
import { NOTE_ID_MAX, NOTE_MAX } from "./limits.ts";
import { memberText, noteVisibilities, Post } from "./users.ts";

const NoteText = memberText(NOTE_MAX);
const Visibility = choice(noteVisibilities);
/** An impossible id is an unknown one, not an invalid field. */
export const NoteId = text(NOTE_ID_MAX);

const Posts = z.object({ posts: z.array(Post) });
const CHANGE = write("note_changes");

export const getPosts = call({
  name: "getPosts",
  summary: "Returns the caller's notes and their answer to the week's question, newest first.",
  method: "GET",
  path: "/users/api/posts",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: Posts,
});

export const addPost = call({
  name: "addPost",
  summary:
    "Adds a note to the caller's profile: `public` for everybody who may see the profile, `private` for matches, `secret` for the caller only. Ten notes at most.",
  method: "POST",
  path: "/users/api/posts",
  access: "member",
  showsEverywhere: true,
  costs: CHANGE,
  input: z.object({ text: NoteText, visibility: Visibility }),
  response: Posts,
  errors: ["invalid_input", "too_many_posts"],
});

export const changePost = call({
  name: "changePost",
  summary: "Changes a note or an answer. Absent fields stay unchanged. Its day stays.",
  method: "PATCH",
  path: "/users/api/posts",
  access: "member",
  showsEverywhere: true,
  costs: CHANGE,
  input: z.object({ id: NoteId, text: keepable(NoteText), visibility: keepable(Visibility) }),
  response: Posts,
  errors: ["invalid_input", "not_found", "cannot_edit_post"],
});

export const removePost = call({
  name: "removePost",
  summary: "Removes a note or an answer.",
  method: "DELETE",
  path: "/users/api/posts",
  access: "member",
  showsEverywhere: true,
  costs: CHANGE,
  input: z.object({ id: NoteId }),
  response: null,
  errors: ["invalid_input", "not_found", "cannot_edit_post"],
});

/** `answer` and `visibility` are null without a reply of the caller to this question. */
const Question = z.object({
  id: z.string(),
  text: z.string(),
  ends_on: z.string(),
  answer: z.nullable(z.string()),
  visibility: z.nullable(z.enum(noteVisibilities)),
});
export type Question = z.infer<typeof Question>;

export const getQuestion = call({
  name: "getQuestion",
  summary:
    "Returns the week's question in the caller's language, with their answer. All members have the same question.",
  method: "GET",
  path: "/users/api/question",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ question: Question }),
});

export const answerQuestion = call({
  name: "answerQuestion",
  summary:
    "Sets the reply to the week's question, in place of an earlier one. It ends after seven days. An empty `text` takes it back.",
  method: "POST",
  path: "/users/api/question",
  access: "member",
  showsEverywhere: true,
  costs: CHANGE,
  input: z.object({ text: z.nullable(NoteText), visibility: fillable(Visibility) }),
  response: z.object({ question: Question }),
  errors: ["invalid_input"],
});
