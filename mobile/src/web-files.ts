import { createHash } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MobileSettings, Platform } from "./settings.ts";

type PageValues = Pick<MobileSettings, "apiOrigin" | "brandName">;

const DROPPED = ["sw.js", "site.webmanifest"];

export async function writeWebFiles(
  buildDir: string,
  folder: string,
  values: PageValues,
  platform: Platform,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(buildDir, folder, { recursive: true });
  for (const name of DROPPED) await rm(join(folder, name), { recursive: true, force: true });
  const page = join(folder, "index.html");
  await writeFile(page, fillPage(await readFile(page, "utf8"), values, platform));
}

/** NOTE: the settings allow no characters here that HTML or JSON would interpret. */
export function fillPage(html: string, { apiOrigin, brandName }: PageValues, platform: Platform): string {
  const filled = html
    .replace(/<link rel="manifest"[^>]*>/, "")
    .replaceAll("__API_ORIGIN__", apiOrigin)
    .replaceAll("__BRAND_NAME__", brandName);
  const policy = contentSecurityPolicy(filled, apiOrigin, platform);
  return filled.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}"/>`);
}

/** As strict as the server's. No iPhone has shown that 'self' matches the scheme of iOS. */
function contentSecurityPolicy(html: string, apiOrigin: string, platform: Platform): string {
  const inline = html.matchAll(
    /<script(?![^>]*\bsrc=)(?![^>]*type="application\/json")[^>]*>([\s\S]*?)<\/script>/g,
  );
  const hashes = [...inline].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
  const own = platform === "ios" ? "'self' capacitor://localhost" : "'self'";
  return [
    "default-src 'none'",
    `script-src ${own} ${[...new Set(hashes)].join(" ")}`,
    `style-src ${own}`,
    `img-src ${own} blob: data: ${apiOrigin}`,
    `media-src ${own} blob:`,
    `font-src ${own} data:`,
    `connect-src ${own} ${apiOrigin} ${apiOrigin.replace(/^http/, "ws")}`,
    `frame-src ${apiOrigin}`,
    `worker-src ${own}`,
    `form-action ${own}`,
    "base-uri 'none'",
  ].join("; ");
}
