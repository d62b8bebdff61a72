import type { Texts } from "../language.ts";
import { fields } from "./fields.ts";
import { letters } from "./letters.ts";
import { refusals } from "./refusals.ts";

export default { fields, letters, refusals } satisfies Texts;
