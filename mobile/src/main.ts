// npm run mobile -- android|ios: fills a native project in mobile/
import { fileURLToPath } from "node:url";
import { fillProject } from "./project.ts";

const platform = process.argv[2];
if (platform !== "android" && platform !== "ios") {
  console.error("Type: npm run mobile -- android, or npm run mobile -- ios");
  process.exit(2);
}
try {
  await fillProject(platform, process.env, fileURLToPath(new URL("..", import.meta.url)));
  console.log(`The project is in mobile/${platform}. Next: docs/native.md`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
