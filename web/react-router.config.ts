import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { languages } from "@alcove/i18n";
import { isNativeBuild } from "./native-mode.ts";

/** Prerendered in each language and readable without JavaScript. */
const PUBLIC_PAGES = [
  "",
  "login",
  "sign-up",
  "reset-password",
  "about-service",
  "pricing",
  "tos",
  "privacy-policy",
  "contact",
  "unsubscribe",
  "404",
];

type Routes = Record<string, { id: string; parentId?: string | undefined; path?: string | undefined }>;

/** Such as `:lang/home/:userId`; without the catch-all. */
function urlPatternsOf(routes: Routes): string[] {
  const segments = ({ parentId, path }: Routes[string]): string[] => [
    ...(parentId && routes[parentId] ? segments(routes[parentId]) : []),
    ...(path ? [path] : []),
  ];
  const all = Object.values(routes).map((route) => segments(route).join("/"));
  return [...new Set(all)].filter((pattern) => pattern !== "" && !pattern.includes("*"));
}

/** Removes the second copy of the styles, which the server build leaves. */
async function removeUnusedStyles(clientFolder: string): Promise<void> {
  const page = await readFile(join(clientFolder, "index.html"), "utf8");
  const sheets = (await readdir(join(clientFolder, "assets"))).filter((name) => name.endsWith(".css"));
  const unused = sheets.filter((name) => !page.includes(name));
  await Promise.all(unused.map((name) => rm(join(clientFolder, "assets", name))));
}

export default {
  appDirectory: "app",
  ...(isNativeBuild && { buildDirectory: "build/native" }),
  ssr: false,
  /** A form's action comes with its screen: the connection may be gone when it is sent. It also saves small files. */
  splitRouteModules: false,
  // The native app starts from the fallback; React Router wants a page of each route that has a loader for the build.
  prerender: isNativeBuild
    ? ["/en", "/en/login", "/en/sign-up"]
    : languages.flatMap((language) => PUBLIC_PAGES.map((page) => `/${language}${page && `/${page}`}`)),
  /** The server responds to other URLs with 404. */
  async buildEnd({ buildManifest, reactRouterConfig }) {
    const urlPatterns = urlPatternsOf(buildManifest?.routes ?? {});
    await writeFile(join(reactRouterConfig.buildDirectory, "url-patterns.json"), JSON.stringify(urlPatterns));
    await removeUnusedStyles(join(reactRouterConfig.buildDirectory, "client"));
  },
} satisfies Config;
