import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import { type getUser, neverAgain } from "@alcove/contract/discovery";
import { blockUser } from "@alcove/contract/safety";
import type { PublicUser } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { changeDraft } from "../../features/chat/drafts.ts";
import { linkify } from "../../features/chat/linkify.tsx";
import { UpgradeSheet } from "../../features/prices/upgrade-sheet.tsx";
import { Introduction } from "../../features/profile/introduction.tsx";
import { ArchPictures } from "../../features/profile/arch-pictures.tsx";
import { Notes } from "../../features/profile/notes.tsx";
import { PersonFacts } from "../../features/profile/person-facts.tsx";
import { PersonHead } from "../../features/profile/person-head.tsx";
import { PersonLinks } from "../../features/profile/person-links.tsx";
import { PersonMenu } from "../../features/safety/person-menu.tsx";
import { BackLink } from "../../features/verdict/back-link.tsx";
import { CardSkeleton } from "../../features/verdict/card-skeleton.tsx";
import { Candidate } from "../../features/verdict/candidate.tsx";
import { DecisionBar } from "../../features/verdict/decision-bar.tsx";
import { StatusLine } from "../../features/verdict/status-line.tsx";
import { api } from "../../lib/api/api.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { useMatchedOn } from "../../lib/dates-and-units/use-matched-on.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { ClearPicture } from "./clear-picture.tsx";
import { Slideshow } from "./slideshow.tsx";
import { useDecision } from "./use-decision.ts";
import { classNames } from "../../ui/class-names.ts";
import styles from "./member-profile.module.css";
import stageStyles from "../../features/verdict/stage.module.css";
import decisionBarStyles from "../../features/verdict/decision-bar.module.css";

type ProfileProps = ResponseOf<typeof getUser> & {
  /** Whether the match sees the viewer's clear picture; null if there is none. */
  isShownClear: boolean | null;
};

/** The whole profile, with the decisions of the card, or "Message" for a match. */
export function Profile({ isShownClear, ...found }: ProfileProps) {
  const { user, matched, verdict } = found;
  const t = useTranslations("profile");
  const th = useTranslations("home");
  const base = useLanguagePath();
  const navigate = useNavigate();
  /** The place of the picture to begin with. */
  const [enlarged, setEnlarged] = useState<number | null>(null);
  const decision = useDecision(user);
  const pictures = user.pictures.map((picture, i) => user.clear_pictures[i] ?? picture);
  const chat = `${base}/dm/${encodeURIComponent(user.user_id)}`;
  const isUndecided = !matched && verdict === null;

  const leaveFor = (call: typeof blockUser | typeof neverAgain) => async (userId: string) => {
    await api(call, { userId });
    await navigate(base, { replace: true });
  };

  return (
    <div className={stageStyles.stage}>
      <div className={stageStyles.tools}>
        <BackLink to={matched ? chat : base} label={t("back")} />
        <PersonMenu
          label={th("more")}
          person={user}
          isMatch={matched}
          onBlock={leaveFor(blockUser)}
          onThreat={() => void navigate(`${base}/threat?userId=${encodeURIComponent(user.user_id)}`)}
          {...(!matched && { onNeverAgain: leaveFor(neverAgain) })}
        />
      </div>
      <div className={stageStyles.cards}>
        {decision.isGone ? (
          <CardSkeleton />
        ) : (
          <Candidate
            label={t("nameAge", { name: isolated(user.username), age: String(user.age) })}
            motion={decision.motion}
            onSwipe={isUndecided ? decision.decide : null}
            onGone={decision.handleGone}
            picture={(ref) => (
              <ArchPictures ref={ref} person={user} label={t("enlarge")} onOpen={setEnlarged} />
            )}
          >
            <PersonHead person={user} heading="h1" />
            <Introduction text={user.description} />
            {pictures.length > 1 && <AllPictures pictures={pictures} onOpen={setEnlarged} />}
            <MemberNotes person={user} isMatch={matched} chat={chat} />
            <PersonFacts person={user} />
            <PersonLinks person={user} />
            {isShownClear !== null && (
              <ClearPicture userId={user.user_id} name={user.username} isShown={isShownClear} />
            )}
          </Candidate>
        )}
      </div>
      {matched && <WriteBar chat={chat} name={user.username} matchedOn={found.matched_on} />}
      {!matched && verdict === "like" && (
        <div className={classNames(decisionBarStyles.bar, decisionBarStyles.one)}>
          <StatusLine decision={{ kind: "like", name: user.username }} onUndo={null} />
        </div>
      )}
      {!matched && verdict !== "like" && (
        <DecisionBar onVerdict={decision.decide} isPassed={verdict === "pass"}>
          <StatusLine
            decision={isUndecided ? null : { kind: "pass", name: user.username }}
            onUndo={null}
            quota={quotaText(th, found)}
          />
        </DecisionBar>
      )}
      {enlarged !== null && (
        <Slideshow
          images={pictures}
          first={enlarged}
          name={user.username}
          onClose={() => setEnlarged(null)}
        />
      )}
      <UpgradeSheet {...decision.offer} />
    </div>
  );
}

/** All pictures at once, which the card does not have. */
function AllPictures({ pictures, onOpen }: { pictures: readonly string[]; onOpen: (at: number) => void }) {
  const t = useTranslations("profile");
  const total = String(pictures.length);
  return (
    <ul className={styles.pictures}>
      {pictures.map((picture, n) => (
        <li key={picture}>
          <button
            type="button"
            aria-label={t("pictureOf", { place: String(n + 1), total })}
            onClick={() => onOpen(n)}
          >
            <Picture src={picture} alt="" sizes="11rem" loading="lazy" width="600" height="600" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Only a dealt candidate has a distance here. */
function quotaText(
  t: ReturnType<typeof useTranslations<"home">>,
  { user, likes_left: count }: ResponseOf<typeof getUser>,
): string | null {
  if (count !== undefined) return t("likesLeft", { count });
  return user.distance !== null && settings.freeCardsPerDay === "1" ? t("dailyCard") : null;
}

interface MemberNotesProps {
  person: PublicUser;
  isMatch: boolean;
  chat: string;
}

/** A match replies to a note in the conversation, where it stands as the quote. */
function MemberNotes({ person: { user_id, posts }, isMatch, chat }: MemberNotesProps) {
  const t = useTranslations("notes");
  const navigate = useNavigate();
  if (!isMatch) return <Notes posts={posts} hint={t("replyLater")} />;
  return (
    <Notes
      posts={posts}
      renderText={linkify}
      onReply={({ id }) => {
        changeDraft(user_id, { noteId: id, replyId: null });
        void navigate(chat);
      }}
    />
  );
}

interface WriteBarProps {
  chat: string;
  name: string;
  matchedOn: ProfileProps["matched_on"];
}

/** For a match: the way to the conversation, in place of the decisions. */
function WriteBar({ chat, name, matchedOn }: WriteBarProps) {
  const t = useTranslations("profile");
  const sayMatchedOn = useMatchedOn();
  return (
    <div className={classNames(decisionBarStyles.bar, decisionBarStyles.one)}>
      <Link className={buttonClass({})} to={chat}>
        <Icon name="dm" small />
        {t("write")}
      </Link>
      <p className={decisionBarStyles.status}>{sayMatchedOn(name, matchedOn)}</p>
    </div>
  );
}
