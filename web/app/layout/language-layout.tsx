import { useEffect, useRef, type ReactNode } from "react";
import { isRouteErrorResponse, Outlet, PrefetchPageLinks, useNavigate } from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import { ApiError, OfflineError } from "../lib/errors.ts";
import { DOCUMENT_LANG, languageOfSegment, prepareTranslations, translationsOf } from "../lib/language.ts";
import { useIsLoggedIn, useLogoutReason } from "../lib/session/session.ts";
import { useLanguagePath } from "../lib/use-language-path.ts";
import type { Route } from "./+types/language-layout";
import { IdleWarning } from "./app-lock/idle-warning.tsx";
import { LockGate } from "./app-lock/lock-gate.tsx";
import { MatchNotice } from "./match-notice/match-notice.tsx";
import { PrivacyScreen } from "./privacy-screen/privacy-screen.tsx";
import { RealtimeUpdates } from "./realtime-updates.tsx";
import { Banners } from "./shell/banners.tsx";
import { ErrorScreen, NotFoundScreen } from "./shell/error-screen.tsx";
import { FocusOnNavigation } from "./shell/focus-on-navigation.tsx";

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Prerendered pages contain their translations; another language fetches its own. */
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

function LanguageProvider({ lang, children }: { lang: string | undefined; children: ReactNode }) {
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

/** Goes to the login when the app itself ended the session, so that no URL reveals the screen. */
function RedirectAfterLogout() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const isLoggedIn = useIsLoggedIn();
  const reason = useLogoutReason();
  const wasLoggedIn = useRef(false);
  useEffect(() => {
    const hasEnded = wasLoggedIn.current && isLoggedIn === false && reason !== null;
    wasLoggedIn.current = isLoggedIn === true;
    if (hasEnded) void navigate(`${base}/login`, { replace: true });
  }, [isLoggedIn, reason, base, navigate]);
  // There may be no connection when the login is needed.
  return isLoggedIn && <PrefetchPageLinks page={`${base}/login`} />;
}
