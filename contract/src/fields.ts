import * as z from "zod/mini";
import {
  ADULT_AGE,
  EMAIL_MAX,
  IMAGE_MAX_BYTES,
  OLDEST_AGE,
  PASSWORD,
  RESERVED_USER_IDS,
  SOCIAL_TOKEN_MAX,
  URL_MAX,
  USER_ID,
} from "./limits.ts";
import { webAddressOf } from "./web-url.ts";
import { isWorstPassword } from "./worst-passwords.ts";

/** Every reason a field can be refused for; the messages are in `i18n`, under `fields`. */
export const fieldMessages = [
  "required",
  "invalid",
  "invalid_characters",
  "too_long",
  "too_small",
  "too_big",
  "not_a_number",
  "whole_number",
  "unknown_choice",
  "range_reversed",
  "times_equal",
  "email_invalid",
  "email_disposable",
  "url_invalid",
  "date_invalid",
  "too_young",
  "too_old",
  "inches_too_big",
  "user_id_characters",
  "user_id_length",
  "user_id_reserved",
  "user_id_taken",
  "password_length",
  "password_common",
  "password_contains_user_id",
  "password_mismatch",
  "passwords_differ",
  "confirmation_differs",
  "code_wrong",
  "icon_required",
  "icon_again",
  "not_an_image",
  "image_too_large",
  "image_unreadable",
  "agreement_required",
  "bot_check_failed",
  "location_invalid",
  "account_exists",
  "email_or_user_id",
  "plan_required",
  "price_differs",
  "not_with_others",
] as const;
export type FieldMessage = (typeof fieldMessages)[number];

/** Field (snake case) to the list of what is wrong with it, as answers carry it. */
export type ValidationErrors = Record<string, FieldMessage[]>;

const say = (message: FieldMessage): string => message;

/** Length as members count it: Unicode code points, a line break being one however a form sends it. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Marks around a piece of text of another direction: telephones put them about numbers and names that are copied. */
const WRAPPING = /[\u202A-\u202C\u2066-\u2069]/g;

/** Some programs copy a break within a paragraph, or of a page, as a mark of its own. */
const BREAKS = /\r\n?|[\v\f]/g;

function tidy(text: string): string {
  return text.replaceAll(WRAPPING, "").replaceAll(BREAKS, "\n").trim().normalize("NFC");
}

/** Controls other than tab and line break, half surrogate pairs, and marks that turn the direction of what follows. */
function isStorable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what this refuses
  return (
    text.isWellFormed() &&
    !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/.test(text)
  );
}

/** Spaces, the blank pattern of Braille, and what no font draws by itself: a name made of these alone is none. */
const UNSEEN = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u;
const isSeen = z.refine<string>((value) => !UNSEEN.test(value), say("required"));

/** Text as a member writes it, at most `max` code points; filled unless wrapped in `emptyIsNull`. */
export function text(max: number) {
  return z.string().check(
    z.overwrite(tidy),
    z.minLength(1, say("required")),
    isSeen,
    z.refine(isStorable, say("invalid_characters")),
    z.refine((value) => lengthOf(value) <= max, say("too_long")),
  );
}

/** One line of text: line breaks become spaces. */
export function line(max: number) {
  return z.string().check(
    z.overwrite((value) => tidy(value).replaceAll(/\s+/g, " ")),
    z.minLength(1, say("required")),
    isSeen,
    z.refine(isStorable, say("invalid_characters")),
    z.refine((value) => lengthOf(value) <= max, say("too_long")),
  );
}

/** An optional field: absent means unchanged, empty means not filled. */
export function fillable<T extends z.ZodMiniType>(type: T) {
  return z.optional(z.nullable(type));
}

/** A field of a change that may be left out, which means unchanged, but not emptied. */
export function keepable<T extends z.ZodMiniType>(type: T): z.ZodMiniOptional<T> {
  const neverNull = z.nullable(type).check(z.refine((value) => value !== null, say("required")));
  // The cast keeps `null`, which is refused, out of the type; the schema takes it so that a form's empty field is heard.
  return z.optional(neverNull) as unknown as z.ZodMiniOptional<T>;
}

type When = (payload: z.core.ParsePayload) => boolean;

/**
 * Runs a check over two fields that can be read, whatever is wrong with others or by their own rules with these: a form
 * hears all its faults at once. NOTE: an issue that says `continue: false`, as `z.int` does, silences every such check.
 */
