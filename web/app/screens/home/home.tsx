import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { blockUser, reportUser } from "@alcove/contract/safety";
import type { PublicUser, User } from "@alcove/contract/users";
import { Candidates, type Verdict } from "./candidates.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { CardSkeleton } from "./card-skeleton.tsx";
import { Card } from "./card.tsx";
import { NoCandidates } from "./no-candidates.tsx";
import { LocationPrompt, useFreshLocation } from "./location-prompt.tsx";
import { LoginScreen } from "../../features/login/login-screen.tsx";
import { newMatches } from "../../layout/match-notice/new-matches.ts";
import { Introduction } from "../../features/profile/introduction.tsx";
import { ProfileTable } from "../../features/profile/profile-table.tsx";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { ReportSheet } from "../../features/safety/report-sheet.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { UpgradeSheet } from "./upgrade-sheet.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import { showError } from "../../lib/show-error.ts";
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

/** The number of cards whose pictures load ahead. */
const FETCHED_AHEAD = 3;

function Home({ user: loadedUser }: { user: User }) {
  const t = useTranslations("home");
  const [user, setUser] = useState(loadedUser);
  const [isPromptOpen, setPromptOpen] = useState(false);
  useFreshLocation(user, setUser, () => setPromptOpen(true));
  const [candidates] = useState(() => new Candidates(api));
  const state = useSyncExternalStore(candidates.subscribe, candidates.getState, candidates.getState);
  const [upgradeMessage, setUpgradeMessage] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const [reported, setReported] = useState<PublicUser | null>(null);
  const [undoneId, setUndoneId] = useState<string | null>(null);
  const hasLocation = user.location !== null;
  const [first, ...next] = state.options;

  useEffect(() => {
    if (hasLocation) candidates.load().catch(showError);
  }, [candidates, hasLocation]);

  // Loads the pictures of the next cards into the cache.
  const nextIcons = next
    .slice(0, FETCHED_AHEAD)
    .map(({ icon }) => icon)
    .join(" ");
  useEffect(() => {
    for (const icon of nextIcons.split(" ").filter(Boolean)) new Image().src = icon;
  }, [nextIcons]);

  async function handleVerdict(verdict: Verdict) {
    try {
      const result = await candidates.decide(verdict);
      if (!result) return;
      setUndoneId(null);
      const [upNext] = candidates.getState().options;
      const decision =
        verdict === "like"
          ? t("liked", { name: result.user.username })
          : t("passed", { name: result.user.username });
      setAnnouncement(upNext ? `${decision} ${t("nextIs", { name: upNext.username })}` : decision);
      if (result.matched) newMatches.notify(result.user);
      await candidates.refill();
    } catch (error) {
      if (error instanceof ApiError && error.status === 402) setUpgradeMessage(error.message);
      else showError(error);
    }
  }

  async function handleUndo() {
    try {
      const person = await candidates.undo();
      setUndoneId(person?.user_id ?? null);
      if (person) setAnnouncement(t("undone", { name: person.username }));
      else banner.alert("home.undoTooLate");
    } catch (error) {
      showError(error);
    }
  }
  async function handleBlock() {
    if (!reported) return;
    await api(blockUser, { userId: reported.user_id });
    candidates.remove(reported.user_id);
    await candidates.refill();
  }
  const undo = state.canUndo && !state.isDeciding ? () => void handleUndo() : null;
  useShortcuts(undo ? { u: undo, Backspace: undo } : {});

  return (
    <Shell hasMenu>
      <h1 className="vh">{t("title")}</h1>
      <p className="vh" role="status">
        {announcement}
      </p>
      {!hasLocation && <NoLocation onAllow={() => setPromptOpen(true)} />}
      {hasLocation && first && (
        <Card
          person={first}
          isJudging={state.isDeciding}
          onVerdict={(verdict) => void handleVerdict(verdict)}
          onUndo={state.canUndo ? () => void handleUndo() : null}
          isBack={first.user_id === undoneId}
          onReport={() => setReported(first)}
        >
          <Introduction text={first.description} />
          <ProfileTable person={first} />
        </Card>
      )}
      {hasLocation && !first && state.phase === "loading" && <CardSkeleton />}
      {hasLocation && !first && state.phase === "failed" && (
        <Empty
          title={t("failed")}
          action={
            <Button kind="quiet" small onClick={() => void candidates.load().catch(showError)}>
              {t("again")}
            </Button>
          }
        />
      )}
      {hasLocation && state.phase === "ready" && state.emptyReason && (
        <NoCandidates empty={state.emptyReason} />
      )}
      {hasLocation && !first && state.phase !== "loading" && undo && (
        <p className="undo">
          <Button kind="ghost" small aria-keyshortcuts="U Backspace" onClick={undo}>
            <Icon name="undo" small />
            {t("undo")}
          </Button>
        </p>
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
        onBlock={handleBlock}
        onClose={() => setReported(null)}
      />
      <UpgradeSheet
        isOpen={upgradeMessage !== null}
        title={upgradeMessage ?? ""}
        prices={<PriceTable />}
        onClose={() => setUpgradeMessage(null)}
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
