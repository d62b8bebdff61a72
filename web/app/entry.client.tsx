import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { captureGoogleResult } from "./lib/google.ts";
import { startWatchers } from "./lib/session/watchers.ts";
import { currentLanguage, prepareTranslations } from "./lib/language.ts";

// First of all: the address may hold a token.
captureGoogleResult();
// Before anything is asked or shown: the session may be over, or the app locked.
startWatchers();
// A page that was built beforehand is taken over with its sentences at hand.
await prepareTranslations(currentLanguage());
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
