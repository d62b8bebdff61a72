export { isHidden, isHiddenByName, readHidden, readHiding } from "./hidden.sql.ts";
