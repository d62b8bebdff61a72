import { join } from "node:path";
import { DatabaseUnreachableError } from "./platform/db/errors.ts";
import { EventBusUnreachableError } from "./platform/realtime/envelopes.ts";
import { WebAppMissingError } from "./platform/http/web-app.ts";
import { ConfigError, type Config } from "./config.ts";

type Coded = Error & { code?: string; syscall?: string; path?: string; hostname?: string };

const WEB_BUILD = join(import.meta.dirname, "../../web/build/");

/**
 * Why the server could not start, in words that name the setting to look at. What is not known is told as it is, with
 * its stack, since it is for the operator alone; an address with a password is never part of it.
 */
export function startError(error: unknown, config: Config | null): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof EventBusUnreachableError) {
    const { code = "", message } = error.cause as Coded;
    return `${error.setting}: the bus of live events cannot be used (${code || message}).`;
  }
  if (config?.databaseUrl && error instanceof DatabaseUnreachableError) {
    return databaseUrlProblem(error.code ?? error.reason);
  }
  const { code = "", syscall = "", path = "", hostname, stack } = error as Coded;
  if (config && (syscall === "listen" || (syscall === "getaddrinfo" && hostname === config.host)))
    return listenProblem(code, syscall, config);
  if (config?.databaseUrl && isOfConnection(code)) return databaseUrlProblem(code);
  if (error instanceof WebAppMissingError || (code === "ENOENT" && path.startsWith(WEB_BUILD))) {
    return "web/build: the web app is not built whole. Remove that folder; `npm start` builds it anew.";
  }
  if (config && isOfFiles(code, syscall)) {
    const where = path && path !== config.dataDir ? ` at ${path}` : "";
    return `DATA_DIR ${config.dataDir} cannot be made or written to (${code}${where}).`;
  }
  return stack ?? String(error);
}

/** Why nobody can be listened to, by what to change: the port, or the address. */
function listenProblem(code: string, syscall: string, { host, port }: Config): string {
  if (code === "EADDRINUSE")
    return `PORT ${port} of ${host} is taken: end what listens there, or set another PORT.`;
  if (code === "EACCES" || code === "EPERM")
    return `PORT ${port} of ${host} is not for this account to listen on: set another PORT, such as 3000.`;
  if (syscall === "getaddrinfo")
    return `HOST ${host} is no address and no name that this machine knows (${code}): set another HOST.`;
  return `HOST ${host} (PORT ${port}) cannot be listened on (${code}): set HOST to an address of this machine.`;
}

function databaseUrlProblem(reason: string): string {
  return `DATABASE_URL: the database cannot be used (${reason}).`;
}

/** No way to the server, none into the database, or no right in it: sockets, host names, and classes 08, 28, 3D, 53, 57 of SQLSTATE. */
function isOfConnection(code: string): boolean {
  return /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|42501)$|^(08|28|3D|53|57P)/.test(
    code,
  );
}

/** A folder that cannot be made or written into. What is not there is a mistake of ours, unless it was to be made. */
function isOfFiles(code: string, syscall: string): boolean {
  const refused = /^(EACCES|EPERM|ENOTDIR|EISDIR|EROFS|ENOSPC|EDQUOT|EEXIST|ELOOP|ENAMETOOLONG|EIO)$/;
  return refused.test(code) || (code === "ENOENT" && syscall === "mkdir");
}
