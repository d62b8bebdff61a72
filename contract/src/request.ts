import type { Call, InputOf } from "./call.ts";

export interface WireRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | FormData | null;
}

export function buildRequest<C extends Call>(call: C, input: InputOf<C>, language = "en"): WireRequest {
  const path = `/${language}${call.path}`;
  const filled = Object.entries(input).filter(([, value]) => value !== undefined);
  if (call.method === "GET") {
    const query = new URLSearchParams(filled.map(([name, value]): [string, string] => [name, toText(value)]));
    return {
      path: filled.length > 0 ? `${path}?${query.toString()}` : path,
      method: "GET",
      headers: {},
      body: null,
    };
  }
  if (filled.some(([, value]) => value instanceof Blob)) {
    return { path, method: call.method, headers: {}, body: toFormData(filled) };
  }
  if (filled.length === 0) return { path, method: call.method, headers: {}, body: null };
  const body = JSON.stringify(Object.fromEntries(filled));
  return { path, method: call.method, headers: { "content-type": "application/json" }, body };
}

function toText(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Files come last: the server reads them only after the fields that prove the sender. */
function toFormData(fields: [string, unknown][]): FormData {
  const form = new FormData();
  const isFile = ([, value]: [string, unknown]) => Number(value instanceof Blob);
  for (const [name, value] of [...fields].sort((one, other) => isFile(one) - isFile(other))) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : "file");
    else form.append(name, toText(value));
  }
  return form;
}
