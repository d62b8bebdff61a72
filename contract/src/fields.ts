import * as z from "zod/mini";
import { fieldName } from "./field-name.ts";
import {
  ADULT_AGE,
  EMAIL_MAX,
  IMAGE_MAX_BYTES,
  OLDEST_AGE,
  PASSWORD,
  RESERVED_PARTS,
  RESERVED_USER_IDS,
  SOCIAL_TOKEN_MAX,
  URL_MAX,
  USER_ID,
} from "./limits.ts";
import { EMAIL, foldTyped, hasValidDots, isVisible, lengthOf, tidy } from "./text-rules.ts";
import { parseTimeZone } from "./time-zone.ts";
import { parseWebUrl } from "./web-url.ts";

/** Every error of a field; the messages are in `i18n`, under `fields`. */
export const fieldMessages = [
  "required",
  "invalid",
  "invalid_characters",
  "too_long",
  "too_many_blocks",
  "too_small",
  "too_big",
  "not_a_number",
  "whole_number",
  "unknown_choice",
  "range_reversed",
  "version_outdated",
  "times_equal",
  "email_invalid",
  "email_disposable",
  "email_unchanged",
  "device_too_new",
  "url_invalid",
  "date_invalid",
  "date_passed",
  "too_young",
  "too_old",
  "inches_too_big",
  "user_id_characters",
  "user_id_length",
  "user_id_reserved",
  "user_id_taken",
  "username_reserved",
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
  "image_too_many_pixels",
  "image_too_long",
  "image_unreadable",
  "agreement_required",
  "good_faith_required",
  "no_picture_of_child",
  "bot_check_failed",
  "location_invalid",
  "account_exists",
  "email_or_user_id",
  "plan_required",
  "plan_too_long",
  "price_differs",
  "not_with_others",
] as const;
export type FieldMessage = (typeof fieldMessages)[number];

/** The message keys of each invalid field, by its snake case name. */
export type ValidationErrors = Record<string, FieldMessage[]>;

export const messageKey = (key: FieldMessage): string => key;

const isVisibleText = z.refine<string>(isVisible, messageKey("required"));

export function text(max: number) {
  return z.string().check(
    z.overwrite(tidy),
    z.minLength(1, messageKey("required")),
    isVisibleText,
    z.refine((value) => lengthOf(value) <= max, messageKey("too_long")),
  );
}

/** Required text on one line: line breaks become spaces. */
export function line(max: number) {
  return z.string().check(
    z.overwrite((value) => tidy(value).replaceAll(/\s+/g, " ")),
    z.minLength(1, messageKey("required")),
    isVisibleText,
    z.refine((value) => lengthOf(value) <= max, messageKey("too_long")),
  );
}

export function fillable<T extends z.ZodMiniType>(type: T) {
  return z.optional(z.nullable(type));
}

export function keepable<T extends z.ZodMiniType>(type: T): z.ZodMiniOptional<T> {
  const neverNull = z.nullable(type).check(z.refine((value) => value !== null, messageKey("required")));
  // The schema accepts null so that an empty field gets its own message; the cast keeps null out of the type.
  return z.optional(neverNull) as unknown as z.ZodMiniOptional<T>;
}

type When = (payload: z.core.ParsePayload) => boolean;

/**
 * Runs a check over two fields whenever both could be parsed, so that a form gets all its errors at once.
 *
 * NOTE: an issue with `continue: false`, such as that of `z.int`, skips every such check.
 */
export function hasBoth(first: string, second: string): When {
  return ({ issues }) =>
    !issues.some(({ path, continue: isRead }) => (path?.[0] === first || path?.[0] === second) && !isRead);
}

/** Runs a check over two fields only if both are valid, so that no error appears twice. */
export function areValid(first: string, second: string): When {
  return ({ issues }) => !issues.some(({ path }) => path?.[0] === first || path?.[0] === second);
}

export function number(min: number, max: number) {
  return z.number().check(z.gte(min, messageKey("too_small")), z.lte(max, messageKey("too_big")));
}

export function wholeNumber(min: number, max: number) {
  return z
    .number(messageKey("whole_number"))
    .check(
      z.multipleOf(1, messageKey("whole_number")),
      z.gte(min, messageKey("too_small")),
      z.lte(max, messageKey("too_big")),
    );
}

export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, messageKey("unknown_choice"));
}

export const TimeZone = z.string().check(
  z.minLength(1, messageKey("required")),
  z.refine((name) => parseTimeZone(name) !== null, messageKey("unknown_choice")),
);

