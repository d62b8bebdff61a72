import { useState } from "react";
import { type ActionFunctionArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { getOwnUser } from "@alcove/contract/accounts";
import { getPlaceAdvice } from "@alcove/contract/discovery";
import { EmailNews } from "../../features/email-news/email-news.tsx";
import { loginBotToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { useLoginState } from "../../features/login/login-state.ts";
import { submitLogin } from "../../features/login/submit-login.ts";
import { UpgradeSheet } from "../../features/prices/upgrade-sheet.tsx";
import { isReport, submitReport } from "../../features/safety/submit-report.ts";
import { CardSkeleton } from "../../features/verdict/card-skeleton.tsx";
import { useShortcuts } from "../../features/verdict/use-shortcuts.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { useHasLoginChanged } from "../../lib/session/session-owner.ts";
import { currentLoginId, useIsKnownDevice, useLoginId } from "../../lib/session/session.ts";
import { startClass } from "../../lib/first-paint/start-view.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/on-demand/on-demand.tsx";
import { State } from "../../ui/state.tsx";
import { Deck } from "./deck.tsx";
import { FewLive } from "./few-live.tsx";
import { LocationPrompt } from "./location-prompt.tsx";
import { useFreshLocation } from "./location.ts";
import { useDeck } from "./use-deck.ts";
import stageStyles from "../../features/verdict/stage.module.css";

const locationHelp = lazyModule(() => import("./location-help.tsx"));
const pushQuestion = lazyModule(() => import("../../features/notifications/push-question.tsx"));

/** The page is built for everybody: it holds the login and the skeleton of home. */
export async function loader() {
  if (import.meta.env.SSR) return { user: null, loadedFor: null, isBuilt: true };
  const loadedFor = currentLoginId();
  if (loadedFor === null) return { user: null, loadedFor, isBuilt: false };
  try {
    return { user: (await api(getOwnUser, {})).user, loadedFor, isBuilt: false };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { user: null, loadedFor, isBuilt: false };
    throw error;
  }
}

/** A visitor's login, or a member's report. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  return isReport(form) ? submitReport(form) : actionResult(await submitLogin(form, loginBotToken));
}

/** A report changes nothing on the card. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return !isReport(formData) && defaultShouldRevalidate;
}

/** `/{lang}` shows the landing or the login to visitors, and the first card to members. */
export default function HomeScreen() {
  const { user, loadedFor, isBuilt } = useLoaderData<typeof loader>();
  const base = useLanguagePath();
  const isHydrated = useIsHydrated();
  const loginId = useLoginId();
  const isKnown = useIsKnownDevice();
  const hasId = useLoginState() !== null;
  const isOutdated = useHasLoginChanged(isBuilt ? loginId : loadedFor);
  const isMember = loginId !== null && (isBuilt || isOutdated || user !== null);
  return (
    <>
      {!isMember && (
        <Shell layout="login" className={isHydrated ? undefined : startClass.visitor}>
          <LoginScreen
            view={isHydrated ? (isKnown || hasId ? "login" : "landing") : "built"}
            action={`${base}?index`}
            next={null}
            botCheckNotice={<RecaptchaNotice />}
          />
        </Shell>
      )}
      {(isMember || !isHydrated) && (
        <Shell
          hasMenu
          mainId={isHydrated ? "main" : "home"}
          className={isHydrated ? undefined : startClass.home}
        >
          <HomeHeading />
          {user && !isOutdated ? <Home key={user.user_id} user={user} /> : <HomeSkeleton />}
        </Shell>
      )}
    </>
  );
}

function HomeHeading() {
  const t = useTranslations("home");
  return <h1 className="vh">{t("title")}</h1>;
}

function HomeSkeleton() {
  return (
    <div className={stageStyles.stage}>
      <CardSkeleton />
    </div>
  );
}

function Home({ user: loadedUser }: { user: User }) {
  const [user, setUser] = useState(loadedUser);
  const [loadedBefore, setLoadedBefore] = useState(loadedUser);
  // Another tab or device may have changed them.
  if (loadedUser !== loadedBefore) {
    setLoadedBefore(loadedUser);
    setUser(loadedUser);
  }
  const [missing, setMissing] = useState<"ask" | "denied" | null>(null);
  const [isSparse, setSparse] = useState(false);
  const handleSaved = (saved: User) => {
    if (user.location === null) void isSparsePlace().then(setSparse);
    setUser(saved);
    setMissing(null);
  };
  useFreshLocation(user, handleSaved, setMissing);
  const hasLocation = user.location !== null;
  const deck = useDeck(hasLocation);
  const loaded = useLazyModule(pushQuestion, deck.hasLiked);
  const help = useLazyModule(locationHelp, missing === "denied");
  const nextCardAt = deck.emptyReason?.next_card_at;
  const undo = deck.canUndo && !deck.leaving ? deck.undo : null;
  useShortcuts(undo ? { u: undo, Backspace: undo } : {});

  return (
    <>
      <p className="vh" role="status">
        {deck.announcement}
      </p>
      <EmailNews user={user} />
      {isSparse && <FewLive onClose={() => setSparse(false)} />}
      {loaded && <loaded.PushQuestion />}
      {hasLocation && <Deck deck={deck} user={user} />}
      {!hasLocation && missing === "denied" && help && <help.LocationOff onSaved={handleSaved} />}
      {!hasLocation && missing !== "denied" && <NoLocation onAllow={() => setMissing("ask")} />}
      <LocationPrompt
        isOpen={missing === "ask"}
        onSaved={handleSaved}
        onDenied={() => setMissing("denied")}
        onNotNow={() => setMissing(null)}
      />
      {help && (
        <help.LocationOffSheet
          isOpen={hasLocation && missing === "denied"}
          onSaved={handleSaved}
          onClose={() => setMissing(null)}
        />
      )}
      <UpgradeSheet
        title={deck.upgradeMessage}
        nextCardAt={nextCardAt === undefined ? deck.cardArrivesAt : new Date(nextCardAt)}
        onClose={deck.closeUpgrade}
      />
    </>
  );
}

/** Returns false in doubt. */
const isSparsePlace = async (): Promise<boolean> =>
  api(getPlaceAdvice, {}).then(
    ({ suggestion }) => suggestion !== null,
    () => false,
  );

function NoLocation({ onAllow }: { onAllow: () => void }) {
  const t = useTranslations("location");
  return (
    <State title={t("title")} light={0}>
      <p>{t("request")}</p>
      <Button onClick={onAllow}>{t("allow")}</Button>
    </State>
  );
}
