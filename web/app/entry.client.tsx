import "./ui/styles/global.css";
import "./ui/styles/start-view.css";
import { startTransition, useEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider, type RouterProviderProps } from "react-router/dom";
import { IntlProvider, type Messages } from "use-intl";
import type { Language } from "@alcove/i18n";
import { device } from "./device/browser.ts";
import { prepareLockScreen } from "./layout/app-lock/lock-gate.tsx";
import { prepareScreen } from "./layout/prepare-screen.ts";
import { OnlyNotes } from "./layout/privacy-screen/privacy-screen.tsx";
import { APP_ID, builtData } from "./lib/first-paint/built-page.ts";
import { markHydrated } from "./lib/first-paint/pre-hydration-queue.ts";
import { banner } from "./lib/page/banner.ts";
import { keepDropsOnPage } from "./ui/drops.ts";
import { captureGoogleResult } from "./lib/sign-in/google.ts";
import { privacyScreen } from "./lib/page/privacy-screen.ts";
import { prepareErrorTexts, readableLanguage, textsOf } from "./lib/texts/texts.ts";
import { isUnderDuress, watchForDuress } from "./lib/session/duress.ts";
import { startWatchers } from "./lib/session/watchers.ts";
import { currentLanguage, preferredLanguage } from "./lib/texts/language.ts";
import { currentSession } from "./lib/session/session.ts";
import { routes } from "./routes.tsx";
import { LOAD_FAILED_EVENT } from "./ui/on-demand/on-demand.tsx";

/** Ends the app; null before and after it. */
let close: (() => void) | null = null;

keepDropsOnPage();
watchForDuress(replaceByNotes);
if (isUnderDuress()) {
  privacyScreen.startListening();
} else {
  addEventListener(LOAD_FAILED_EVENT, () => banner.alert("errorScreen.offline"));
  // First: the URL may contain a token.
  captureGoogleResult();
  // Before any request: the session may have ended, or the app may be locked.
  startWatchers(() => flushSync(privacyScreen.show));
}

// NOTE: no top-level await: the lock screen's code imports the file of this entry, and would wait for it.
async function start() {
  const language = currentLanguage();
  if (isUnderDuress()) {
    await prepareScreen(language, { pathname: "", isLoggedIn: false });
    showNotes();
    return;
  }
  if (location.pathname === "/" && !device.isNative()) {
    // Without a connection, the worker opens the app in place of the server's redirect.
    location.replace(`/${preferredLanguage(device.language())}`);
    return;
  }
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
  if (isUnderDuress()) {
    showNotes();
    return;
  }
  const router = createBrowserRouter(routes, loaderData ? { hydrationData: { loaderData } } : {});
  const app = <App router={router} />;
  const container = document.getElementById(APP_ID)!;
  startTransition(() => {
    let root: Root;
    if (loaderData) root = hydrateRoot(container, app);
    // The first screen may load before React renders, and would differ from the empty page.
    else (root = createRoot(container)).render(app);
    close = () => {
      root.unmount();
      router.dispose();
    };
  });
}

/** Before the app has started, `start` shows them. */
function replaceByNotes(): void {
  if (!close) return;
  close();
  close = null;
  showNotes();
}

function showNotes(): void {
  const language = readableLanguage(currentLanguage());
  history.replaceState(null, "", `/${language}`);
  flushSync(() =>
    createRoot(document.getElementById(APP_ID)!).render(
      <IntlProvider locale={language} messages={textsOf(language) as Messages}>
        <OnlyNotes />
      </IntlProvider>,
    ),
  );
  markHydrated();
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
