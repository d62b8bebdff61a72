import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { allTranslations } from "@alcove/i18n/all";
import { drawGround, drawIcon, GROUND } from "./icons.ts";
import { replaceIn } from "./replace-in.ts";
import type { MobileSettings } from "./settings.ts";

const TEMPLATES = new URL("../ios/", import.meta.url);

/** Apple's names of our languages. */
const REGIONS = { en: "en", ja: "ja", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant" } as const;

/** As in the privacy policy: linked to the member, for the function of the app, never for tracking. */
const COLLECTED = [
  "EmailAddress",
  "Name",
  "PhotosorVideos",
  "CoarseLocation",
  "SensitiveInfo",
  "EmailsOrTextMessages",
  "UserID",
  "DeviceID", // of pushes, if turned on
  "PurchaseHistory",
];

/** Turns Capacitor's template into this app. */
export async function fillIosProject(folder: string, settings: MobileSettings): Promise<void> {
  const { appId, brandName, apiOrigin, version, build } = settings;
  const app = join(folder, "App/App");
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), content);
  };
  const read = async (name: string) => readFile(new URL(name, TEMPLATES), "utf8");

  await write("SceneDelegate.swift", await read("SceneDelegate.swift"));
  await write(
    "App.entitlements",
    (await read("App.entitlements")).replace("__API_HOST__", new URL(apiOrigin).hostname),
  );
  await write(
    "PrivacyInfo.xcprivacy",
    (await read("PrivacyInfo.xcprivacy")).replace("__COLLECTED__", COLLECTED.map(collected).join("\n")),
  );
  for (const [language, region] of Object.entries(REGIONS)) {
    const { locationReason, cameraReason, faceReason } =
      allTranslations[language as keyof typeof REGIONS].nativeApp;
    const lines = {
      NSLocationWhenInUseUsageDescription: locationReason,
      NSCameraUsageDescription: cameraReason,
      NSFaceIDUsageDescription: faceReason,
    };
    const strings = Object.entries(lines).map(([key, text]) => `"${key}" = ${JSON.stringify(text)};\n`);
    await write(`${region}.lproj/InfoPlist.strings`, strings.join(""));
  }
  const english = allTranslations.en.nativeApp;
  await replaceIn(join(app, "Info.plist"), [
    [
      "<key>LSRequiresIPhoneOS</key>",
      [
        ...keyed("CFBundleLocalizations", `<array>${Object.values(REGIONS).map(string).join("")}</array>`),
        ...keyed("CFBundleURLTypes", urlTypes(appId)),
        ...keyed("ITSAppUsesNonExemptEncryption", "<false/>"),
        ...keyed("NSCameraUsageDescription", string(english.cameraReason)),
        ...keyed("NSFaceIDUsageDescription", string(english.faceReason)),
        ...keyed("NSLocationWhenInUseUsageDescription", string(english.locationReason)),
        "<key>LSRequiresIPhoneOS</key>",
      ].join("\n\t"),
    ],
    ["<string>armv7</string>", "<string>arm64</string>"],
  ]);
  const plist = await readFile(join(app, "Info.plist"), "utf8");
  const named = plist.replace(
    /(<key>CFBundleDisplayName<\/key>\s*)<string>[^<]*<\/string>/,
    `$1${string(brandName)}`,
  );
  await write("Info.plist", named);
  await write(
    "Assets.xcassets/AppIcon.appiconset/AppIcon-512@2x.png",
    await drawIcon(1_024, { shape: "square" }),
  );
  for (const name of ["-1", "-2", ""])
    await write(
      `Assets.xcassets/Splash.imageset/splash-2732x2732${name}.png`,
      await drawGround(GROUND.light),
    );
  await write("Assets.xcassets/Ground.colorset/Contents.json", JSON.stringify(GROUND_COLOUR, null, 2));
  await replaceIn(join(app, "AppDelegate.swift"), [
    [
      "    func application(_ application: UIApplication,\n",
      `${PUSH_CALLBACKS}    func application(_ application: UIApplication,\n`,
    ],
  ]);
  await writeProject(join(folder, "App/App.xcodeproj/project.pbxproj"), { appId, version, build });
}

const colourSet = (hex: string) => ({
  "color-space": "srgb",
  components: {
    red: `0x${hex.slice(1, 3)}`,
    green: `0x${hex.slice(3, 5)}`,
    blue: `0x${hex.slice(5, 7)}`,
    alpha: "1.000",
  },
});

/** Covers the app before the switcher pictures it. */
const GROUND_COLOUR = {
  colors: [
    { idiom: "universal", color: colourSet(GROUND.light) },
    {
      idiom: "universal",
      appearances: [{ appearance: "luminosity", value: "dark" }],
      color: colourSet(GROUND.dark),
    },
  ],
  info: { author: "xcode", version: 1 },
};

/** Pass the token to Capacitor's plugin. */
const PUSH_CALLBACKS = `    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        NotificationCenter.default.post(name: .capacitorDidRegisterForRemoteNotifications, object: deviceToken)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        NotificationCenter.default.post(name: .capacitorDidFailToRegisterForRemoteNotifications, object: error)
    }

`;

