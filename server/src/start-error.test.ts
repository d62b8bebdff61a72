import { join } from "node:path";
import { expect, test } from "vitest";
import { DatabaseUnavailableError, OtherSchemaError } from "./platform/db/errors.ts";
import { readConfig } from "./config.ts";
import { startError } from "./start-error.ts";

const coded = (code: string, syscall?: string, more: object = {}) =>
  Object.assign(new Error("failed"), { code, syscall, ...more });
/** A folder of its own, because the checkout's may have secrets. */
const read = (env: Record<string, string>) => readConfig({ DATA_DIR: "/nowhere/data", ...env });
const DATABASE_URL = "postgres://a:secret@127.0.0.1:1/x";
/** A server that other machines reach needs them. */
const exposed = {
  SECRETS_DIR: "/elsewhere/keys",
  SMTP_URL: "smtp://127.0.0.1:9",
  PUBLIC_URL: "https://alcove.example",
};

test.each([
  [coded("EADDRINUSE", "listen"), {}, "PORT 3000"],
  [coded("EADDRNOTAVAIL", "listen"), { HOST: "203.0.113.7", ...exposed }, "HOST 203.0.113.7"],
  [coded("EACCES", "listen"), { PORT: "80" }, "PORT 80 of 127.0.0.1 is not allowed"],
  [
    coded("ENOTFOUND", "getaddrinfo", { hostname: "999.1.1.1" }),
    { HOST: "999.1.1.1", DATABASE_URL, ...exposed },
    "HOST 999.1.1.1",
  ],
  [coded("ENOTFOUND", "getaddrinfo", { hostname: "db.example" }), { DATABASE_URL }, "DATABASE_URL"],
  [coded("ECONNREFUSED", "connect"), { DATABASE_URL }, "DATABASE_URL"],
  [coded("28P01"), { DATABASE_URL }, "DATABASE_URL"],
  [new DatabaseUnavailableError(new Error("cut off")), { DATABASE_URL }, "DATABASE_URL"],
  [new OtherSchemaError(new Error("unknown")), { DATABASE_URL }, "DATABASE_URL"],
  [new OtherSchemaError(new Error("unknown")), { DATA_DIR: "/nowhere" }, "DATA_DIR: /nowhere"],
  [coded("EACCES", "mkdir"), { DATA_DIR: "/nowhere" }, "DATA_DIR /nowhere"],
  [coded("ENOENT", "mkdir", { path: "/nowhere/media" }), { DATA_DIR: "/nowhere" }, "DATA_DIR /nowhere"],
])("names the variable of a failed start: %s", (error, env, named) => {
  const words = startError(error, read(env));

  expect(words).toContain(named);
  expect(words).not.toMatch(/secret|\n/);
});

test("reports an incomplete web build without a path of this machine", () => {
  const path = join(import.meta.dirname, "../../web/build/client/index.html");
  const error = Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT", syscall: "open", path });

  expect(startError(error, read({}))).toMatch(/^web\/build: [^\n]*npm start[^\n]*$/);
});

test("returns an unexpected error with its stack", () => {
  expect(startError(new Error("strange"), read({}))).toMatch(/strange\n\s+at /);
});
