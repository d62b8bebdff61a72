export { endPartings } from "./partings.ts";
export { isHidden, isHiddenByChoice, readHidden, readHiddenBySetting, readHiding } from "./hidden.sql.ts";
