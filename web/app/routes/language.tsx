import { useEffect } from "react";
import { isRouteErrorResponse, Outlet } from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import type { Route } from "./+types/language";
import { forgetDrafts } from "../features/chat/composer.tsx";
import { conversations } from "../features/chat/conversations.ts";
import { onLive, startLiveEvents } from "../features/live/live-events.ts";
import { matched } from "../features/matched/matched.ts";
import { MatchedNotice } from "../features/matched/matched-notice.tsx";
import { Banners } from "../features/shell/banners.tsx";
import { Cover } from "../features/shell/cover.tsx";
import { FaultScreen, NotFoundScreen } from "../features/shell/fault-screen.tsx";
import { Offline, Refused } from "../lib/api.ts";
import { useIsLoggedIn } from "../lib/session.ts";
import { DOCUMENT_LANG, languageOfSegment, prepareTexts, textsOf } from "../lib/language.ts";

/** Sentences are a part of the page: built pages have them, and every visit to another language fetches its own. */
export async function loader({ params }: Route.LoaderArgs) {
  await prepareTexts(languageOfSegment(params.lang));
  return null;
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  await prepareTexts(languageOfSegment(params.lang));
  return null;
}

export default function LanguageRoute({ params }: Route.ComponentProps) {
  return (
    <Speaking lang={params.lang}>
      <Outlet />
    </Speaking>
  );
}

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  return (
    <Speaking lang={params.lang}>
      <Fault error={error} />
    </Speaking>
  );
}

function Fault({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error)) {
    return error.status === 404 ? (
      <NotFoundScreen />
    ) : (
      <FaultScreen status={error.status} text={error.statusText} />
    );
  }
  if (error instanceof Refused) return <FaultScreen status={error.status} text={error.message} />;
  if (error instanceof Offline) return <FaultScreen status={null} text="" isOffline />;
  return <FaultScreen status={null} text={error instanceof Error ? error.message : ""} />;
}

/** Gives everything inside its language, the banners, and the cover that hides the screen. */
function Speaking({ lang, children }: { lang: string | undefined; children: React.ReactNode }) {
  const language = languageOfSegment(lang);
  useEffect(() => {
    document.documentElement.lang = DOCUMENT_LANG[language];
  }, [language]);
  return (
    <IntlProvider locale={language} messages={textsOf(language) as Messages} timeZone={TIME_ZONE}>
      <Cover>
        {children}
        <MatchedNotice />
      </Cover>
      <LiveUpdates />
      <Banners />
    </IntlProvider>
  );
}

/** While somebody is logged in, the app hears what happens; matches are told of on every screen. */
function LiveUpdates() {
  const isLoggedIn = useIsLoggedIn();
  useEffect(() => {
    if (!isLoggedIn) return undefined;
    const stopListening = onLive((event) => {
      if (event.kind === "match") matched.tell(event.match);
      conversations.hear(event);
    });
    const stop = startLiveEvents();
    return () => {
      stopListening();
      stop();
      matched.forget();
      conversations.forget();
      forgetDrafts();
    };
  }, [isLoggedIn]);
  return null;
}

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
