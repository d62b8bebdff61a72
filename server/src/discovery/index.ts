export { like } from "./likes.ts";
export { areMatched, lockMatch, lockMatchQuery, markMatchSeen, readMatches } from "./matches/matches.sql.ts";
export { moveMember, saveLocation } from "./position/position.ts";
