import type * as Calls from "./calls.ts";
import { OfflineError } from "./errors.ts";

/** A static page loads the code of calls only when it makes one. */
export function loadCalls(): Promise<typeof Calls> {
  return import("./calls.ts").catch((cause: unknown) => {
    throw new OfflineError("the code of calls could not be loaded", { cause });
  });
}
