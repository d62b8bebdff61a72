import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { currentLanguage, prepareTexts } from "./lib/language.ts";

// A page that was built beforehand is taken over with its sentences at hand.
await prepareTexts(currentLanguage());
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});
