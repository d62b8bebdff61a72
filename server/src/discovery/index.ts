export { isMatched as areMatched, readMatches as matchesOf } from "./matches.sql.ts";