export function hasBoth(first: string, second: string): When {
  return ({ issues }) =>
    !issues.some(({ path, continue: isRead }) => (path?.[0] === first || path?.[0] === second) && !isRead);
}

/** Runs a check over two fields that are both right by themselves, for one that would say the same of them again. */
export function areRight(first: string, second: string): When {
  return ({ issues }) => !issues.some(({ path }) => path?.[0] === first || path?.[0] === second);
}

export function number(min: number, max: number) {
  return z.number().check(z.gte(min, say("too_small")), z.lte(max, say("too_big")));
}

export function wholeNumber(min: number, max: number) {
  return z
    .number(say("whole_number"))
    .check(z.multipleOf(1, say("whole_number")), z.gte(min, say("too_small")), z.lte(max, say("too_big")));
}

export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, say("unknown_choice"));
}

/** A user id somebody wants to take (specification, section 5; decisions, section 4). */
export const NewUserId = z.string().check(
  z.minLength(1, say("required")),
  z.regex(USER_ID.pattern, say("user_id_characters")),
  z.refine((id) => id.length >= USER_ID.min && id.length <= USER_ID.max, say("user_id_length")),
  z.refine((id) => !RESERVED_USER_IDS.has(id.toLowerCase()), say("user_id_reserved")),
);

/** A user id that names somebody, in whatever case. Anything that cannot be one is simply nobody. */
export const UserId = z.string().check(z.minLength(1, say("required")), z.maxLength(200, say("too_long")));

/** Half and full width letters, great and small ones are one to whoever guesses. */
const foldPassword = (password: string): string => password.normalize("NFKC").toLowerCase();

const hasRightLength = (password: string): boolean =>
  lengthOf(password) >= PASSWORD.min && lengthOf(password) <= PASSWORD.max;

/** A password somebody wants to have; `holdsUserId` looks at it together with the user id. */
export const Password = z.string().check(
  z.refine(hasRightLength, say("password_length")),
  z.refine(
    (value) => !hasRightLength(value) || !isWorstPassword(foldPassword(value)),
    say("password_common"),
  ),
);

/** Whether a password is built around the user id, in whatever case. */
export function holdsUserId(password: string, userId: string): boolean {
  return foldPassword(password).includes(userId.toLowerCase());
}

/** A password or id somebody types to get in: only bounded, so that a wrong one is wrong and not malformed. */
export const Credential = z
  .string()
  .check(z.minLength(1, say("required")), z.maxLength(1_000, say("too_long")));

/** An access token of another service: what such a token may be made of, so that it fits a query and a header. */
export const SocialToken = z
  .string()
  .check(
    z.minLength(1, say("required")),
    z.maxLength(SOCIAL_TOKEN_MAX, say("too_long")),
    z.regex(/^[\w.~+/=-]+$/, say("invalid_characters")),
  );

