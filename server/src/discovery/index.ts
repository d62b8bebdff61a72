export { like } from "./likes.ts";
export {
  isMatched as areMatched,
  lockMatch,
  lockMatchQuery,
  markMatchSeen,
  readMatches as matchesOf,
} from "./matches.sql.ts";
export { moveMember, saveLocation } from "./position.ts";
