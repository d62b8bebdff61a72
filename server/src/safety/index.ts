export { hiddenFrom, isHidden } from "./hidden.sql.ts";
