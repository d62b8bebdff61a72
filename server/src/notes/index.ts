export { addNote, findReadableNote } from "./notes.ts";
export { answer, readQuestion } from "./question.ts";
