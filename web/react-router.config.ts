import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { languages } from "@alcove/i18n";

/** Pages that say the same to everybody: built once for each language, readable without JavaScript. */
const PUBLIC_PAGES = [
  "login",
  "sign-up",
  "reset-password",
  "about-service",
  "pricing",
  "tos",
  "privacy-policy",
  "unsubscribe",
];

type Routes = Record<string, { id: string; parentId?: string | undefined; path?: string | undefined }>;

/** The addresses of `routes.ts`, such as `:lang/home/:userId`, without the one for what leads nowhere. */
function addressesOf(routes: Routes): string[] {
  const address = ({ parentId, path }: Routes[string]): string[] => [
    ...(parentId && routes[parentId] ? address(routes[parentId]) : []),
    ...(path ? [path] : []),
  ];
  const all = Object.values(routes).map((route) => address(route).join("/"));
  return [...new Set(all)].filter((pattern) => pattern !== "" && !pattern.includes("*"));
}

export default {
  appDirectory: "app",
  ssr: false,
  prerender: languages.flatMap((language) => PUBLIC_PAGES.map((page) => `/${language}/${page}`)),
  /** Tells the server which addresses the app has, so that any other is answered with 404. */
  async buildEnd({ buildManifest, reactRouterConfig }) {
    const addresses = addressesOf(buildManifest?.routes ?? {});
    await writeFile(join(reactRouterConfig.buildDirectory, "addresses.json"), JSON.stringify(addresses));
  },
} satisfies Config;
