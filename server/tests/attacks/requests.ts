import { calls, type Call } from "@alcove/contract";

export const json = { "content-type": "application/json" };

export const callsByName = calls.map((call): [string, Call] => [call.name, call]);
export const callsWithFields = callsByName.filter(([, call]) => fieldsOf(call).length > 0);

/** Words that a response shows only when it leaks internals. */
export const INTERNALS =
  /node_modules|\/server\/src|\.ts:\d|\bat async\b|\bat Object\.|select .* from|insert into|syntax error|invalid input syntax|violates|\bpg_|kysely|postgres|\bzod\b|ENOENT/i;

export function fieldsOf(call: Call): string[] {
  return Object.keys(call.input._zod.def.shape);
}

/** Form or query fields; files need a multipart form. */
export function urlEncoded(fields: Record<string, unknown>): URLSearchParams {
  const filled = Object.entries(fields).filter(([, value]) => value != null && !(value instanceof Blob));
  return new URLSearchParams(filled.map(([name, value]): [string, string] => [name, String(value)]));
}

export function multipart(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value, "picture.png");
    else if (value != null) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

/** Returns the fields as JSON, with the JSON text `value` as the field `name`. */
export function jsonWith(fields: Record<string, unknown>, name: string, value: string): string {
  const { [name]: _, icon: __, ...others } = fields;
  return `${JSON.stringify(others).slice(0, -1)}${Object.keys(others).length > 0 ? "," : ""}${JSON.stringify(name)}:${value}}`;
}
