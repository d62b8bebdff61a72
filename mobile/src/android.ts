import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { drawIcon, GROUND, ICON_GROUND } from "./icons.ts";
import { replaceIn } from "./replace-in.ts";
import type { MobileSettings } from "./settings.ts";

const TEMPLATES = new URL("../android/", import.meta.url);

/** Pixels of an icon of 48 dp by density. An adaptive icon is an image of 108 dp. */
const DENSITIES = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 } as const;

const resources = (content: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${content}\n</resources>\n`;

/** Turns Capacitor's template into this app. */
export async function fillAndroidProject(folder: string, settings: MobileSettings): Promise<void> {
  const { appId, brandName, apiOrigin, version, build, googleServices } = settings;
  const main = join(folder, "app/src/main");
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(main, path)), { recursive: true });
    await writeFile(join(main, path), content);
  };
  const fill = async (name: string) =>
    (await readFile(new URL(name, TEMPLATES), "utf8"))
      .replaceAll("__APP_ID__", appId)
      .replaceAll("__API_HOST__", new URL(apiOrigin).hostname);

  await write("AndroidManifest.xml", await fill("AndroidManifest.xml"));
  await write(`java/${appId.replaceAll(".", "/")}/MainActivity.java`, await fill("MainActivity.java"));
  for (const name of ["data_extraction_rules.xml", "locales.xml"])
    await write(`res/xml/${name}`, await fill(name));
  await write("res/drawable/ic_notification.xml", await fill("ic_notification.xml"));
  if (googleServices !== null) await copyFile(googleServices, join(folder, "app/google-services.json"));
  await write("res/values/styles.xml", await fill("styles.xml"));
  await write(
    "res/values/strings.xml",
    resources(
      [
        ["app_name", brandName],
        ["title_activity_main", brandName],
        ["package_name", appId],
        ["custom_url_scheme", appId],
      ]
        .map(([name, text]) => `    <string name="${name}" translatable="false">${text}</string>`)
        .join("\n"),
    ),
  );
  const colour = (name: string, value: string) => `    <color name="${name}">${value}</color>`;
  await write("res/values/colors.xml", resources(colour("ground", GROUND.light)));
  await write("res/values-night/colors.xml", resources(colour("ground", GROUND.dark)));
  await write(
    "res/values/ic_launcher_background.xml",
    resources(colour("ic_launcher_background", ICON_GROUND)),
  );
  await replaceIn(join(folder, "app/build.gradle"), [
    ["versionCode 1\n", `versionCode ${build}\n`],
    ['versionName "1.0"', `versionName "${version}"`],
  ]);

  for (const name of ["drawable", ...Object.keys(DENSITIES).flatMap(splashFolders)])
    await rm(join(main, "res", name, "splash.png"), { force: true });
  await rm(join(main, "res/drawable-v24/ic_launcher_foreground.xml"), { force: true });
  await rm(join(main, "res/drawable/ic_launcher_background.xml"), { force: true });
  for (const [density, scale] of Object.entries(DENSITIES)) {
    const at = `res/mipmap-${density}`;
    await write(`${at}/ic_launcher.png`, await drawIcon(48 * scale, { shape: "rounded" }));
    await write(`${at}/ic_launcher_round.png`, await drawIcon(48 * scale, { shape: "round" }));
    await write(`${at}/ic_launcher_foreground.png`, await drawIcon(108 * scale, { shape: "foreground" }));
  }
}

const splashFolders = (density: string) => [`drawable-land-${density}`, `drawable-port-${density}`];
