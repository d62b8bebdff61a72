import { fields } from "./fields.ts";
import { refusals } from "./refusals.ts";

export default { fields, refusals } as const;
