export { blockIn } from "./blocks.ts";
export { isHiddenByChoice, isHiddenFrom, readHiddenFrom, readHidingFrom } from "./hidden.ts";
export { endPartings } from "./partings.ts";
export { isHidden, readHiddenBySetting, readHiding } from "./hidden.sql.ts";
