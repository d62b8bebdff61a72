import type { Texts } from "../language.ts";
import { fields } from "./fields.ts";
import { refusals } from "./refusals.ts";

export default { fields, refusals } satisfies Texts;
