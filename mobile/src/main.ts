// npm run mobile -- android|ios: writes the project of a native app into mobile/build/, which the platform's tools open
import { fileURLToPath } from "node:url";
import { makeProject } from "./project.ts";
import { readMobileSettings, type Platform } from "./settings.ts";

const platform = process.argv[2];
if (platform !== "android" && platform !== "ios") {
  console.error("Type: npm run mobile -- android, or npm run mobile -- ios");
  process.exit(2);
}
try {
  const settings = readMobileSettings(process.env);
  const folder = await makeProject(
    platform satisfies Platform,
    settings,
    fileURLToPath(new URL("../build", import.meta.url)),
  );
  console.log(`The project is in ${folder}. Next: docs/native.md`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
