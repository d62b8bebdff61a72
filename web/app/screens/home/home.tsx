import { useState } from "react";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { routes } from "@alcove/contract/routes";
import { loginBotToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { UpgradeSheet } from "../../features/prices/upgrade-sheet.tsx";
import { useShortcuts } from "../../features/verdict/use-shortcuts.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { useHasLoginChanged } from "../../lib/session/session-owner.ts";
import { currentLoginId, useIsLoggedIn } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { State } from "../../ui/state.tsx";
import type { Route } from "./+types/home";
import { Deck } from "./deck.tsx";
import { LocationOff, LocationOffSheet } from "./location-help.tsx";
import { LocationPrompt } from "./location-prompt.tsx";
import { useFreshLocation } from "./location.ts";
import { useDeck } from "./use-deck.ts";

/** `/{lang}` shows the login to visitors and the first card to members. */
export async function clientLoader() {
  const loadedFor = currentLoginId();
  if (loadedFor === null) return { user: null, loadedFor };
  try {
    return { user: (await api(routes.getOwnUser, {})).user, loadedFor };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { user: null, loadedFor };
    throw error;
  }
}

export default function HomeScreen({ loaderData: { user, loadedFor } }: Route.ComponentProps) {
  const isLoggedIn = useIsLoggedIn();
  const isOutdated = useHasLoginChanged(loadedFor);
  if (isLoggedIn && user && !isOutdated) return <Home key={user.user_id} user={user} />;
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={null} solveBotCheck={loginBotToken} botCheckNotice={<RecaptchaNotice />} />
    </Shell>
  );
}

function Home({ user: loadedUser }: { user: User }) {
  const t = useTranslations("home");
  const [user, setUser] = useState(loadedUser);
  const [missing, setMissing] = useState<"ask" | "denied" | null>(null);
  const handleSaved = (saved: User) => {
    setUser(saved);
    setMissing(null);
  };
  useFreshLocation(user, handleSaved, setMissing);
  const hasLocation = user.location !== null;
  const deck = useDeck(hasLocation);
  const nextCardAt = deck.emptyReason?.next_card_at;
  const undo = deck.canUndo && !deck.leaving ? deck.undo : null;
  useShortcuts(undo ? { u: undo, Backspace: undo } : {});

  return (
    <Shell hasMenu>
      <h1 className="vh">{t("title")}</h1>
      <p className="vh" role="status">
        {deck.announcement}
      </p>
      {hasLocation && <Deck deck={deck} unit={user.search_range_unit} />}
      {!hasLocation && missing === "denied" && <LocationOff onSaved={handleSaved} />}
      {!hasLocation && missing !== "denied" && <NoLocation onAllow={() => setMissing("ask")} />}
      <LocationPrompt
        isOpen={missing === "ask"}
        onSaved={handleSaved}
        onDenied={() => setMissing("denied")}
        onNotNow={() => setMissing(null)}
      />
      <LocationOffSheet
        isOpen={hasLocation && missing === "denied"}
        onSaved={handleSaved}
        onClose={() => setMissing(null)}
      />
      <UpgradeSheet
        isOpen={deck.upgradeMessage !== null}
        title={deck.upgradeMessage ?? ""}
        nextCardAt={nextCardAt === undefined ? null : new Date(nextCardAt)}
        onClose={deck.closeUpgrade}
      />
    </Shell>
  );
}

function NoLocation({ onAllow }: { onAllow: () => void }) {
  const t = useTranslations("location");
  return (
    <State title={t("title")} light={0}>
      <p>{t("request")}</p>
      <Button onClick={onAllow}>{t("allow")}</Button>
    </State>
  );
}
