import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { allTranslations } from "@alcove/i18n/all";
import { partsOf, selectPart } from "./text-parts.ts";

const APP = join(import.meta.dirname, "../..");
const LAYOUT = ["layout/language-layout.tsx", "entry.client.tsx"];
/** Imports every screen. */
const ROUTES = join(APP, "routes.tsx");

/** Returns the files that a file imports at once or on demand, itself included. */
function filesOf(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const code = readFileSync(file, "utf8").replaceAll(/import type [^;]+;/g, "");
  for (const [, path = ""] of code.matchAll(/(?:from|import\()\s*"(\.[^"]+\.tsx?)"/g)) {
    const imported = join(dirname(file), path);
    if (existsSync(imported)) filesOf(imported, known);
  }
  return known;
}

type Namespace = keyof typeof allTranslations.en;

/** Returns the texts that a file shows, each as its possible keys: two functions may use one name for two namespaces. */
function textsIn(file: string): string[][] {
  const code = readFileSync(file, "utf8");
  const notices = [...code.matchAll(/banner\.(?:alert|notify)\("([\w.]+)"\)/g)].map(([, key = ""]) => [key]);
  const uses = [...code.matchAll(/const (\w+) = useTranslations\("(\w+)"\)/g)].map(([, name, of]) => ({
    name,
    of,
  }));
  const single = [...code.matchAll(/useTranslations\("(\w+)"\)\("(\w+)"/g)].map(([, of, key]) => [
    `${of}.${key}`,
  ]);
  const names = Map.groupBy(uses, ({ name }) => name);
  const shown = [...names].flatMap(([name, namespaces]) =>
    [...code.matchAll(new RegExp(`\\b${name}(?:\\.rich|\\.markup)?\\(\\s*"(\\w+)"`, "g"))].map(
      ([, key = ""]) =>
        namespaces
          .filter(({ of }) => key in allTranslations.en[of as Namespace])
          .map(({ of }) => `${of}.${key}`),
    ),
  );
  return [...notices, ...single, ...shown];
}

test.each([
  ["/en/login", false, "screens/login/login.tsx"],
  ["/en/oauth-callback/login", false, "screens/login/oauth-callback.tsx"],
  ["/en/sign-up", false, "screens/sign-up/sign-up.tsx"],
  ["/en/reset-password", false, "screens/reset-password/reset-password.tsx"],
  ["/en/about-service", true, "screens/public/about-service.tsx"],
  ["/en/pricing", true, "screens/public/pricing.tsx"],
  ["/en/tos", true, "screens/legal/tos.tsx"],
  ["/en/provider", true, "screens/legal/provider.tsx"],
  ["/en", true, "screens/home/home.tsx"],
  ["/en/home/somebody", true, "screens/member-profile/member-profile.tsx"],
  ["/en/dm", true, "screens/messages/messages.tsx"],
  ["/en/dm/somebody", true, "screens/messages/conversation.tsx"],
])("%s loads all texts that its screen shows", (pathname, isLoggedIn, screen) => {
  const parts = partsOf(pathname, isLoggedIn).map((part) => selectPart(allTranslations.en, part));
  const files = new Set([ROUTES]);
  for (const file of [screen, ...LAYOUT]) filesOf(join(APP, file), files);
  const isLoaded = (text: string) => {
    const [namespace = "", key = ""] = text.split(".");
    return parts.some((part) => part[namespace]?.[key] !== undefined);
  };

  const missing = [...files]
    .flatMap(textsIn)
    .filter((options) => options.length > 0 && !options.some(isLoaded));
  expect([...new Set(missing.map(String))]).toEqual([]);
});
