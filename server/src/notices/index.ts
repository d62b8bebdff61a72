export { appealNotice } from "./notices.ts";
