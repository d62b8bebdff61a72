import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allTranslations } from "@alcove/i18n/all";
import { capacitor, makeProject } from "./project.ts";
import { readMobileSettings } from "./settings.ts";

const BUILT = existsSync(new URL("../../web/build/native/client/index.html", import.meta.url));
const settings = readMobileSettings({
  API_ORIGIN: "https://quiet.example",
  BRAND_NAME: "Quiet Room",
  NATIVE_APP_ID: "example.quiet.room",
  NATIVE_VERSION: "1.2.3",
  NATIVE_BUILD: "45",
});
const FIREBASE = JSON.stringify({ project_info: { project_id: "quiet-room" } });

/** Inside of the repository, because Capacitor looks for its plugins in the folders above. */
let folder = "";
const read = async (...path: string[]) => readFile(join(folder, ...path), "utf8");

beforeAll(async () => {
  folder = await mkdtemp(fileURLToPath(new URL("../build-test-", import.meta.url)));
  if (!BUILT) return;
  const googleServices = join(folder, "firebase.json");
  await writeFile(googleServices, FIREBASE);
  await makeProject("android", { ...settings, googleServices }, folder);
  await makeProject("ios", settings, folder);
}, 120_000);
afterAll(async () => rm(folder, { recursive: true, force: true }));

