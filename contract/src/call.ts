import type * as z from "zod/mini";
import type { ErrorCode } from "./errors.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Who may make a call: anybody, or a member with a living session. */
export type Access = "visitor" | "member";

type Fields = z.core.$ZodObject;

/** An answer that is a file to be saved. */
export interface FileResponse {
  readonly type: "application/zip";
  readonly name: string;
}

/** One thing a client can ask of the server, as both sides know it. */
export interface Call<Input extends Fields = Fields, Answer extends z.core.$ZodType = z.core.$ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /** Below `/{lang}`. */
  readonly path: string;
  readonly access: Access;
  readonly input: Input;
  /** `null` where the call has nothing to say and answers 204, or answers with a file. */
  readonly response: Answer | null;
  /** The file that this call answers with instead of JSON. A browser may fetch it by address, with a ticket for it. */
  readonly file: FileResponse | null;
  /** Status of the answer when it has one; 200 unless said otherwise. */
  readonly status: 200 | 201;
  readonly errors: readonly ErrorCode[];
  /**
   * Several calls can share one method and path (`POST /users/api/user` has the three steps of signing up).
   * The first whose `when` accepts the names of the filled fields is meant; of changes (PATCH) all that accept them, and
   * the answer is the last one's.
   */
  readonly when: ((filled: ReadonlySet<string>) => boolean) | null;
  /** This change is made by itself: another one beside it is a fault of these fields. */
  readonly alone: readonly string[];
  /** It may be made over the live connection too (`AskFrame`), with the same outcome. */
  readonly allowOverSocket: boolean;
}

interface Description<Input extends Fields, Answer extends z.core.$ZodType | null> {
  name: string;
  summary: string;
  method: Method;
  path: string;
  access: Access;
  input: Input;
  response: Answer;
  file?: FileResponse;
  status?: 200 | 201;
  errors?: readonly ErrorCode[];
  when?: (filled: ReadonlySet<string>) => boolean;
  alone?: readonly string[];
  allowOverSocket?: boolean;
}

/** Describes a call once, for the server's routes, the typed client, the OpenAPI document and the tests. */
export function call<Input extends Fields, Answer extends z.core.$ZodType | null>(
  description: Description<Input, Answer>,
): Call<Input, Answer extends z.core.$ZodType ? Answer : never> {
  const {
    file = null,
    status = 200,
    errors = [],
    when = null,
    alone = [],
    allowOverSocket = false,
  } = description;
  // The cast keeps "answers nothing" (`null`) out of the type parameter, so that AnswerOf can be `void` there.
  return { ...description, file, status, errors, when, alone, allowOverSocket } as unknown as Call<
    Input,
    Answer extends z.core.$ZodType ? Answer : never
  >;
}

/** What a caller passes: the fields before parsing. */
export type InputOf<C extends Call> = z.input<C["input"]>;

/** What the server works with: the fields after parsing. */
export type ParsedOf<C extends Call> = z.output<C["input"]>;

/** What comes back; `void` for a call that answers 204. */
export type ResponseOf<C> =
  C extends Call<Fields, infer Answer> ? ([Answer] extends [never] ? void : z.output<Answer>) : never;
