import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { CardSkeleton } from "../../features/verdict/card-skeleton.tsx";
import { StatusLine } from "../../features/verdict/status-line.tsx";
import { Button } from "../../ui/button.tsx";
import { LoadingStatus } from "../../ui/loading.tsx";
import { State } from "../../ui/state.tsx";
import { CardUsed } from "./card-used.tsx";
import { NoCandidates } from "./no-candidates.tsx";
import { Paused } from "./paused.tsx";
import type { useDeck } from "./use-deck.ts";
import stageStyles from "../../features/verdict/stage.module.css";

interface NoCardProps {
  deck: ReturnType<typeof useDeck>;
  user: User;
}

/** Shows why there is no card, and offers the next step. */
export function NoCard({ deck, user }: NoCardProps) {
  const t = useTranslations("home");
  const te = useTranslations("errors");
  const { phase, emptyReason: empty } = deck;
  if (phase === "failed") {
    return (
      <State title={t("failed")}>
        <Button onClick={deck.reload}>{t("again")}</Button>
      </State>
    );
  }
  // The shape of a card would promise another one.
  if (!empty) {
    return <div className={stageStyles.stage}>{deck.hasDecided ? <LoadingStatus /> : <CardSkeleton />}</div>;
  }
  if (empty.reason === "paused") return <Paused until={user.paused_until} onEnd={deck.reload} />;
  const status = <LastDecision deck={deck} />;
  const nextCardAt = empty.next_card_at === undefined ? null : new Date(empty.next_card_at);
  if (empty.reason === "card_used") {
    return (
      <CardUsed
        key={empty.next_card_at}
        user={user}
        nextCardAt={nextCardAt}
        likesSince={empty.card_day_began_on ?? ""}
        onDue={deck.reload}
        onPlans={() => deck.showUpgrade(te("upgrade_required"))}
      >
        {status}
      </CardUsed>
    );
  }
  return (
    <NoCandidates
      reason={empty.reason}
      user={user}
      suggestion={empty.suggestion}
      maxRange={empty.suggested_max_range}
      nextFacesAt={nextCardAt}
    >
      {status}
    </NoCandidates>
  );
}

/** A pass stays as long as it can be undone, because nothing else needs its place. A like goes after five seconds. */
function LastDecision({ deck }: { deck: NoCardProps["deck"] }) {
  const { decision, canUndo } = deck;
  if (!decision) return null;
  return (
    <StatusLine
      decision={decision}
      onUndo={canUndo ? deck.undo : null}
      {...(!(canUndo && decision.kind === "pass") && { onShown: deck.clearDecision })}
    />
  );
}
