export { findReadableNote } from "./notes.ts";