const string = (text: string) => `<string>${text}</string>`;
const keyed = (key: string, value: string) => [`<key>${key}</key>`, value];

const urlTypes = (appId: string) =>
  `<array><dict><key>CFBundleURLName</key>${string(appId)}<key>CFBundleURLSchemes</key><array>${string(appId)}</array></dict></array>`;

const collected = (type: string) => `\t\t<dict>
\t\t\t<key>NSPrivacyCollectedDataType</key>
\t\t\t<string>NSPrivacyCollectedDataType${type}</string>
\t\t\t<key>NSPrivacyCollectedDataTypeLinked</key>
\t\t\t<true/>
\t\t\t<key>NSPrivacyCollectedDataTypeTracking</key>
\t\t\t<false/>
\t\t\t<key>NSPrivacyCollectedDataTypePurposes</key>
\t\t\t<array><string>NSPrivacyCollectedDataTypePurposeAppFunctionality</string></array>
\t\t</dict>`;

/** Ids of the added files. Xcode needs 24 hexadecimal digits, used once. */
const ID = {
  privacy: "A1C0",
  privacyBuild: "A1C1",
  strings: "A1C2",
  stringsBuild: "A1C3",
  entitlements: "A1C4",
};
const idOf = (name: keyof typeof ID) => ID[name].padEnd(24, "0");
const regionId = (index: number) => `A1D${index}`.padEnd(24, "0");

/** Adds the privacy manifest, the texts and the entitlements to Xcode's project. */
async function writeProject(
  path: string,
  { appId, version, build }: Pick<MobileSettings, "appId" | "version" | "build">,
): Promise<void> {
  const regions = Object.values(REGIONS);
  const file = (id: string, kind: string, name: string, at = name) =>
    `\t\t${id} /* ${name} */ = {isa = PBXFileReference; lastKnownFileType = ${kind}; name = "${name}"; path = "${at}"; sourceTree = "<group>"; };\n`;
  const inBuild = (id: string, ref: string, name: string) =>
    `\t\t${id} /* ${name} in Resources */ = {isa = PBXBuildFile; fileRef = ${ref} /* ${name} */; };\n`;
  const listed = (id: string, name: string) => `\t\t\t\t${id} /* ${name} */,\n`;
  const text = await readFile(path, "utf8");
  const added = text
    .replace(
      "/* End PBXBuildFile section */",
      `${inBuild(idOf("privacyBuild"), idOf("privacy"), "PrivacyInfo.xcprivacy")}${inBuild(idOf("stringsBuild"), idOf("strings"), "InfoPlist.strings")}/* End PBXBuildFile section */`,
    )
    .replace(
      "/* End PBXFileReference section */",
      `${file(idOf("privacy"), "text.xml", "PrivacyInfo.xcprivacy")}${file(idOf("entitlements"), "text.plist.entitlements", "App.entitlements")}${regions.map((region, index) => file(regionId(index), "text.plist.strings", region, `${region}.lproj/InfoPlist.strings`)).join("")}/* End PBXFileReference section */`,
    )
    .replace(
      "/* End PBXVariantGroup section */",
      `\t\t${idOf("strings")} /* InfoPlist.strings */ = {\n\t\t\tisa = PBXVariantGroup;\n\t\t\tchildren = (\n${regions.map((region, index) => listed(regionId(index), region)).join("")}\t\t\t);\n\t\t\tname = InfoPlist.strings;\n\t\t\tsourceTree = "<group>";\n\t\t};\n/* End PBXVariantGroup section */`,
    )
    .replace(
      /(\/\* App \*\/ = \{\s*isa = PBXGroup;\s*children = \(\n)/,
      (start) =>
        `${start}${listed(idOf("privacy"), "PrivacyInfo.xcprivacy")}${listed(idOf("entitlements"), "App.entitlements")}${listed(idOf("strings"), "InfoPlist.strings")}`,
    )
    .replace(
      /(isa = PBXResourcesBuildPhase;\s*buildActionMask = \d+;\s*files = \(\n)/,
      (start) =>
        `${start}${listed(idOf("privacyBuild"), "PrivacyInfo.xcprivacy in Resources")}${listed(idOf("stringsBuild"), "InfoPlist.strings in Resources")}`,
    )
    .replace(
      /knownRegions = \(\n\s*en,\n/,
      (start) =>
        start +
        regions
          .slice(1)
          .map((region) => `\t\t\t\t"${region}",\n`)
          .join(""),
    )
    .replaceAll(
      "CODE_SIGN_STYLE = Automatic;",
      "CODE_SIGN_ENTITLEMENTS = App/App.entitlements;\n\t\t\t\tCODE_SIGN_STYLE = Automatic;",
    )
    .replaceAll("MARKETING_VERSION = 1.0;", `MARKETING_VERSION = ${version};`)
    .replaceAll("CURRENT_PROJECT_VERSION = 1;", `CURRENT_PROJECT_VERSION = ${build};`)
    .replaceAll(/PRODUCT_BUNDLE_IDENTIFIER = [^;]+;/g, `PRODUCT_BUNDLE_IDENTIFIER = ${appId};`);
  await writeFile(path, added);
}
