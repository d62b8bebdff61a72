import { OfflineError } from "../../lib/errors.ts";
import type * as FormCalls from "./form-calls.ts";

/** Most visitors of a static page make no call. */
export function loadFormCalls(): Promise<typeof FormCalls> {
  return import("./form-calls.ts").catch((cause: unknown) => {
    throw new OfflineError("the code of calls could not be loaded", { cause });
  });
}
