import "./ui/styles/global.css";
import "./ui/styles/start-view.css";
import { startTransition, useEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider, type RouterProviderProps } from "react-router/dom";
import type { Language } from "@alcove/i18n";
import { device } from "./device/browser.ts";
import { prepareLockScreen } from "./layout/app-lock/lock-gate.tsx";
import { prepareScreen } from "./layout/prepare-screen.ts";
import { APP_ID, builtData } from "./lib/first-paint/built-page.ts";
import { markHydrated } from "./lib/first-paint/pre-hydration-queue.ts";
import { banner } from "./lib/page/banner.ts";
import { keepDropsOnPage } from "./lib/page/drops.ts";
import { captureGoogleResult } from "./lib/sign-in/google.ts";
import { privacyScreen } from "./lib/page/privacy-screen.ts";
import { prepareErrorTexts } from "./lib/texts/texts.ts";
import { startWatchers } from "./lib/session/watchers.ts";
import { currentLanguage, preferredLanguage } from "./lib/texts/language.ts";
import { currentSession } from "./lib/session/session.ts";
import { routes } from "./routes.tsx";
import { LOAD_FAILED_EVENT } from "./ui/on-demand/on-demand.tsx";

keepDropsOnPage();
addEventListener(LOAD_FAILED_EVENT, () => banner.alert("errorScreen.offline"));
// First: the URL may contain a token.
captureGoogleResult();
// Before any request: the session may have ended, or the app may be locked.
startWatchers(() => flushSync(privacyScreen.show));

// NOTE: no top-level await: the lock screen's code imports the file of this entry, and would wait for it.
async function start() {
  if (location.pathname === "/" && !device.isNative()) {
    // Without a connection, the worker opens the app in place of the server's redirect.
    location.replace(`/${preferredLanguage(device.language())}`);
    return;
  }
  const language = currentLanguage();
  const loaderData = builtData();
  const needs = {
    pathname: location.pathname,
    isLoggedIn: currentSession() !== null,
    hasNotices: banner.isWaiting(),
  };
  await Promise.all([
    prepareScreen(language, needs).catch((error: unknown) => handleMissingTexts(error, language)),
    prepareLockScreen(),
    loaderData && loadBuiltScreen(),
  ]);
  const router = createBrowserRouter(routes, loaderData ? { hydrationData: { loaderData } } : {});
  const app = <App router={router} />;
  const container = document.getElementById(APP_ID)!;
  startTransition(() => {
    if (loaderData) hydrateRoot(container, app);
    // The first screen may load before React renders, and would differ from the empty page.
    else createRoot(container).render(app);
  });
}

function App({ router }: RouterProviderProps) {
  useEffect(markHydrated, []);
  return <RouterProvider router={router} />;
}

/** A built page hydrates with its code only. */
async function loadBuiltScreen(): Promise<void> {
  const matches = matchRoutes(routes, location) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === "function") Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

/** The app shows that there is no connection. A built page stays readable, with a notice (`NoScriptNotice`). */
async function handleMissingTexts(error: unknown, language: Language): Promise<void> {
  if (builtData()) throw error;
  await prepareErrorTexts(language);
}

void start();
