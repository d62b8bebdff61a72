import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { NATIVE_USER_AGENT } from "@alcove/contract/native-app";
import { fillAndroidProject } from "./android.ts";
import { fillIosProject } from "./ios.ts";
import type { MobileSettings, Platform } from "./settings.ts";
import { writeWebFiles } from "./web-files.ts";

const execute = promisify(execFile);
const BUILD = fileURLToPath(new URL("../../web/build/native/client", import.meta.url));
const CAPACITOR = createRequire(import.meta.url).resolve("@capacitor/cli/bin/capacitor");

/** Makes a project anew from Capacitor's template, so that nothing generated is kept. Returns its folder. */
export async function makeProject(
  platform: Platform,
  settings: MobileSettings,
  folder: string,
): Promise<string> {
  const project = join(folder, platform);
  await rm(project, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeWebFiles(BUILD, join(folder, "www"), settings, platform);
  await writePackage(folder, platform === "ios" || settings.googleServices !== null);
  await writeFile(join(folder, "capacitor.config.json"), JSON.stringify(configOf(settings), null, 2));
  await capacitor(folder, "add", platform);
  if (platform === "android") await fillAndroidProject(project, settings);
  else await fillIosProject(project, settings);
  await capacitor(folder, "sync", platform);
  return project;
}

/** Capacitor adds the plugins that the package depends on. */
async function writePackage(folder: string, hasPushes: boolean): Promise<void> {
  const text = await readFile(new URL("../package.json", import.meta.url), "utf8");
  const own = JSON.parse(text) as { dependencies: Record<string, string> };
  if (!hasPushes) delete own.dependencies["@capacitor/push-notifications"];
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...own, name: "app" }));
}

function configOf({ appId, brandName }: MobileSettings) {
  return {
    appId,
    appName: brandName,
    webDir: "www",
    loggingBehavior: "none",
    backgroundColor: "#eaeee9",
    appendUserAgent: NATIVE_USER_AGENT,
    android: { allowMixedContent: false, webContentsDebuggingEnabled: false },
    ios: { contentInset: "never", webContentsDebuggingEnabled: false },
    plugins: {
      SystemBars: { insetsHandling: "native", initialViewportFitValueHint: "cover" },
      Keyboard: { resizeOnFullScreen: true },
      // Nothing shows while the app is open before the member.
      PushNotifications: { presentationOptions: [] },
      SplashScreen: { launchAutoHide: false },
    },
  };
}

/** Returns its output. */
export async function capacitor(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, CI: "1", NO_COLOR: "1" };
  const { stdout } = await execute(process.execPath, [CAPACITOR, ...args], { cwd: folder, env });
  return stdout;
}
