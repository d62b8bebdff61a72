import { codeOfCalls } from "../../lib/api/load-calls.ts";
import type * as FormCalls from "./form-calls.ts";

/** The contact form loads them when it is used. */
export function loadFormCalls(): Promise<typeof FormCalls> {
  return codeOfCalls(import("./form-calls.ts"));
}
