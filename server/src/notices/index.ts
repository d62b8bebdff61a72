export { readRelated } from "./notices.sql.ts";
export { appealNotice, canObject } from "./notices.ts";
