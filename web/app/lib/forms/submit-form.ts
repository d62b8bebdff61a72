import type { ShouldRevalidateFunctionArgs } from "react-router";
import type { Call, InputOf, ResponseOf } from "@alcove/contract/call";
import { parseFields } from "@alcove/contract/fields";
import { api } from "../api/api.ts";
import { formResult, type FormResult } from "./form-result.ts";

/** Parses a form with the call's schema and sends it. Never throws, so that no error screen replaces the form. */
export async function submitForm<C extends Call>(
  call: C,
  form: FormData,
): Promise<FormResult<ResponseOf<C>>> {
  const parsed = parseFields(call.input, Object.fromEntries(form));
  if (!parsed.ok) return { ok: false, problems: parsed.errors, error: null };
  return formResult(() => api(call, parsed.value as InputOf<C>));
}

/**
 * A `shouldRevalidate` for a screen whose form disappears with the new data, and its result with it. `onDone` gives notice
 * and then revalidates.
 */
export function reloadWhenDone({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formData === undefined && defaultShouldRevalidate;
}
