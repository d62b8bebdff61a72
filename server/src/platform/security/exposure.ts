import { existsSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ConfigReader } from "../config-reader.ts";
import { draftPrefix } from "../lib/private-file.ts";
import { SECRET_FILES } from "../keys/secret-files.ts";

interface Exposure {
  /** This setting lets other machines reach the server. */
  readonly cause: string;
  readonly dataDir: string;
  readonly secretsDir: string;
}

const SECRETS = [
  "TOKEN_SECRET",
  "MEDIA_SECRET",
  "SEALING_KEYS",
  "PASSWORD_PEPPER",
  "VAPID_PUBLIC_KEY",
  "VAPID_PRIVATE_KEY",
];

/** Returns a sentence for each setting that a reachable server lacks. */
export function findExposureProblems(read: ConfigReader, { cause, dataDir, secretsDir }: Exposure): string[] {
  const isMissing = (name: string) => read.text(name, null) === null;
  const problems: string[] = [];

  const missing = SECRETS.filter(isMissing).join(", ");
  if (missing && isMissing("SECRETS_DIR")) {
    problems.push(
      `SECRETS_DIR is needed with ${cause}: set it to a folder outside of DATA_DIR, or set ${missing}.`,
    );
  } else if (missing && isInside(dataDir, secretsDir)) {
    problems.push(`SECRETS_DIR is inside DATA_DIR: with ${cause}, set it to a folder outside of DATA_DIR.`);
  }
  const folders = new Set([dataDir, join(dataDir, "secrets"), secretsDir]);
  const inDataDir = [...folders]
    .flatMap((folder) => SECRET_FILES.map((name) => join(folder, name)).concat(draftsIn(folder)))
    .filter((path) => existsSync(path) && isInside(dataDir, path));
  if (inDataDir.length > 0) {
    const paths = inDataDir.join(", ");
    problems.push(`DATA_DIR contains secrets: with ${cause}, move ${paths} to a SECRETS_DIR outside of it.`);
  }
  if (isMissing("SMTP_URL")) {
    problems.push(
      `SMTP_URL is needed with ${cause}: set it to a mail server, such as smtps://user:password@mail.example; without one, codes are written to disk.`,
    );
  }
  if (isMissing("PUBLIC_URL")) {
    problems.push(
      `PUBLIC_URL is needed with ${cause}: set it to the address that members open, such as https://alcove.example.`,
    );
  }
  return problems;
}

function draftsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const isDraft = (name: string) => SECRET_FILES.some((file) => name.startsWith(draftPrefix(file)));
  return names.filter(isDraft).map((name) => join(folder, name));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const above = dirname(path);
    if (above === path) return path;
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    return resolve(realPath(above), (isAbsent && linkTarget(path)) || basename(path));
  }
}

function linkTarget(path: string): string | null {
  try {
    return realPath(resolve(realPath(dirname(path)), readlinkSync(path)));
  } catch {
    return null;
  }
}
