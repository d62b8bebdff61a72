import { redirect } from "react-router";
import type { Call, InputOf, ResponseOf } from "@alcove/contract";
import { buildRequest } from "@alcove/contract/request";
import type { FieldError } from "../app/ui/forms/field.tsx";
import { languageOf } from "./texts/use-texts.ts";

/** An expected error of the server, or a lost connection. */
export class Problem extends Error {
  override name = "Problem";
  readonly code: string;
  /** By field names in snake case. */
  readonly fields: Readonly<Record<string, FieldError | undefined>>;

  constructor(code: string, message: string, fields: Record<string, FieldError | undefined> = {}) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

export const pathLanguage = () => languageOf(location.pathname.split("/")[1]);

/** @throws Problem, or a redirect to the login if the session has ended */
export async function api<C extends Call>(call: C, input: InputOf<C>): Promise<ResponseOf<C>> {
  const language = pathLanguage();
  const { path, method, headers, body } = buildRequest(call, input, language);
  const response = await fetch(path, { method, headers, body, cache: "no-store" }).catch(() => {
    throw new Problem("offline", "");
  });
  if (!response.ok) {
    const problem = await readProblem(response);
    if (call.access === "operator" && problem.code === "login_required")
      throw redirect(`/${language}/login?ended`);
    throw problem;
  }
  if (call.response === null) return undefined as ResponseOf<C>;
  return (await response.json()) as ResponseOf<C>;
}

interface ErrorBody {
  code?: string;
  error_message?: string;
  validation_errors?: Record<string, string[]>;
}

async function readProblem(response: Response): Promise<Problem> {
  const {
    code = "fault",
    error_message = "",
    validation_errors = {},
  } = (await response.json().catch(() => ({}))) as ErrorBody;
  const fields = Object.fromEntries(
    Object.entries(validation_errors).map(([field, [first]]) => [field, first as FieldError | undefined]),
  );
  return new Problem(code, error_message, fields);
}

export type Outcome<T> = { readonly value: T; readonly problem: null } | { readonly problem: Problem };

/** For actions of forms: an expected error is shown in the form, which keeps its text. */
export async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work(), problem: null };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}

/** The server parses the texts of a form with the call's schema. */
export function formInput<C extends Call>(data: FormData): InputOf<C> {
  return Object.fromEntries([...data].filter(([name]) => name !== "intent")) as InputOf<C>;
}