export const NewUserId = z.string().check(
  z.overwrite(foldTyped),
  z.minLength(1, messageKey("required")),
  z.regex(USER_ID.pattern, messageKey("user_id_characters")),
  z.refine((id) => id.length >= USER_ID.min && id.length <= USER_ID.max, messageKey("user_id_length")),
  z.refine((id) => !isReservedUserId(id), messageKey("user_id_reserved")),
);

/** Members must not look like the service: a reserved word, or a part that only its staff could have. */
function isReservedUserId(id: string): boolean {
  if (id.length > USER_ID.max) return false; // has its own error, and megabytes of it are slow to fold
  return RESERVED_NAMES.has(letters(id)) || RESERVED_PARTS.some((part) => hasReservedPart(id, part));
}

/** Whether a user id contains a name, in any case, with separators, look-alikes (`AIc0ve`), and without its accents. */
export function hasReservedPart(id: string, name: string): boolean {
  const part = letters(name);
  return part.length >= USER_ID.min && letters(id).includes(part);
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  i: "l",
  rn: "m",
  vv: "w",
};

/** Folds small letters and digits that look alike. */
export function replaceLookAlikes(text: string): string {
  return text.replaceAll(/[013457i]|rn|vv/g, (found) => LOOK_ALIKES[found]!);
}

function letters(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  return replaceLookAlikes(plain);
}

const RESERVED_NAMES: ReadonlySet<string> = new Set([...RESERVED_USER_IDS].map(letters));

/** Folds a user id as members type and copy it: `@hanako`. */
export const foldHandle = (userId: string): string => foldTyped(userId).replace(/^@/, "");

/** A user id that names a member, in any case. An impossible one is an unknown user, not an invalid field. */
export const UserId = z
  .string()
  .check(
    z.overwrite(foldHandle),
    z.minLength(1, messageKey("required")),
    z.maxLength(200, messageKey("too_long")),
  );

/** Japanese and Chinese keyboards type these dots. */
const foldAddress = (email: string): string => foldTyped(email).replaceAll(/。/g, ".");

/** The user id or email address at login. As with `Credential`, an impossible one is wrong, not invalid. */
export const LoginName = z.string().check(
  z.overwrite((name) => foldAddress(name).replace(/^@/, "")),
  z.minLength(1, messageKey("required")),
  z.maxLength(1_000, messageKey("too_long")),
);

/** Case and full-width forms do not make a password harder to guess. */
export const foldPassword = (password: string): string => password.normalize("NFKC").toLowerCase();

const hasRightLength = (password: string): boolean =>
  lengthOf(password) >= PASSWORD.min && lengthOf(password) <= PASSWORD.max;

/** A new password. `containsUserId` checks it against the user id, the server against common passwords. */
export const Password = z.string().check(z.refine(hasRightLength, messageKey("password_length")));

export function containsUserId(password: string, userId: string): boolean {
  return foldPassword(password).includes(userId.toLowerCase());
}

/** A password at login: only its size is checked, so that a wrong one is wrong, not invalid. */
export const Credential = z
  .string()
  .check(z.minLength(1, messageKey("required")), z.maxLength(1_000, messageKey("too_long")));

/** An access token of another service, safe in a query and a header. */
export const SocialToken = z
  .string()
  .check(
    z.minLength(1, messageKey("required")),
    z.maxLength(SOCIAL_TOKEN_MAX, messageKey("too_long")),
    z.regex(/^[\w.~+/=-]+$/, messageKey("invalid_characters")),
  );

export const Email = z
  .string()
  .check(
    z.overwrite(foldAddress),
    z.minLength(1, messageKey("required")),
    z.maxLength(EMAIL_MAX, messageKey("too_long")),
    z.regex(EMAIL, messageKey("email_invalid")),
    z.refine(hasValidDots, messageKey("email_invalid")),
  );

export function foldCode(code: string): string {
  return foldTyped(code).replaceAll(/[\s-]/g, "").toUpperCase();
}

/** Another shape is wrong, not invalid. */
export const Code = z
  .string()
  .check(
    z.overwrite(foldCode),
    z.minLength(1, messageKey("required")),
    z.maxLength(100, messageKey("too_long")),
    z.describe("Eight digits or twelve capital letters. Case, spaces and hyphens are ignored."),
  );

/** The URL of a social profile: http or https, a real host, no credentials. */
export const WebUrl = z.string().check(
  z.overwrite(tidy),
  z.minLength(1, messageKey("required")),
  z.maxLength(URL_MAX, messageKey("too_long")),
  z.refine((value) => parseWebUrl(value) !== null, messageKey("url_invalid")),
);

