import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { captureGoogleResult } from "./lib/google.ts";
import { startWatchers } from "./lib/session/watchers.ts";
import { currentLanguage, prepareTranslations } from "./lib/language.ts";

// First: the URL may contain a token.
captureGoogleResult();
// Before any request: the session may have ended, or the app may be locked.
startWatchers();
await prepareTranslations(currentLanguage());
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
