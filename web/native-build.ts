import { join } from "node:path";
import type { Plugin } from "vite";

const app = (file: string) => join(import.meta.dirname, "app", file);

/** Modules of the native app, in place of those of the browser. */
const REPLACED = new Map(
  Object.entries({
    "device/browser.ts": "device/native/device.ts",
    "device/persistent-store.ts": "device/native/persistent-store.ts",
    "device/worker.ts": "device/native/worker.ts",
    "layout/native-features.ts": "layout/wrapper/native-features.tsx",
  }).map(([browser, native]) => [app(browser), app(native)]),
);

/** Builds the native app instead of the web app. */
export function nativeBuild(): Plugin {
  return {
    name: "native-build",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!source.startsWith(".")) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return (resolved && REPLACED.get(resolved.id)) ?? null;
    },
  };
}
