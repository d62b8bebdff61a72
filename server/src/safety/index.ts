export { hiddenFrom, isHidden, readHiding } from "./hidden.sql.ts";
