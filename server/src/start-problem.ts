import { join } from "node:path";
import { BusUnreachable } from "./platform/live.ts";
import { PagesMissing } from "./platform/pages.ts";
import { SettingsProblem, type Settings } from "./settings.ts";

type Coded = Error & { code?: string; syscall?: string; path?: string };

const WEB_BUILD = join(import.meta.dirname, "../../web/build/");

/**
 * Why the server could not start, in words that name the setting to look at. What is not known is told as it is, with
 * its stack, since it is for the operator alone; an address with a password is never part of it.
 */
export function startProblem(error: unknown, settings: Settings | null): string {
  if (error instanceof SettingsProblem) return error.message;
  if (error instanceof BusUnreachable) {
    const { code = "", message } = error.cause as Coded;
    return `${error.setting}: the bus of live events cannot be used (${code || message}).`;
  }
  const { code = "", syscall = "", path = "", message, stack } = error as Coded;
  if (settings && syscall === "listen") {
    const { host, port } = settings;
    if (code === "EADDRINUSE")
      return `PORT ${port} of ${host} is taken: end what listens there, or set another PORT.`;
    return `HOST ${host} (PORT ${port}) cannot be listened on: ${code}.`;
  }
  if (settings?.databaseUrl && isOfConnection(code))
    return `DATABASE_URL: the database cannot be used (${code || message}).`;
  if (error instanceof PagesMissing || (code === "ENOENT" && path.startsWith(WEB_BUILD))) {
    return "web/build: the web app is not built whole. Remove that folder; `npm start` builds it anew.";
  }
  if (settings && /^(EACCES|ENOTDIR|EROFS|ENOSPC|EEXIST)$/.test(code)) {
    return `DATA_DIR ${settings.dataDir} cannot be written to: ${code}.`;
  }
  return stack ?? String(error);
}

/** No way to the server, or none into the database: sockets, host names, and classes 08, 28 and 3D of SQLSTATE. */
function isOfConnection(code: string): boolean {
  return /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$|^(08|28|3D)/.test(code);
}
