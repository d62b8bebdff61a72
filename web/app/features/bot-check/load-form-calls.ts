import { OfflineError } from "../../lib/errors.ts";
import type * as FormCalls from "./form-calls.ts";

/** The forms of static pages load them when they are used. */
export function loadFormCalls(): Promise<typeof FormCalls> {
  return import("./form-calls.ts").catch((cause: unknown) => {
    throw new OfflineError("the code of calls could not be loaded", { cause });
  });
}