describe.runIf(BUILT)("the Android project", () => {
  const main = "android/app/src/main";

  test("pleases Capacitor's doctor, with every plugin", async () => {
    expect(await capacitor(folder, "doctor", "android")).toContain("Android looking great");
    const plugins = JSON.parse(await read(main, "assets/capacitor.plugins.json")) as { pkg: string }[];
    expect(plugins.map(({ pkg }) => pkg).toSorted()).toEqual([
      "@aparajita/capacitor-biometric-auth",
      "@aparajita/capacitor-secure-storage",
      "@capacitor/app",
      "@capacitor/browser",
      "@capacitor/clipboard",
      "@capacitor/device",
      "@capacitor/geolocation",
      "@capacitor/haptics",
      "@capacitor/keyboard",
      "@capacitor/push-notifications",
      "@capacitor/share",
      "@capacitor/splash-screen",
      "capacitor-native-settings",
    ]);
  });

  test("has Firebase's file, a channel and a monochrome icon, but no automatic id", async () => {
    const manifest = await read(main, "AndroidManifest.xml");
    const valueOf = (name: string) =>
      new RegExp(`${name}"\\s+android:(?:value|resource)="([^"]+)"`).exec(manifest)?.[1];

    expect(await read("android/app/google-services.json")).toBe(FIREBASE);
    expect(valueOf("default_notification_icon")).toBe("@drawable/ic_notification");
    expect(valueOf("default_notification_channel_id")).toBe("news");
    expect(valueOf("firebase_messaging_auto_init_enabled")).toBe("false");
    const icon = await read(main, "res/drawable/ic_notification.xml");
    expect(icon.match(/#\w+/g)).toEqual(["#FFFFFFFF"]);
  });

  test("is built without pushes when Firebase's file is missing, because it would crash", async () => {
    const bare = join(folder, "bare");
    await makeProject("android", settings, bare);

    const plugins = await readFile(join(bare, main, "assets/capacitor.plugins.json"), "utf8");
    expect(plugins).toContain("@capacitor/share");
    expect(plugins).not.toContain("push-notifications");
  });

  test("asks for the coarse position and for notifications only, allows no backup and no plain http", async () => {
    const manifest = await read(main, "AndroidManifest.xml");

    expect(manifest.match(/android\.permission\.\w+/g)).toEqual([
      "android.permission.INTERNET",
      "android.permission.ACCESS_COARSE_LOCATION",
      "android.permission.POST_NOTIFICATIONS",
    ]);
    expect(manifest).toContain('android:allowBackup="false"');
    expect(manifest).toContain('android:usesCleartextTraffic="false"');
    expect(await read(main, "java/example/quiet/room/MainActivity.java")).toContain("FLAG_SECURE");
  });

  test("keeps content out of bars and keyboard, hides until it is ready, logs nothing, and names itself to the server", async () => {
    const config = JSON.parse(await read(main, "assets/capacitor.config.json")) as Record<string, unknown>;

    expect(config).toMatchObject({
      loggingBehavior: "none",
      appendUserAgent: "NativeApp",
      android: { webContentsDebuggingEnabled: false, allowMixedContent: false },
      plugins: {
        SystemBars: { insetsHandling: "native", initialViewportFitValueHint: "cover" },
        Keyboard: { resizeOnFullScreen: true },
        PushNotifications: { presentationOptions: [] },
        SplashScreen: { launchAutoHide: false },
      },
    });
    expect(await read(main, "assets/public/index.html")).toMatch(/name="viewport"[^>]*viewport-fit=cover/);
    expect(await read(main, "AndroidManifest.xml")).toContain('android:windowSoftInputMode="adjustResize"');
    const locales = await read(main, "res/xml/locales.xml");
    expect(locales.match(/(?<=name=")[^"]+/g)).toEqual(["en", "ja", "zh-Hans", "zh-Hant"]);
    const styles = await read(main, "res/values/styles.xml");
    expect(styles).toContain("@color/ground");
    expect(styles).toContain("@mipmap/ic_launcher_foreground");
  });

  test("opens links of the server in each language, and its own scheme", async () => {
    const manifest = await read(main, "AndroidManifest.xml");

    expect(manifest).toContain('android:autoVerify="true"');
    expect(manifest).toContain('android:host="quiet.example"');
    expect(manifest.match(/(?<=pathPrefix=")[^"]+/g)).toEqual(["/en", "/ja", "/zh-hans", "/zh-hant"]);
    expect(await read(main, "res/values/strings.xml")).toContain(
      '<string name="custom_url_scheme" translatable="false">example.quiet.room</string>',
    );
  });

  test("has the name, id, version and icons", async () => {
    expect(await read(main, "res/values/strings.xml")).toContain(">Quiet Room<");
    const gradle = await read("android/app/build.gradle");
    for (const line of ['applicationId "example.quiet.room"', "versionCode 45", 'versionName "1.2.3"'])
      expect(gradle).toContain(line);
    const sizes = { mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 };
    for (const [density, size] of Object.entries(sizes)) {
      const icon = await sharp(join(folder, main, `res/mipmap-${density}/ic_launcher.png`)).metadata();
      expect([icon.width, icon.height]).toEqual([size, size]);
    }
  });

  test.runIf(process.platform === "linux")("has resources that aapt2 compiles", async () => {
    const out = await mkdtemp(join(tmpdir(), "alcove-aapt2-"));
    const { status, stderr, error } = spawnSync(
      "aapt2",
      ["compile", "--dir", join(folder, main, "res"), "-o", join(out, "resources.zip")],
      { encoding: "utf8" },
    );
    await rm(out, { recursive: true, force: true });
    expect([error, status, stderr]).toEqual([undefined, 0, ""]);
  });

  test("has one page that runs only its own scripts and reaches only its server", async () => {
    const files = await readdir(join(folder, main, "assets/public"));
    const page = await read(main, "assets/public/index.html");
    const [policy = ""] = /(?<=Content-Security-Policy" content=")[^"]+/.exec(page) ?? [];

    for (const name of ["sw.js", "site.webmanifest", "en"]) expect(files).not.toContain(name);
    expect(page).toContain('"apiOrigin":"https://quiet.example"');
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("https://quiet.example wss://quiet.example;");
  });
});

describe.runIf(BUILT)("the iOS project", () => {
  const app = "ios/App/App";

  test("opens links of the server and its own scheme", async () => {
    expect(await read(app, "App.entitlements")).toContain("<string>applinks:quiet.example</string>");
    expect(await read(app, "Info.plist")).toMatch(
      /CFBundleURLSchemes<\/key><array><string>example\.quiet\.room</,
    );
  });

  test("registers for pushes, and passes the token to the plugin", async () => {
    expect(await read(app, "App.entitlements")).toMatch(/aps-environment<\/key>\s*<string>development</);
    const delegate = await read(app, "AppDelegate.swift");
    expect(delegate).toContain("capacitorDidRegisterForRemoteNotifications, object: deviceToken");
    expect(delegate).toContain("capacitorDidFailToRegisterForRemoteNotifications, object: error");
  });

  test("shows a reason for each permission, in each language", async () => {
    const regions = { en: "en", ja: "ja", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant" } as const;
    for (const [language, region] of Object.entries(regions)) {
      const { nativeApp } = allTranslations[language as keyof typeof regions];
      const strings = await read(app, `${region}.lproj/InfoPlist.strings`);
      expect(strings).toContain(`"NSLocationWhenInUseUsageDescription" = "${nativeApp.locationReason}";`);
      expect(strings).toContain(`"NSCameraUsageDescription" = "${nativeApp.cameraReason}";`);
      expect(strings).toContain(`"NSFaceIDUsageDescription" = "${nativeApp.faceReason}";`);
    }
    const plist = await read(app, "Info.plist");
    expect(plist.match(/NS\w+UsageDescription/g)).toEqual([
      "NSCameraUsageDescription",
      "NSFaceIDUsageDescription",
      "NSLocationWhenInUseUsageDescription",
    ]);
  });

  test("declares that it does not track, covers the switcher, and lists each file in Xcode's project", async () => {
    const privacy = await read(app, "PrivacyInfo.xcprivacy");
    expect(privacy).toMatch(/NSPrivacyTracking<\/key>\s*<false\/>/);
    expect(privacy).not.toMatch(/Tracking<\/key>\s*<true\/>/);
    expect(privacy.match(/(?<=<string>NSPrivacyCollectedDataType)(?!Purpose)\w+/g)).toEqual([
      "EmailAddress",
      "Name",
      "PhotosorVideos",
      "CoarseLocation",
      "SensitiveInfo",
      "EmailsOrTextMessages",
      "UserID",
      "DeviceID",
      "PurchaseHistory",
    ]);
    const scene = await read(app, "SceneDelegate.swift");
    expect(scene).toMatch(
      /func sceneWillResignActive[\s\S]+window\.addSubview\(view\)[\s\S]+func sceneDidBecomeActive/,
    );
    expect(scene).toMatch(/sceneDidBecomeActive[^}]*removeFromSuperview/);
    const [, colour = ""] = /UIColor\(named: "(\w+)"\)/.exec(scene) ?? [];
    expect(JSON.parse(await read(app, `Assets.xcassets/${colour}.colorset/Contents.json`))).toMatchObject({
      colors: [{ color: {} }, { appearances: [{ value: "dark" }] }],
    });
    expect(await read(app, "Info.plist")).toContain("$(PRODUCT_MODULE_NAME).SceneDelegate");
    const project = await read("ios/App/App.xcodeproj/project.pbxproj");
    for (const name of ["PrivacyInfo.xcprivacy", "App.entitlements", "InfoPlist.strings"])
      expect(project).toContain(`/* ${name} */`);
    expect(project.match(/CODE_SIGN_ENTITLEMENTS = App\/App\.entitlements;/g)).toHaveLength(2);
    expect(project.match(/PRODUCT_BUNDLE_IDENTIFIER = example\.quiet\.room;/g)).toHaveLength(2);
    const ids = [...project.matchAll(/^\t\t([0-9A-F]{24}) \/\*/gm)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has an opaque icon of 1024 pixels, and well-formed property lists", async () => {
    const icon = await sharp(
      join(folder, app, "Assets.xcassets/AppIcon.appiconset/AppIcon-512@2x.png"),
    ).metadata();
    expect([icon.width, icon.height, icon.hasAlpha]).toEqual([1_024, 1_024, false]);
    for (const name of ["Info.plist", "App.entitlements", "PrivacyInfo.xcprivacy"]) {
      const tags = [...(await read(app, name)).matchAll(/<(\/?)(dict|array|key|string)>/g)];
      const open: string[] = [];
      for (const [, slash, tag = ""] of tags) {
        if (!slash) open.push(tag);
        else expect(open.pop()).toBe(tag);
      }
      expect(open).toEqual([]);
    }
  });
});

test.each([
  ["API_ORIGIN", "http://quiet.example"],
  ["API_ORIGIN", "https://quiet.example/path"],
  ["BRAND_NAME", "<b>Quiet</b>"],
  ["NATIVE_APP_ID", "Quiet"],
  ["NATIVE_BUILD", "0"],
])("rejects %s when it is %s", (name, value) => {
  expect(() => readMobileSettings({ API_ORIGIN: "https://quiet.example", [name]: value })).toThrow(name);
});
