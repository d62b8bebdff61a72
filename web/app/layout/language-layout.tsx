import { useEffect, useRef, useState } from "react";
import { isRouteErrorResponse, Outlet, PrefetchPageLinks, useNavigate, useRevalidator } from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import type { Route } from "./+types/language-layout";
import { clearDrafts } from "../features/chat/drafts.ts";
import { conversations } from "../features/chat/conversations.ts";
import { onRealtimeEvent, startRealtime } from "../realtime/realtime.ts";
import { newMatches } from "./match-notice/new-matches.ts";
import { MatchNotice } from "./match-notice/match-notice.tsx";
import { IdleWarning } from "./app-lock/idle-warning.tsx";
import { LockScreen } from "./app-lock/lock-screen.tsx";
import { tellSeen, watchEyes } from "../features/notifications/mark-notified.ts";
import { FocusOnNavigation, resetNavigationFocus } from "./shell/focus-on-navigation.tsx";
import { Banners } from "./shell/banners.tsx";
import { PrivacyScreen } from "./privacy-screen/privacy-screen.tsx";
import { ErrorScreen, NotFoundScreen } from "./shell/error-screen.tsx";
import { Shell } from "./shell/shell.tsx";
import { device } from "../device/browser.ts";
import { OfflineError, ApiError } from "../lib/errors.ts";
import { useLanguagePath } from "../lib/use-language-path.ts";
import { useLock } from "../lib/session/lock.ts";
import { currentSession, releasePage, useLogoutReason, useIsLoggedIn } from "../lib/session/session.ts";
import { unread } from "../lib/unread.ts";
import { LoadingStatus } from "../ui/loading.tsx";
import { DOCUMENT_LANG, languageOfSegment, prepareTranslations, translationsOf } from "../lib/language.ts";

/** Sentences are a part of the page: built pages have them, and every visit to another language fetches its own. */
export async function loader({ params }: Route.LoaderArgs) {
  await prepareTranslations(languageOfSegment(params.lang));
  return null;
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  await prepareTranslations(languageOfSegment(params.lang));
  return null;
}

export default function LanguageLayout({ params }: Route.ComponentProps) {
  return (
    <LanguageProvider lang={params.lang}>
      <Outlet />
    </LanguageProvider>
  );
}

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  return (
    <LanguageProvider lang={params.lang}>
      <RouteError error={error} />
    </LanguageProvider>
  );
}

function RouteError({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error)) {
    return error.status === 404 ? (
      <NotFoundScreen />
    ) : (
      <ErrorScreen status={error.status} text={error.statusText} />
    );
  }
  if (error instanceof ApiError) return <ErrorScreen status={error.status} text={error.message} />;
  if (error instanceof OfflineError) return <ErrorScreen status={null} text="" isOffline />;
  return <ErrorScreen status={null} text={error instanceof Error ? error.message : ""} />;
}

/** Gives everything inside its language, the banners, the lock, and the cover that hides the screen. */
function LanguageProvider({ lang, children }: { lang: string | undefined; children: React.ReactNode }) {
  const language = languageOfSegment(lang);
  useEffect(() => {
    document.documentElement.lang = DOCUMENT_LANG[language];
  }, [language]);
  return (
    <IntlProvider locale={language} messages={translationsOf(language) as Messages} timeZone={TIME_ZONE}>
      <PrivacyScreen>
        <LockGate>
          {children}
          <MatchNotice />
          <IdleWarning />
          <FocusOnNavigation />
        </LockGate>
      </PrivacyScreen>
      <RedirectAfterLogout />
      <RealtimeUpdates />
      <Banners />
    </IntlProvider>
  );
}

/** While the app is locked there is nothing but the lock. What comes after it was asked for anew. */
function LockGate({ children }: { children: React.ReactNode }) {
  const { isLocked } = useLock();
  const { revalidate } = useRevalidator();
  const [isStale, setStale] = useState(isLocked);
  if (isLocked && !isStale) setStale(true);
  useEffect(() => {
    if (isLocked) resetNavigationFocus();
    else if (isStale) void revalidate().then(() => setStale(false));
  }, [isLocked, isStale, revalidate]);
  if (!isStale) return children;
  return <Shell width="form">{isLocked ? <LockScreen /> : <LoadingStatus />}</Shell>;
}

/** A session that ended by itself leaves the login behind, and no address of what was open. */
function RedirectAfterLogout() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const isLoggedIn = useIsLoggedIn();
  const ending = useLogoutReason();
  const wasLoggedIn = useRef(false);
  useEffect(() => {
    const hasEnded = wasLoggedIn.current && isLoggedIn === false && ending !== null;
    wasLoggedIn.current = isLoggedIn === true;
    if (hasEnded) void navigate(`${base}/login`, { replace: true });
  }, [isLoggedIn, ending, base, navigate]);
  // The way to the login is there before it is needed, should there be no connection then.
  return isLoggedIn && <PrefetchPageLinks page={`${base}/login`} />;
}

/** While somebody is logged in and the app is open, it hears what happens; matches are told of on every screen. */
function RealtimeUpdates() {
  const isLoggedIn = useIsLoggedIn();
  const { isLocked } = useLock();
  useEffect(() => {
    if (!isLoggedIn || isLocked) return undefined;
    const stopListening = onRealtimeEvent((event) => {
      if (event.kind === "match") newMatches.notify(event.match);
      // What fails here is made good by the next connection.
      if (event.kind === "connected") newMatches.catchUp().catch(() => undefined);
      // First, since what is on screen is read at once.
      conversations.handle(event);
      unread.handle(event);
      if (event.kind === "match" || event.kind === "dm") tellSeen();
    });
    const stop = startRealtime();
    const stopWatching = watchEyes();
    return () => {
      stopListening();
      stopWatching();
      stop();
    };
  }, [isLoggedIn, isLocked]);
  useEffect(() => {
    // A session may have ended before there was anything to let go of.
    if (isLoggedIn === false) releasePage();
    if (!isLoggedIn) return undefined;
    return () => {
      newMatches.clear();
      conversations.clear();
      unread.clear();
      clearDrafts();
      releasePage();
      // The server tells this device no more; the browser's push service need not know of it either.
      if (!currentSession()) void device.push.unsubscribe().catch(() => undefined);
    };
  }, [isLoggedIn]);
  return null;
}

unread.setReadSource(conversations.hasRead);

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
