import type { Call } from "@alcove/contract/call";
import { parseFields, type ValidationErrors } from "@alcove/contract/fields";

/** The contract's errors of some fields, by their snake case names. */
export function pickErrors(call: Call, form: FormData, names: readonly string[]): ValidationErrors {
  const parsed = parseFields(call.input, Object.fromEntries(form));
  if (parsed.ok) return {};
  return Object.fromEntries(Object.entries(parsed.errors).filter(([name]) => names.includes(name)));
}
