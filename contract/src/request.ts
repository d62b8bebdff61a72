import type { Call, InputOf } from "./call.ts";

/** A call as `fetch` sends it. `path` is below the origin and carries the query. */
export interface WireRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | FormData | null;
}

/** Writes a call's input for the wire: a query for GET, a form where a file is sent, JSON otherwise. */
export function requestOf<C extends Call>(call: C, input: InputOf<C>, language = "en"): WireRequest {
  const path = `/${language}${call.path}`;
  const filled = Object.entries(input).filter(([, value]) => value !== undefined);
  if (call.method === "GET") {
    const query = new URLSearchParams(filled.map(([name, value]): [string, string] => [name, textOf(value)]));
    return {
      path: query.size > 0 ? `${path}?${query.toString()}` : path,
      method: "GET",
      headers: {},
      body: null,
    };
  }
  if (filled.some(([, value]) => value instanceof Blob)) {
    return { path, method: call.method, headers: {}, body: formOf(filled) };
  }
  if (filled.length === 0) return { path, method: call.method, headers: {}, body: null };
  const body = JSON.stringify(Object.fromEntries(filled));
  return { path, method: call.method, headers: { "content-type": "application/json" }, body };
}

/** A value as queries and forms carry it; what is not filled is empty. */
function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function formOf(fields: [string, unknown][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : "file");
    else form.append(name, textOf(value));
  }
  return form;
}
