import { useState } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { reportUser } from "@alcove/contract/safety";
import type { PublicUser, User } from "@alcove/contract/users";
import { useDeck } from "./use-deck.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { CardSkeleton } from "./card-skeleton.tsx";
import { Card } from "./card.tsx";
import { NoCandidates } from "./no-candidates.tsx";
import { LocationPrompt, useFreshLocation } from "./location-prompt.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { Introduction } from "../../features/profile/introduction.tsx";
import { ProfileTable } from "../../features/profile/profile-table.tsx";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { UpgradeSheet } from "./upgrade-sheet.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { useHasLoginChanged } from "../../lib/session/session-owner.ts";
import { currentLoginId, useIsLoggedIn } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/home";

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
      <LoginScreen next={null} />
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

interface DeckProps {
  deck: ReturnType<typeof useDeck>;
  onReport: (user: PublicUser) => void;
}

/** The first card, or the reason why there is none. */
function Deck({ deck, onReport }: DeckProps) {
  const t = useTranslations("home");
  const [first] = deck.options;
  if (first) {
    return (
      <Card
        person={first}
        isDeciding={deck.isDeciding}
        onVerdict={deck.decide}
        onUndo={deck.canUndo ? deck.undo : null}
        isBack={first.user_id === deck.undoneId}
        onReport={() => onReport(first)}
      >
        <Introduction text={first.description} />
        <ProfileTable person={first} />
      </Card>
    );
  }
  if (deck.phase === "loading") return <CardSkeleton />;
  return (
    <>
      {deck.phase === "failed" && (
        <Empty
          title={t("failed")}
          action={
            <Button kind="quiet" small onClick={deck.reload}>
              {t("again")}
            </Button>
          }
        />
      )}
      {deck.emptyReason && <NoCandidates empty={deck.emptyReason} />}
      {deck.canUndo && !deck.isDeciding && (
        <p className="undo">
          <Button kind="ghost" small aria-keyshortcuts="U Backspace" onClick={deck.undo}>
            <Icon name="undo" small />
            {t("undo")}
          </Button>
        </p>
      )}
    </>
  );
}