// The local part and labels of RFC 5321 without quoted strings and address literals, which no member has.
const EMAIL =
  /^[^\s@"(),:;<>[\]\\\u0000-\u001F\u007F]{1,64}@(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

export const Email = z.string().check(
  z.overwrite((value) => value.trim()),
  z.minLength(1, say("required")),
  z.maxLength(EMAIL_MAX, say("too_long")),
  z.regex(EMAIL, say("email_invalid")),
  z.refine(
    (value) => !value.startsWith(".") && !value.includes("..") && !value.includes(".@"),
    say("email_invalid"),
  ),
);

export const Code = z.string().check(
  z.overwrite((value) => value.normalize("NFKC").replaceAll(/\s/g, "")),
  z.minLength(1, say("required")),
  z.maxLength(100, say("too_long")),
);

/** The address of a social profile: http or https, a real host, no credentials in it. */
export const WebAddress = z.string().check(
  z.overwrite((value) => value.trim()),
  z.minLength(1, say("required")),
  z.maxLength(URL_MAX, say("too_long")),
  z.refine((value) => isStorable(value) && webAddressOf(value) !== null, say("url_invalid")),
);

/** Whole years between a birth date and a day, both `YYYY-MM-DD`; somebody born on 29 February turns on 1 March. */
export function ageOn(day: string, birth: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

function isRealDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** A real calendar date, `YYYY-MM-DD`. Whether it makes somebody an adult today is `adultProblem`'s to say. */
export const BirthDate = z
  .string()
  .check(z.minLength(1, say("required")), z.refine(isRealDate, say("date_invalid")));

/** What is wrong with a birth date on a day in UTC: nobody under 18 or over 140 (decisions, section 1); null if nothing. */
export function adultProblem(day: string, birth: string): FieldMessage | null {
  const age = ageOn(day, birth);
  if (age < ADULT_AGE) return "too_young";
  return age > OLDEST_AGE ? "too_old" : null;
}

/** An image a member sends. Whether it really is one is decided when it is read. */
function image(whenAbsent: FieldMessage) {
  return z
    .file(say(whenAbsent))
    .check(z.minSize(1, say("not_an_image")), z.maxSize(IMAGE_MAX_BYTES, say("image_too_large")));
}

export const ImageFile = image("not_an_image");
/** The picture without which nobody can sign up (specification, section 5). */
export const IconFile = image("icon_required");

/** `longitude,latitude` in degrees, as the device gives it. */
export const Location = z
  .string()
  .check(z.refine((value) => parseLocation(value) !== null, say("location_invalid")));

/** Reads `longitude,latitude`; null when it is not a place on Earth. */
export function parseLocation(value: string): { longitude: number; latitude: number } | null {
  const match = /^\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*,\s*(-?\d{1,2}(?:\.\d{1,20})?)\s*$/.exec(value);
  if (!match) return null;
  const [longitude, latitude] = [Number(match[1]), Number(match[2])];
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? { longitude, latitude } : null;
}

export const Instant = z.iso.datetime();

type AnySchema = z.core.$ZodType;

/** Strips "optional", "nullable" and defaults off a schema, to see what kind of value it wants. */
function kindOf(schema: AnySchema): { type: string; isNullable: boolean } {
  let isNullable = false;
  let def = schema._zod.def as { type: string; innerType?: AnySchema };
  while (def.innerType) {
    if (def.type === "nullable") isNullable = true;
    def = def.innerType._zod.def;
  }
  return { type: def.type, isNullable };
}

function fromForm(value: string, kind: { type: string; isNullable: boolean }): unknown {
  if (value.trim() === "") return kind.isNullable ? null : undefined;
  if (kind.type === "number") return /^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : value;
  if (kind.type === "boolean") {
    if (["yes", "true", "1", "on"].includes(value)) return true;
    if (["no", "false", "0", "off"].includes(value)) return false;
  }
  return value;
}

/** camelCase or snake_case to the snake_case under which answers name fields. */
export function fieldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const isFieldMessage = (message: string): message is FieldMessage =>
  (fieldMessages as readonly string[]).includes(message);

/** Fields whose absence has a sentence of its own. */
const ABSENT: readonly FieldMessage[] = ["agreement_required", "icon_required"];

function messageOf(issue: z.core.$ZodIssue): FieldMessage {
  const own = isFieldMessage(issue.message) ? issue.message : null;
  if (own && ABSENT.includes(own)) return own;
  if (issue.code !== "custom" && (issue.input === undefined || issue.input === null)) return "required";
  if (own) return own;
  if (issue.code === "invalid_type") {
    return issue.expected === "number" || issue.expected === "int" ? "not_a_number" : "invalid";
  }
  return "invalid";
}

/** A form that was read; of a faulty one `right` has the fields that are right by themselves. */
export type Reading<T> = { ok: true; value: T } | { ok: false; errors: ValidationErrors; right: Partial<T> };

/**
 * Reads the fields of a form, a query or a JSON body as a call's input.
 *
 * Text of forms becomes numbers and booleans where the schema wants those; an empty field means "not filled". Unknown
 * fields are dropped. Errors come per field, under its snake case name.
 */
export function readFields<S extends z.core.$ZodObject>(
  schema: S,
  raw: Record<string, unknown>,
): Reading<z.output<S>> {
  const fields: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(schema._zod.def.shape)) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    fields[name] = typeof value === "string" ? fromForm(value, kindOf(type)) : value;
  }
  const result = z.core.safeParse(schema, fields, { reportInput: true });
  if (result.success) return { ok: true, value: result.data };

  const errors: ValidationErrors = {};
  for (const issue of result.error.issues) {
    const known = (errors[fieldName(String(issue.path[0] ?? "form"))] ??= []);
    const message = messageOf(issue);
    if (!known.includes(message)) known.push(message);
  }
  const right = Object.entries(schema._zod.def.shape).flatMap(([name, type]) => {
    const reading = z.core.safeParse(type, fields[name]);
    return reading.success ? [[name, reading.data]] : [];
  });
  return { ok: false, errors, right: Object.fromEntries(right) as Partial<z.output<S>> };
}
