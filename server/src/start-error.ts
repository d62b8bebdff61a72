import { join } from "node:path";
import { DatabaseUnavailableError, OtherSchemaError } from "./platform/db/errors.ts";
import { EventBusUnreachableError } from "./platform/realtime/envelopes.ts";
import { WebAppMissingError } from "./platform/http/web-app.ts";
import { ConfigError, type Config } from "./config.ts";

type SystemError = Error & { code?: string; syscall?: string; path?: string; hostname?: string };

const WEB_BUILD = join(import.meta.dirname, "../../web/build/");

/** Names the variable to change, or returns the stack of an unknown error. Hides passwords. */
export function startError(error: unknown, config: Config | null): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof EventBusUnreachableError) {
    const { code = "", message } = error.cause as SystemError;
    return `${error.setting}: the event bus cannot be used (${code || message}).`;
  }
  if (config?.databaseUrl && error instanceof DatabaseUnavailableError) {
    return databaseUrlProblem(error.code ?? error.reason);
  }
  if (config && error instanceof OtherSchemaError) return otherSchemaProblem(config);
  const { code = "", syscall = "", path = "", hostname, stack } = error as SystemError;
  if (config && (syscall === "listen" || (syscall === "getaddrinfo" && hostname === config.host)))
    return listenProblem(code, syscall, config);
  if (config?.databaseUrl && isConnectionError(code)) return databaseUrlProblem(code);
  if (error instanceof WebAppMissingError || (code === "ENOENT" && path.startsWith(WEB_BUILD))) {
    return "web/build: the build of the web app is incomplete. Remove that folder; `npm start` builds it again.";
  }
  if (config && isFileError(code, syscall)) {
    const where = path && path !== config.dataDir ? ` at ${path}` : "";
    return `DATA_DIR ${config.dataDir} cannot be created or written to (${code}${where}).`;
  }
  return stack ?? String(error);
}

function listenProblem(code: string, syscall: string, { host, port }: Config): string {
  if (code === "EADDRINUSE")
    return `PORT ${port} of ${host} is in use: stop the program that listens there, or set another PORT.`;
  if (code === "EACCES" || code === "EPERM")
    return `PORT ${port} of ${host} is not allowed for this account: set another PORT, such as 3000.`;
  if (syscall === "getaddrinfo")
    return `HOST ${host} is no known address or name (${code}): set another HOST.`;
  return `HOST ${host} (PORT ${port}) is not available (${code}): set HOST to an address of this machine.`;
}

function databaseUrlProblem(reason: string): string {
  return `DATABASE_URL: the database cannot be used (${reason}).`;
}

function otherSchemaProblem({ databaseUrl, dataDir }: Config): string {
  return databaseUrl
    ? "DATABASE_URL: the database has the schema of another version: run that version, or use an empty database."
    : `DATA_DIR: ${dataDir} has the schema of another version: run that version, or remove the folder to begin anew.`;
}

function isConnectionError(code: string): boolean {
  return /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|42501)$|^(08|28|3D|53|57P)/.test(
    code,
  );
}

function isFileError(code: string, syscall: string): boolean {
  const codes = /^(EACCES|EPERM|ENOTDIR|EISDIR|EROFS|ENOSPC|EDQUOT|EEXIST|ELOOP|ENAMETOOLONG|EIO)$/;
  return codes.test(code) || (code === "ENOENT" && syscall === "mkdir");
}
