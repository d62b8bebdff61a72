import { useDeferredValue, useEffect, useRef } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { PublicUser, User } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { ArchPictures } from "../../features/profile/arch-pictures.tsx";
import { Clamped } from "../../features/profile/clamped.tsx";
import { Introduction } from "../../features/profile/introduction.tsx";
import { WeekAnswer } from "../../features/profile/notes.tsx";
import { PersonFacts } from "../../features/profile/person-facts.tsx";
import { PersonHead } from "../../features/profile/person-head.tsx";
import { PersonMenu } from "../../features/safety/person-menu.tsx";
import { Candidate } from "../../features/verdict/candidate.tsx";
import { CardSkeleton } from "../../features/verdict/card-skeleton.tsx";
import { DecisionBar } from "../../features/verdict/decision-bar.tsx";
import { StatusLine } from "../../features/verdict/status-line.tsx";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyModule, useLazyModule } from "../../ui/on-demand/on-demand.tsx";
import { NoCard } from "./no-card.tsx";
import type { useDeck } from "./use-deck.ts";
import { useNiche } from "./use-niche.ts";
import { classNames } from "../../ui/class-names.ts";
import stageStyles from "../../features/verdict/stage.module.css";
import buttonStyles from "../../ui/button.module.css";

const nicheModule = lazyModule(() => import("./niche.tsx"));
const yesterdayModule = lazyModule(() => import("./passed-yesterday.tsx"));

interface DeckProps {
  deck: ReturnType<typeof useDeck>;
  user: User;
}

/** The first candidate with two decisions, above the one who leaves. */
export function Deck({ deck, user }: DeckProps) {
  const t = useTranslations("home");
  const [first] = deck.options;
  const { leaving } = deck;
  const niche = useNiche(first, deck.cameAt);
  // A decision shows its colour at once; the next card is built in a later frame, before it starts to rise.
  const deferred = useDeferredValue(first);
  const next = leaving ? deferred : first;
  const ofNiche = useLazyModule(nicheModule, user.status === "free");
  const ofYesterday = useLazyModule(yesterdayModule, Boolean(deck.passedYesterday));
  const yesterday = niche.isUnseen && ofYesterday && deck.passedYesterday && (
    <ofYesterday.PassedYesterday party={deck.passedYesterday} onUndo={deck.undoYesterday} />
  );
  if (!first && !leaving)
    return (
      <>
        {yesterday}
        <NoCard deck={deck} user={user} />
      </>
    );
  if (niche.isClosed && !leaving)
    return (
      <>
        {yesterday}
        {ofNiche ? (
          <ofNiche.Niche
            cameAt={niche.isUnopened ? new Date(deck.cameAt!) : null}
            takesFocus={niche.last === "closed"}
            onOpen={niche.open}
          />
        ) : (
          <CardSkeleton />
        )}
      </>
    );
  const shown = first ?? leaving!.person;
  const quota = quotaText(t, deck.likesLeft, user);
  return (
    <>
      {yesterday}
      <div className={stageStyles.stage}>
        <div className={stageStyles.tools}>
          <FilterLink />
          <PersonMenu label={t("more")} person={shown} onBlock={deck.block} onNeverAgain={deck.neverAgain} />
        </div>
        <div className={stageStyles.cards}>
          {next && next.user_id !== leaving?.person.user_id && (
            <Card
              key={next.user_id}
              person={next}
              motion={deck.arrival}
              onSwipe={leaving ? null : deck.decide}
              takesFocus={next.user_id === deck.focusedId || niche.last === "opened"}
            />
          )}
          {leaving && (
            <Card
              key={leaving.person.user_id}
              person={leaving.person}
              motion={leaving.motion}
              onSwipe={null}
              onGone={leaving.onGone}
            />
          )}
        </div>
        <DecisionBar onVerdict={leaving ? null : deck.decide}>
          <StatusLine
            decision={deck.decision}
            onUndo={deck.canUndo ? deck.undo : null}
            quota={quota}
            onLater={user.status === "free" && !leaving ? niche.close : null}
            onShown={deck.clearDecision}
          />
        </DecisionBar>
      </div>
    </>
  );
}

/** With more than one card a day, the number left is not known. */
function quotaText(
  t: ReturnType<typeof useTranslations<"home">>,
  likesLeft: number | undefined,
  { status }: User,
): string | null {
  if (likesLeft !== undefined) return t("likesLeft", { count: likesLeft });
  return status === "free" && settings.freeCardsPerDay === "1" ? t("dailyCardStays") : null;
}

function FilterLink() {
  const t = useTranslations("home");
  return (
    <Link
      className={classNames(buttonStyles.iconButton, buttonStyles.raised)}
      to={`${useLanguagePath()}/setting/filter`}
      aria-label={t("filter")}
      title={t("filter")}
    >
      <Icon name="filter" />
    </Link>
  );
}

interface CardProps extends Pick<Parameters<typeof Candidate>[0], "motion" | "onSwipe" | "onGone"> {
  person: PublicUser;
  /** It came back by undo, follows one that had the focus, or its niche was opened. */
  takesFocus?: boolean;
}

function Card({ person, takesFocus = false, ...movement }: CardProps) {
  const t = useTranslations("home");
  const tp = useTranslations("profile");
  const profile = `${useLanguagePath()}/home/${encodeURIComponent(person.user_id)}`;
  const name = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) name.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <Candidate
      {...movement}
      kind={t("card")}
      label={tp("nameAge", { name: isolated(person.username), age: String(person.age) })}
      picture={(ref) => <ArchPictures ref={ref} person={person} label={t("viewProfile")} to={profile} />}
    >
      <PersonHead person={person} heading="h2" nameRef={name} />
      <Clamped>
        <Introduction text={person.description} />
      </Clamped>
      <WeekAnswer posts={person.posts} />
      <PersonFacts person={person} />
    </Candidate>
  );
}
