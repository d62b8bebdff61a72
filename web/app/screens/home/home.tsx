import { useState } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { reportUser } from "@alcove/contract/safety";
import type { PublicUser, User } from "@alcove/contract/users";
import { loginBotToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { useHasLoginChanged } from "../../lib/session/session-owner.ts";
import { currentLoginId, useIsLoggedIn } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { Route } from "./+types/home";
import { Deck } from "./deck.tsx";
import { LocationPrompt, useFreshLocation } from "./location-prompt.tsx";
import { UpgradeSheet } from "./upgrade-sheet.tsx";
import { useDeck } from "./use-deck.ts";
import { useShortcuts } from "./use-shortcuts.ts";

/** `/{lang}` shows the login to visitors and the first card to members. */
export async function clientLoader() {
  const loadedFor = currentLoginId();
  if (loadedFor === null) return { user: null, loadedFor };
  try {
    return { user: (await api(getOwnUser, {})).user, loadedFor };
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
  const [isPromptOpen, setPromptOpen] = useState(false);
  const [reported, setReported] = useState<PublicUser | null>(null);
  useFreshLocation(user, setUser, () => setPromptOpen(true));
  const hasLocation = user.location !== null;
  const deck = useDeck(hasLocation);
  const undo = deck.canUndo && !deck.isDeciding ? deck.undo : null;
  useShortcuts(undo ? { u: undo, Backspace: undo } : {});

  return (
    <Shell hasMenu>
      <h1 className="vh">{t("title")}</h1>
      <p className="vh" role="status">
        {deck.announcement}
      </p>
      {hasLocation ? (
        <Deck deck={deck} onReport={setReported} />
      ) : (
        <NoLocation onAllow={() => setPromptOpen(true)} />
      )}
      <LocationPrompt
        isOpen={isPromptOpen}
        onSaved={(saved) => {
          setUser(saved);
          setPromptOpen(false);
        }}
        onNotNow={() => setPromptOpen(false)}
      />
      <ReportSheet
        isOpen={reported !== null}
        userId={reported?.user_id ?? ""}
        name={reported?.username ?? ""}
        onReport={(report) => api(reportUser, report)}
        onBlock={() => deck.block(reported!.user_id)}
        onClose={() => setReported(null)}
      />
      <UpgradeSheet
        isOpen={deck.upgradeMessage !== null}
        title={deck.upgradeMessage ?? ""}
        prices={<PriceTable />}
        onClose={deck.closeUpgrade}
      />
    </Shell>
  );
}

function NoLocation({ onAllow }: { onAllow: () => void }) {
  const t = useTranslations("location");
  return (
    <Empty
      title={t("title")}
      text={t("request")}
      action={
        <Button small onClick={onAllow}>
          {t("allow")}
        </Button>
      }
    />
  );
}
