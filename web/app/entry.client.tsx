import { startTransition } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { banner } from "./lib/banner.ts";
import { captureGoogleResult } from "./lib/google.ts";
import { privacyScreen } from "./lib/privacy-screen.ts";
import { startWatchers } from "./lib/session/watchers.ts";
import { currentLanguage } from "./lib/language.ts";
import { currentSession } from "./lib/session/session.ts";
import { prepareTexts } from "./lib/texts.ts";
import { LOAD_FAILED_EVENT } from "./ui/on-demand/on-demand.tsx";

addEventListener(LOAD_FAILED_EVENT, () => banner.alert("errorScreen.offline"));
// First: the URL may contain a token.
captureGoogleResult();
// Before any request: the session may have ended, or the app may be locked.
startWatchers(() => flushSync(privacyScreen.show));
await prepareTexts(currentLanguage(), {
  pathname: location.pathname,
  isLoggedIn: currentSession() !== null,
  hasNotices: banner.isWaiting(),
});
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
