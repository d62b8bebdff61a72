export { hiddenFrom, isHidden, isHiddenByName, readHiding } from "./hidden.sql.ts";
