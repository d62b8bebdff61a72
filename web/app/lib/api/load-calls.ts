import type * as Calls from "./calls.ts";
import { OfflineError } from "./errors.ts";

/** A static page loads the code of calls only when it makes one. */
export function loadCalls(): Promise<typeof Calls> {
  return codeOfCalls(import("./calls.ts"));
}

/** @throws OfflineError if the code could not be loaded */
export function codeOfCalls<Code>(loading: Promise<Code>): Promise<Code> {
  return loading.catch((cause: unknown) => {
    throw new OfflineError("the code of calls could not be loaded", { cause });
  });
}
