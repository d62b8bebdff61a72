export { hasSomebodyNew } from "./cards/somebody-new.ts";
export { like } from "./likes.ts";
export { findEnded, forgetEndedWith, readEnded } from "./matches/ended-matches.sql.ts";
export { areMatched, lockMatch, markMatchOpened, markMatchSeen, readMatches } from "./matches/matches.sql.ts";
export { countReplies } from "./search/order-inputs.ts";
export { hasMet } from "./relation.sql.ts";
export { centreOf } from "./position/cells.ts";
export { countEveryMove } from "./position/counted-moves.ts";
export { moveMember, saveLocation } from "./position/position.ts";
