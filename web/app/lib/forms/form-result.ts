import { data } from "react-router";
import type { FieldMessage } from "@alcove/contract/fields";
import { ApiError } from "../api/errors.ts";

/** A key of the `fields` translations, or the server's own text. */
export type Problem = FieldMessage | { readonly text: string };

/** The server's messages by the snake case name of the field. */
export type Problems = Readonly<Record<string, readonly Problem[]>>;

/** The result of a `action` for `useForm`. `error` counts only without problems. */
export type FormResult<T> = { ok: true; value: T } | { ok: false; problems: Problems; error: unknown };

export async function formResult<T>(send: () => Promise<T>): Promise<FormResult<T>> {
  try {
    return { ok: true, value: await send() };
  } catch (error) {
    return { ok: false, problems: error instanceof ApiError ? error.errors : {}, error };
  }
}

/** NOTE: after a failure with status 200, React Router would load the data of all screens again. */
export function actionResult<T>(result: FormResult<T>) {
  return data(result, { status: result.ok ? 200 : 400 });
}
