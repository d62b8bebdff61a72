import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { languages } from "@alcove/i18n";
import { capacitor, fillProject } from "./project.ts";
import { readMobileSettings } from "./settings.ts";

const MOBILE = fileURLToPath(new URL("..", import.meta.url));
const MAIN = "android/app/src/main";
const APP = "ios/App/App";
const PBXPROJ = "ios/App/App.xcodeproj/project.pbxproj";
const REGIONS = ["en", "ja", "zh-Hans", "zh-Hant"];

const read = (path: string) => readFileSync(join(MOBILE, path), "utf8");

describe.runIf(existsSync(new URL("../../web/build/native/client/index.html", import.meta.url)))(
  "a filled project",
  () => {
    const env = {
      ...process.env,
      API_ORIGIN: "https://quiet.example",
      BRAND_NAME: "Quiet Room",
      NATIVE_APP_ID: "example.quiet.room",
      NATIVE_VERSION: "1.2.3",
      NATIVE_BUILD: "45",
    };
    /** Inside of the repository, because Capacitor looks for its plugins in the folders above. */
    let folder = "";
    const filled = async (path: string) => readFile(join(folder, path), "utf8");
    const plugins = async () =>
      (JSON.parse(await filled(`${MAIN}/assets/capacitor.plugins.json`)) as { pkg: string }[]).map(
        ({ pkg }) => pkg,
      );

    beforeAll(async () => {
      folder = await mkdtemp(join(MOBILE, "build-test-"));
      for (const name of ["package.json", "capacitor.config.js", "src", "android", "ios"])
        await cp(join(MOBILE, name), join(folder, name), { recursive: true });
      await fillProject("ios", env, folder);
      await fillProject("android", env, folder);
    }, 120_000);
    afterAll(async () => rm(folder, { recursive: true, force: true }));

    test(
      "pleases Capacitor's doctor, and has pushes on Android only with Firebase's file, without which it crashes",
      { tags: "long" },
      async () => {
        const withoutPushes = await plugins();
        const firebase = join(folder, "firebase.json");
        await writeFile(firebase, "{}");

        await fillProject("android", { ...env, GOOGLE_SERVICES_JSON: firebase }, folder);

        expect(await capacitor(folder, env, "doctor", "android")).toContain("Android looking great");
        expect(await filled("android/app/google-services.json")).toBe("{}");
        expect(await plugins()).toHaveLength(13);
        expect(withoutPushes).toEqual(
          (await plugins()).filter((name) => name !== "@capacitor/push-notifications"),
        );
        expect(await filled("ios/App/CapApp-SPM/Package.swift")).toContain("CapacitorPushNotifications");
      },
    );

    test("keeps content out of bars and keyboard, hides until it is ready, logs nothing, and names itself to the server", async () => {
      expect(JSON.parse(await filled(`${MAIN}/assets/capacitor.config.json`))).toMatchObject({
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
    });

    test("has the settings of its server for Gradle and Xcode, which define every one that the projects use", async () => {
      expect((await filled("build/deployment.xcconfig")).trim().split("\n")).toEqual([
        "APP_ID = example.quiet.room",
        "APP_NAME = Quiet Room",
        "APP_VERSION = 1.2.3",
        "APP_BUILD = 45",
        "API_HOST = quiet.example",
      ]);
      const uses = ["ios/App.xcconfig", `${APP}/Info.plist`, `${APP}/App.entitlements`].flatMap((path) =>
        [...read(path).matchAll(/\$\((AP\w+)\)/g)].map(([, name]) => name),
      );
      const ofGradle = [...read("android/app/build.gradle").matchAll(/deployment\.(A\w+)/g)].map(
        ([, name]) => name,
      );
      for (const used of [uses, ofGradle])
        expect(new Set(used)).toEqual(
          new Set(["API_HOST", "APP_BUILD", "APP_ID", "APP_NAME", "APP_VERSION"]),
        );
    });

    test("has one page that runs only its own scripts and reaches only its server", async () => {
      const files = await readdir(join(folder, MAIN, "assets/public"));
      const page = await filled(`${MAIN}/assets/public/index.html`);
      const [policy = ""] = /(?<=Content-Security-Policy" content=")[^"]+/.exec(page) ?? [];

      for (const name of ["sw.js", "site.webmanifest", "en"]) expect(files).not.toContain(name);
      expect(page).toMatch(/name="viewport"[^>]*viewport-fit=cover/);
      expect(page).toContain('"apiOrigin":"https://quiet.example"');
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("https://quiet.example wss://quiet.example;");
    });
  },
);

test.each([
  "build.gradle",
  "settings.gradle",
  "variables.gradle",
  "gradle/wrapper/gradle-wrapper.properties",
])("the Android project has the %s of the installed Capacitor", (path) => {
  const template = join(MOBILE, "../node_modules/@capacitor/cli/assets/android-template.tar.gz");
  expect(read(`android/${path}`)).toBe(execFileSync("tar", ["xzOf", template, path], { encoding: "utf8" }));
});

test("the Android app asks for the coarse position, the microphone and notifications only, allows no backup, no plain http and no screenshots", () => {
  const manifest = read(`${MAIN}/AndroidManifest.xml`);

  expect(manifest.match(/android\.permission\.\w+/g)).toEqual([
    "android.permission.INTERNET",
    "android.permission.ACCESS_COARSE_LOCATION",
    "android.permission.RECORD_AUDIO",
    "android.permission.MODIFY_AUDIO_SETTINGS",
    "android.permission.POST_NOTIFICATIONS",
  ]);
  expect(manifest).toContain('android:allowBackup="false"');
  expect(manifest).toContain('android:usesCleartextTraffic="false"');
  expect(manifest).toContain('android:windowSoftInputMode="adjustResize"');
  expect(read(`${MAIN}/java/example/alcove/app/MainActivity.java`)).toContain("FLAG_SECURE");
});

test("the Android app gets no id of Firebase before the member turns on pushes, and its channel and icon exist", () => {
  const manifest = read(`${MAIN}/AndroidManifest.xml`);
  const valueOf = (name: string) =>
    new RegExp(`${name}"\\s+android:(?:value|resource)="([^"]+)"`).exec(manifest)?.[1];

  expect(valueOf("firebase_messaging_auto_init_enabled")).toBe("false");
  expect(valueOf("firebase_analytics_collection_enabled")).toBe("false");
  expect(valueOf("default_notification_channel_id")).toBe("news");
  expect(valueOf("default_notification_icon")).toBe("@drawable/ic_notification");
  expect(read(`${MAIN}/res/drawable/ic_notification.xml`).match(/#\w+/g)).toEqual(["#FFFFFFFF"]);
});

test("both apps know each language, and open links of the server and their own scheme", () => {
  const manifest = read(`${MAIN}/AndroidManifest.xml`);

  expect(manifest).toMatch(/autoVerify="true"[^]+android:host="\$\{apiHost\}"/);
  expect(manifest.match(/(?<=pathPrefix="\/)[^"]+/g)).toEqual([...languages]);
  expect(manifest).toContain('<data android:scheme="${applicationId}" android:host="open" />');
  expect(read(`${MAIN}/res/xml/locales.xml`).match(/(?<=name=")[^"]+/g)).toEqual(REGIONS);
  expect(read(`${APP}/App.entitlements`)).toContain("<string>applinks:$(API_HOST)</string>");
  const plist = read(`${APP}/Info.plist`);
  expect(plist).toMatch(/CFBundleURLSchemes<\/key>\s*<array>\s*<string>\$\(PRODUCT_BUNDLE_IDENTIFIER\)</);
  const [, localizations = ""] = /CFBundleLocalizations<\/key>\s*<array>([^]*?)<\/array>/.exec(plist) ?? [];
  expect(localizations.match(/[\w-]+(?=<\/string>)/g)).toEqual(REGIONS);
});

test("the iOS app shows a reason for each permission, in each language", () => {
  const reasons = [
    "NSCameraUsageDescription",
    "NSFaceIDUsageDescription",
    "NSLocationWhenInUseUsageDescription",
    "NSMicrophoneUsageDescription",
  ];

  expect(read(`${APP}/Info.plist`).match(/NS\w+UsageDescription/g)).toEqual(reasons);
  for (const region of REGIONS.slice(1)) {
    const strings = read(`${APP}/${region}.lproj/InfoPlist.strings`);
    expect([...strings.matchAll(/^"(\w+)" = ".+";$/gm)].map(([, name]) => name)).toEqual(reasons);
  }
});

test("the iOS app registers for pushes, and declares that it does not track", () => {
  const privacy = read(`${APP}/PrivacyInfo.xcprivacy`);

  expect(read(`${APP}/App.entitlements`)).toMatch(/aps-environment<\/key>\s*<string>development</);
  const delegate = read(`${APP}/AppDelegate.swift`);
  expect(delegate).toContain("capacitorDidRegisterForRemoteNotifications, object: deviceToken");
  expect(delegate).toContain("capacitorDidFailToRegisterForRemoteNotifications, object: error");
  expect(privacy).toMatch(/NSPrivacyTracking<\/key>\s*<false\/>/);
  expect(privacy).not.toMatch(/Tracking<\/key>\s*<true\/>/);
  expect(privacy.match(/(?<=<string>NSPrivacyCollectedDataType)(?!Purpose)\w+/g)).toEqual([
    "EmailAddress",
    "Name",
    "PhotosorVideos",
    "CoarseLocation",
    "SensitiveInfo",
    "EmailsOrTextMessages",
    "AudioData",
    "UserID",
    "DeviceID",
    "PurchaseHistory",
  ]);
});

test("the iOS app covers itself before the switcher pictures it, in a colour of both themes", () => {
  const scene = read(`${APP}/SceneDelegate.swift`);

  expect(scene).toMatch(
    /func sceneWillResignActive[^]+window\.addSubview\(view\)[^]+func sceneDidBecomeActive/,
  );
  expect(scene).toMatch(/sceneDidBecomeActive[^}]*removeFromSuperview/);
  const [, colour = ""] = /UIColor\(named: "(\w+)"\)/.exec(scene) ?? [];
  expect(JSON.parse(read(`${APP}/Assets.xcassets/${colour}.colorset/Contents.json`))).toMatchObject({
    colors: [{ color: {} }, { appearances: [{ value: "dark" }] }],
  });
  expect(read(`${APP}/Info.plist`)).toContain("$(PRODUCT_MODULE_NAME).SceneDelegate");
});

test("Xcode's project defines each id that it uses once, lists each of our files, and leaves the settings to App.xcconfig", () => {
  const project = read(PBXPROJ);
  const defined = [...project.matchAll(/^\t\t([0-9A-F]{24})(?: \/\*.*\*\/)? = \{/gm)].map(([, id]) => id);
  const used = project.match(/\b[0-9A-F]{24}\b/g) ?? [];
  const files = ["PrivacyInfo.xcprivacy", "InfoPlist.strings", "SceneDelegate.swift", "AppDelegate.swift"];

  expect(new Set(defined).size).toBe(defined.length);
  expect(new Set(used)).toEqual(new Set(defined));
  for (const name of files) expect(project).toMatch(new RegExp(`/\\* ${name} in \\w+ \\*/,`));
  expect(project.match(/CODE_SIGN_ENTITLEMENTS = App\/App\.entitlements;/g)).toHaveLength(2);
  expect(project).toMatch(/baseConfigurationReference = \w+ \/\* App\.xcconfig \*\//);
  expect(read("ios/debug.xcconfig")).toContain('#include "App.xcconfig"');
  expect(project).not.toMatch(/(PRODUCT_BUNDLE_IDENTIFIER|MARKETING_VERSION|CURRENT_PROJECT_VERSION) =/);
});

test.runIf(process.platform === "linux")("the Android app has resources that aapt2 compiles", async () => {
  const out = await mkdtemp(join(tmpdir(), "alcove-aapt2-"));
  onTestFinished(() => rm(out, { recursive: true }));
  const args = ["compile", "--dir", join(MOBILE, MAIN, "res"), "-o", join(out, "resources.zip")];

  const { status, stderr, error } = spawnSync("aapt2", args, { encoding: "utf8" });

  expect([error, status, stderr]).toEqual([undefined, 0, ""]);
});

test.each(["Info.plist", "App.entitlements", "PrivacyInfo.xcprivacy"])(
  "the iOS app's %s is well-formed",
  (name) => {
    const open: string[] = [];
    for (const [, slash, tag = ""] of read(`${APP}/${name}`).matchAll(/<(\/?)(dict|array|key|string)>/g)) {
      if (!slash) open.push(tag);
      else expect(open.pop()).toBe(tag);
    }
    expect(open).toEqual([]);
  },
);

test.each([
  ["API_ORIGIN", "http://quiet.example"],
  ["API_ORIGIN", "https://quiet.example/path"],
  ["BRAND_NAME", "<b>Quiet</b>"],
  ["BRAND_NAME", "Quiet // $(ROOM)"],
  ["NATIVE_APP_ID", "Quiet"],
  ["NATIVE_BUILD", "0"],
])("rejects %s when it is %s", (name, value) => {
  expect(() => readMobileSettings({ API_ORIGIN: "https://quiet.example", [name]: value })).toThrow(name);
});