/** Whole years from `birth` to `day`, both `YYYY-MM-DD`. A birthday on 29 February counts from 1 March. */
export function ageOn(day: string, birth: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** The age that others see. It turns with the month of birth, so that asking daily does not show the birthday. */
export function shownAgeOn(day: string, birth: string): number {
  return ageOn(`${day.slice(0, 7)}-31`, birth);
}

function isRealDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** A calendar date, `YYYY-MM-DD`; `ageError` checks the age. */
export const BirthDate = z
  .string()
  .check(z.minLength(1, messageKey("required")), z.refine(isRealDate, messageKey("date_invalid")));

export const Day = z.string().check(z.refine(isRealDate, messageKey("date_invalid")));

/** Members are 18 to 140 years old on `day` (UTC). Returns null for a valid age. */
export function ageError(day: string, birth: string): FieldMessage | null {
  const age = ageOn(day, birth);
  if (age < ADULT_AGE) return "too_young";
  return age > OLDEST_AGE ? "too_old" : null;
}

function image(whenAbsent: FieldMessage) {
  return z
    .file(messageKey(whenAbsent))
    .check(
      z.minSize(1, messageKey("not_an_image")),
      z.maxSize(IMAGE_MAX_BYTES, messageKey("image_too_large")),
    );
}

export const ImageFile = image("not_an_image");
/** The server alone reads it, so that an empty one is no voice note. */
export const VoiceFile = z.file(messageKey("invalid"));
export const IconFile = image("icon_required");

export const Location = z
  .string()
  .check(z.refine((value) => parseLocation(value) !== null, messageKey("location_invalid")));

/** A decimal number. Programs write small ones with an exponent: `1e-7`. */
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Parses a typed number; -0 is 0. Returns null for other text, such as `0x10` or `1,5`. */
export function parseNumber(value: string): number | null {
  const typed = foldTyped(value);
  // Adding 0 turns -0 into 0.
  return NUMBER.test(typed) ? Number(typed) + 0 : null;
}

/** Parses `longitude,latitude`. Returns null for a place outside the Earth's ranges. */
export function parseLocation(value: string): { longitude: number; latitude: number } | null {
  const [longitude, latitude, ...rest] = foldTyped(value).split(",").map(parseNumber);
  if (longitude == null || latitude == null || rest.length > 0) return null;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? { longitude, latitude } : null;
}

export const Instant = z.iso.datetime();

/** A structure of WebAuthn, which the browser and the server's library read. In a form it is JSON text. */
export const WebAuthnJson = z.record(z.string(), z.unknown());

type AnySchema = z.core.$ZodType;

function kindOf(schema: AnySchema): { type: string; isNullable: boolean } {
  let isNullable = false;
  let def = schema._zod.def as { type: string; innerType?: AnySchema; values?: readonly unknown[] };
  while (def.innerType) {
    if (def.type === "nullable") isNullable = true;
    def = def.innerType._zod.def;
  }
  const isNumber = def.values?.every((value) => typeof value === "number") === true;
  return { type: isNumber ? "number" : def.type, isNullable };
}

function fromForm(value: string, kind: { type: string; isNullable: boolean }): unknown {
  if (value.trim() === "") return kind.isNullable ? null : undefined;
  if (kind.type === "number") return parseNumber(value) ?? value;
  if (kind.type === "record") return parseJson(value);
  if (kind.type === "boolean") {
    if (["yes", "true", "1", "on"].includes(value)) return true;
    if (["no", "false", "0", "off"].includes(value)) return false;
  }
  return value;
}

/** Other text is no JSON of a structure, so its field is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isFieldMessage = (message: string): message is FieldMessage =>
  (fieldMessages as readonly string[]).includes(message);

const MISSING_MESSAGES: readonly FieldMessage[] = [
  "agreement_required",
  "good_faith_required",
  "icon_required",
];

function messageOf(issue: z.core.$ZodIssue): FieldMessage {
  const own = isFieldMessage(issue.message) ? issue.message : null;
  if (own && MISSING_MESSAGES.includes(own)) return own;
  if (issue.code !== "custom" && (issue.input === undefined || issue.input === null)) return "required";
  if (own) return own;
  if (issue.code === "invalid_type") {
    return issue.expected === "number" || issue.expected === "int" ? "not_a_number" : "invalid";
  }
  return "invalid";
}

export type ParseResult<T> =
  | { ok: true; value: T }
  | { ok: false; errors: ValidationErrors; valid: Partial<T> };

/**
 * Parses the fields of a form, a query or a JSON body as a call's input.
 *
 * Form text becomes a number or boolean where the schema needs one, an empty field becomes null, unknown fields are
 * dropped. Errors are listed by the snake case name of the field.
 */
export function parseFields<S extends z.core.$ZodObject>(
  schema: S,
  raw: Record<string, unknown>,
): ParseResult<z.output<S>> {
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
  return { ok: false, errors, valid: Object.fromEntries(right) as Partial<z.output<S>> };
}
