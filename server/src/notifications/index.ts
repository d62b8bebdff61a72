export { findLocalTime } from "./local-time.ts";
