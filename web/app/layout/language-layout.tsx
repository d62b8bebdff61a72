import { useEffect, useRef, type ReactNode } from "react";
import {
  Outlet,
  useNavigate,
  useParams,
  replace,
  useRouteError,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import { device } from "../device/browser.ts";
import { DOCUMENT_LANG, languageOfSegment } from "../lib/texts/language.ts";
import {
  currentSession,
  isForCase,
  releasePage,
  useIsLoggedIn,
  useLogoutReason,
} from "../lib/session/session.ts";
import { hasTexts, readableLanguage, textsOf } from "../lib/texts/texts.ts";
import { useLanguagePath } from "../lib/texts/use-language-path.ts";
import { LockGate } from "./app-lock/lock-gate.tsx";
import { prepareScreen } from "./prepare-screen.ts";
import { PullToReload } from "./pull-to-reload.tsx";
import { PrivacyScreen } from "./privacy-screen/privacy-screen.tsx";
import { Banners } from "./shell/banners.tsx";
import { FocusOnNavigation } from "./shell/focus-on-navigation.tsx";
import { RouteError } from "./shell/route-error.tsx";
import { useMemberOverlays } from "./use-member-overlays.ts";
import { NativeFeatures } from "./native-features.ts";

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export async function loader({ params, request }: LoaderFunctionArgs) {
  const { pathname } = new URL(request.url);
  if (leavesCase(pathname)) throw replace(`/${languageOfSegment(params["lang"])}/case`);
  const isLoggedIn = !import.meta.env.SSR && currentSession() !== null;
  await prepareScreen(languageOfSegment(params["lang"]), { pathname, isLoggedIn });
  return null;
}

/** The screens of a suspended member. */
const CASE_SCREENS =
  /^\/[^/]+\/(?:case|threat(?:\/\d+)?|purchase-history(?:\/.*)?|setting\/export|setting\/delete-account|tos|privacy-policy|contact)\/?$/;

const leavesCase = (pathname: string): boolean =>
  !import.meta.env.SSR && isForCase() && !CASE_SCREENS.test(pathname);

/** Another screen may need more texts. */
export function shouldRevalidate({
  nextUrl,
  nextParams,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const needs = { pathname: nextUrl.pathname, isLoggedIn: currentSession() !== null };
  return (
    defaultShouldRevalidate ||
    leavesCase(nextUrl.pathname) ||
    !hasTexts(languageOfSegment(nextParams["lang"]), needs)
  );
}

export function Component() {
  return (
    <LanguageProvider>
      <Outlet />
    </LanguageProvider>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <LanguageProvider>
      <RouteError error={error} />
    </LanguageProvider>
  );
}

function LanguageProvider({ children }: { children: ReactNode }) {
  const { lang } = useParams();
  const language = readableLanguage(languageOfSegment(lang));
  useEffect(() => {
    document.documentElement.lang = DOCUMENT_LANG[language];
  }, [language]);
  const isLoggedIn = useIsLoggedIn();
  const memberOverlays = useMemberOverlays();
  useReleaseAfterLogout(isLoggedIn);
  return (
    <IntlProvider locale={language} messages={textsOf(language) as Messages} timeZone={TIME_ZONE}>
      <PrivacyScreen>
        <LockGate>
          {children}
          {memberOverlays && <memberOverlays.MemberDialogs />}
          <FocusOnNavigation />
        </LockGate>
      </PrivacyScreen>
      <RedirectAfterLogout />
      {memberOverlays && <memberOverlays.RealtimeUpdates />}
      <Banners />
      <PullToReload onReload={() => location.reload()} />
      {NativeFeatures && <NativeFeatures />}
    </IntlProvider>
  );
}

/** Another member may log in on this page only after it shows no data of the previous one. */
function useReleaseAfterLogout(isLoggedIn: boolean | null): void {
  useEffect(() => {
    // The session may have ended before this effect first ran.
    if (isLoggedIn === false) releasePage();
    if (!isLoggedIn) return undefined;
    return () => {
      releasePage();
      // The server has already ended this device's subscription.
      if (!currentSession()) void endPush();
    };
  }, [isLoggedIn]);
}

async function endPush(): Promise<void> {
  await device.push.unsubscribe().catch(() => undefined);
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
  return null;
}
