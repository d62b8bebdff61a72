import { execFile } from "node:child_process";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readMobileSettings, type MobileSettings, type Platform } from "./settings.ts";
import { writeWebFiles } from "./web-files.ts";

const execute = promisify(execFile);
const BUILD = fileURLToPath(new URL("../../web/build/native/client", import.meta.url));
const CAPACITOR = createRequire(import.meta.url).resolve("@capacitor/cli/bin/capacitor");

export async function fillProject(
  platform: Platform,
  env: Record<string, string | undefined>,
  folder: string,
): Promise<void> {
  const settings = readMobileSettings(env);
  const build = join(folder, "build");
  await mkdir(build, { recursive: true });
  await writeWebFiles(BUILD, join(build, "www"), settings, platform);
  await writeFile(join(build, "deployment.xcconfig"), deploymentOf(settings));
  const firebase = join(folder, "android/app/google-services.json");
  if (settings.googleServices === null) await rm(firebase, { force: true });
  else await copyFile(settings.googleServices, firebase);
  await capacitor(folder, env, "sync", platform);
}

/** NOTE: the settings allow no characters that Xcode or Gradle would interpret. */
function deploymentOf({ appId, brandName, apiOrigin, version, build }: MobileSettings): string {
  const values = {
    APP_ID: appId,
    APP_NAME: brandName,
    APP_VERSION: version,
    APP_BUILD: build,
    API_HOST: new URL(apiOrigin).hostname,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
}

export async function capacitor(
  folder: string,
  env: Record<string, string | undefined>,
  ...args: string[]
): Promise<string> {
  const { stdout } = await execute(process.execPath, [CAPACITOR, ...args], {
    cwd: folder,
    env: { ...env, CI: "1", NO_COLOR: "1" },
  });
  return stdout;
}
