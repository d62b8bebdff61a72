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

/** `/{lang}`: the login when logged out, the home card when logged in (specification, section 2). */
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

export default function Start({ loaderData: { user, loadedFor } }: Route.ComponentProps) {
  const isLoggedIn = useIsLoggedIn();
  const isOthers = useHasLoginChanged(loadedFor);
  if (isLoggedIn && user && !isOthers) return <Home key={user.user_id} user={user} />;
  return (
    <Shell pageClass="page-login">
      <LoginScreen next={null} />
    </Shell>
  );
}

/** So many cards' pictures are fetched before the cards are shown. */
const FETCHED_AHEAD = 3;

function Home({ user: loaded }: { user: User }) {
  const t = useTranslations("home");
  const [user, setUser] = useState(loaded);
  const [isAsking, setAsking] = useState(false);
  useFreshLocation(user, setUser, () => setAsking(true));
  const [candidates] = useState(() => new Candidates(api));
  const state = useSyncExternalStore(candidates.subscribe, candidates.getState, candidates.getState);
  const [refused, setRefused] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const [reported, setReported] = useState<PublicUser | null>(null);
  const [back, setBack] = useState<string | null>(null);
  const hasLocation = user.location !== null;
  const [first, ...next] = state.options;

  // Once there is a position, and nobody is listed, candidates are loaded (specification, section 4).
  useEffect(() => {
    if (hasLocation) candidates.load().catch(showError);
  }, [candidates, hasLocation]);

  // The pictures of the next cards are there when the cards are.
  const nextIcons = next
    .slice(0, FETCHED_AHEAD)
    .map(({ icon }) => icon)
    .join(" ");
  useEffect(() => {
    for (const icon of nextIcons.split(" ").filter(Boolean)) new Image().src = icon;
  }, [nextIcons]);

  async function handleVerdict(verdict: Verdict) {
    try {
      const done = await candidates.decide(verdict);
      if (!done) return;
      setBack(null);
      const [upNext] = candidates.getState().options;
      const what =
        verdict === "like"
          ? t("liked", { name: done.judged.username })
          : t("passed", { name: done.judged.username });
      setSaid(upNext ? `${what} ${t("nextIs", { name: upNext.username })}` : what);
      if (done.matched) newMatches.notify(done.judged);
      await candidates.refill();
    } catch (error) {
      if (error instanceof ApiError && error.status === 402) setRefused(error.message);
      else showError(error);
    }
  }

  async function handleUndo() {
    try {
      const person = await candidates.undo();
      setBack(person?.user_id ?? null);
      if (person) setSaid(t("undone", { name: person.username }));
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
        {said}
      </p>
      {!hasLocation && <NoPosition onAsk={() => setAsking(true)} />}
      {hasLocation && first && (
        <Card
          person={first}
          isJudging={state.isDeciding}
          onVerdict={(verdict) => void handleVerdict(verdict)}
          onUndo={state.canUndo ? () => void handleUndo() : null}
          isBack={first.user_id === back}
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
        isOpen={isAsking}
        onSaved={(saved) => {
          setUser(saved);
          setAsking(false);
        }}
        onNotNow={() => setAsking(false)}
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
        isOpen={refused !== null}
        title={refused ?? ""}
        prices={<PriceTable />}
        onClose={() => setRefused(null)}
      />
    </Shell>
  );
}

function NoPosition({ onAsk }: { onAsk: () => void }) {
  const t = useTranslations("location");
  return (
    <Empty
      title={t("title")}
      text={t("request")}
      action={
        <Button small onClick={onAsk}>
          {t("allow")}
        </Button>
      }
    />
  );
}
