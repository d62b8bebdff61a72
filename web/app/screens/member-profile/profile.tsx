import { useState, type Ref } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import type { getUser } from "@alcove/contract/discovery";
import { blockUser } from "@alcove/contract/safety";
import { UpgradeSheet } from "../../features/prices/upgrade-sheet.tsx";
import { Introduction } from "../../features/profile/introduction.tsx";
import { PersonFacts } from "../../features/profile/person-facts.tsx";
import { PersonHead } from "../../features/profile/person-head.tsx";
import { PersonLinks } from "../../features/profile/person-links.tsx";
import { PersonMenu } from "../../features/safety/person-menu.tsx";
import { CardSkeleton } from "../../features/verdict/card-skeleton.tsx";
import { Candidate } from "../../features/verdict/candidate.tsx";
import { DecisionBar } from "../../features/verdict/decision-bar.tsx";
import { StatusLine } from "../../features/verdict/status-line.tsx";
import { api } from "../../lib/api/api.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { useMatchedOn } from "../../lib/dates-and-units/use-matched-on.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { CARD_SIZES, Picture } from "../../ui/picture.tsx";
import { ClearPicture } from "./clear-picture.tsx";
import { Slideshow } from "./slideshow.tsx";
import { useDecision } from "./use-decision.ts";
import { classNames } from "../../ui/class-names.ts";
import stageStyles from "../../features/verdict/stage.module.css";
import buttonStyles from "../../ui/button.module.css";
import portraitStyles from "../../ui/styles/portrait.module.css";
import decisionBarStyles from "../../features/verdict/decision-bar.module.css";

type ProfileProps = ResponseOf<typeof getUser> & {
  /** Whether the match sees the viewer's clear picture; null if there is none. */
  isShownClear: boolean | null;
};

/** The whole profile, with the decisions of the card, or "Message" for a match. */
export function Profile({ isShownClear, ...found }: ProfileProps) {
  const { user, matched, verdict, likes_left: likesLeft } = found;
  const t = useTranslations("profile");
  const th = useTranslations("home");
  const sayMatchedOn = useMatchedOn();
  const base = useLanguagePath();
  const navigate = useNavigate();
  const [isEnlarged, setEnlarged] = useState(false);
  const decision = useDecision(user);
  const pictures = user.pictures.map((picture, i) => user.clear_pictures[i] ?? picture);
  const chat = `${base}/dm/${encodeURIComponent(user.user_id)}`;
  const isUndecided = !matched && verdict === null;

  async function handleBlock(userId: string) {
    await api(blockUser, { userId });
    await navigate(base, { replace: true });
  }

  return (
    <div className={stageStyles.stage}>
      <div className={stageStyles.tools}>
        <Link
          className={classNames(buttonStyles.iconButton, buttonStyles.raised)}
          to={matched ? chat : base}
          aria-label={t("back")}
          title={t("back")}
        >
          <Icon name="back" />
        </Link>
        <PersonMenu label={th("more")} person={user} isMatch={matched} onBlock={handleBlock} />
      </div>
      <div className={stageStyles.cards}>
        {decision.isGone ? (
          <CardSkeleton />
        ) : (
          <Candidate
            label={t("nameAge", { name: user.username, age: String(user.age) })}
            motion={decision.motion}
            onSwipe={isUndecided ? decision.decide : null}
            onGone={decision.handleGone}
            picture={(ref) => (
              <button
                ref={ref as Ref<HTMLButtonElement>}
                type="button"
                className={portraitStyles.portrait}
                aria-label={t("enlarge")}
                onClick={() => setEnlarged(true)}
              >
                <Picture
                  src={user.icon}
                  alt={user.username}
                  sizes={CARD_SIZES}
                  width="600"
                  height="600"
                  draggable={false}
                />
              </button>
            )}
          >
            <PersonHead person={user} heading="h1" />
            <Introduction text={user.description} />
            <PersonFacts person={user} />
            <PersonLinks person={user} />
            {isShownClear !== null && (
              <ClearPicture userId={user.user_id} name={user.username} isShown={isShownClear} />
            )}
          </Candidate>
        )}
      </div>
      {matched && (
        <div className={classNames(decisionBarStyles.bar, decisionBarStyles.one)}>
          <Link className={buttonClass({})} to={chat}>
            <Icon name="dm" small />
            {t("write")}
          </Link>
          <p className={decisionBarStyles.status}>{sayMatchedOn(user.username, found.matched_on)}</p>
        </div>
      )}
      {!matched && verdict === "like" && (
        <div className={classNames(decisionBarStyles.bar, decisionBarStyles.one)}>
          <StatusLine decision={{ kind: "like", name: user.username }} onUndo={null} likesLeft={undefined} />
        </div>
      )}
      {!matched && verdict !== "like" && (
        <DecisionBar onVerdict={decision.decide} isPassed={verdict === "pass"}>
          <StatusLine
            decision={isUndecided ? null : { kind: "pass", name: user.username }}
            onUndo={null}
            likesLeft={likesLeft}
          />
        </DecisionBar>
      )}
      {isEnlarged && <Slideshow images={pictures} name={user.username} onClose={() => setEnlarged(false)} />}
      <UpgradeSheet title={decision.upgradeMessage} nextCardAt={null} onClose={decision.closeUpgrade} />
    </div>
  );
}
