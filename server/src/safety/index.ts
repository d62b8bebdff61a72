export { isBlockedEither } from "./blocks.sql.ts";
