import { useRef, useState, type RefObject } from "react";
import { Link, NavLink, useNavigate, useParams, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { unmatch } from "@alcove/contract/discovery";
import type { EndedMatch, ListedDm, Match } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { useDraft } from "../../features/chat/drafts.ts";
import { api } from "../../lib/api/api.ts";
import { savePrivacySettings, usePrivacySettings } from "../../lib/session/privacy-settings.ts";
import { isolated } from "../../lib/texts/isolated.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { momentText, timeText } from "../../lib/dates-and-units/dates.ts";
import { useDays } from "../../lib/dates-and-units/days.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";
import { EndedMatches } from "./ended-matches.tsx";
import { GoodbyeSheet } from "./goodbye-sheet.tsx";
import { classNames } from "../../ui/class-names.ts";
import styles from "./messages.module.css";

export interface MessageListProps {
  ownId: string;
  matches: readonly Match[];
  dms: readonly ListedDm[];
  unread: ReadonlySet<string>;
  muted: readonly string[];
  ended: readonly EndedMatch[];
  onReport: (ended: EndedMatch) => void;
}

export function MessageList({ ended, onReport, ...list }: MessageListProps) {
  const { userId: openId } = useParams();
  const isResting = ({ resting }: { resting: boolean }, userId: string) => resting && userId !== openId;
  const dms = list.dms.map((dm) => ({
    dm,
    friend: dm.sender.user_id === list.ownId ? dm.receiver : dm.sender,
  }));
  const awake = dms.filter(({ dm, friend }) => !isResting(dm, friend.user_id));
  const resting = dms.filter(({ dm, friend }) => isResting(dm, friend.user_id));
  const newMatches = list.matches.filter((match) => !isResting(match, match.user_id));
  const restingMatches = list.matches.filter((match) => isResting(match, match.user_id));
  if (list.matches.length + dms.length + ended.length === 0) return <NoMessages />;
  return (
    <>
      <Conversations {...list} matches={newMatches} dms={awake} />
      {resting.length + restingMatches.length > 0 && (
        <Resting {...list} matches={restingMatches} dms={resting} />
      )}
      {ended.length > 0 && <EndedMatches ended={ended} onReport={onReport} />}
    </>
  );
}

interface SectionProps extends Pick<MessageListProps, "unread" | "muted"> {
  matches: readonly Party[];
  dms: readonly { dm: ListedDm; friend: Party }[];
}

/** Matches that both left silent; writing or opening wakes them. */
function Resting({ matches, dms, unread, muted }: SectionProps) {
  const t = useTranslations("messages");
  return (
    <section className={classNames("stack-sm", styles.section)}>
      <h2 className={styles.heading}>{t("resting")}</h2>
      <p className="hint">{t("restingHint")}</p>
      {matches.length > 0 && (
        <div className={styles.matches}>
          {matches.map((match) => (
            <NewMatch key={match.user_id} match={match} isUnread={unread.has(match.user_id)} />
          ))}
        </div>
      )}
      <Threads dms={dms} unread={unread} muted={muted} />
    </section>
  );
}

function Conversations({ matches, dms, unread, muted }: SectionProps) {
  const t = useTranslations("messages");
  const heading = useRef<HTMLHeadingElement>(null);
  const { showsTurnsFirst } = usePrivacySettings();
  const isTurn = ({ dm }: { dm: ListedDm }) => dm.my_turn;
  const shown = showsTurnsFirst ? [...dms.filter(isTurn), ...dms.filter((one) => !isTurn(one))] : dms;
  return (
    <>
      {matches.length > 0 && (
        <section className="stack-sm" aria-labelledby="new-matches">
          <h2 className={styles.heading} id="new-matches">
            {t("newMatches")}
          </h2>
          <div className={styles.matches}>
            {matches.map((match) => (
              <NewMatch key={match.user_id} match={match} isUnread={unread.has(match.user_id)} />
            ))}
          </div>
        </section>
      )}
      {dms.length > 0 && (
        <section className={classNames("stack-sm", styles.section)}>
          <div className={styles.head}>
            <h2 ref={heading} tabIndex={-1} className={styles.heading}>
              {t("conversations")}
            </h2>
            {dms.length > 1 && (
              <button
                type="button"
                className={styles.order}
                aria-pressed={showsTurnsFirst}
                onClick={() => savePrivacySettings({ showsTurnsFirst: !showsTurnsFirst })}
              >
                {t("turnsFirst")}
              </button>
            )}
          </div>
          <Threads dms={shown} unread={unread} muted={muted} heading={heading} />
        </section>
      )}
    </>
  );
}

interface ThreadsProps extends Omit<SectionProps, "matches"> {
  /** Receives the focus when a row disappears. */
  heading?: RefObject<HTMLElement | null>;
}

function Threads({ dms, unread, muted, heading }: ThreadsProps) {
  const t = useTranslations("messages");
  const focused = useRef<HTMLElement | null>(null);
  const parting = useParting();
  async function end(goodbye: number | null) {
    await parting.end(goodbye);
    focused.current = heading?.current ?? null;
  }
  return (
    <>
      <ul className={classNames(styles.threads, dms.some(({ dm }) => dm.my_turn) && styles.withButtons)}>
        {dms.map(({ dm, friend }) => (
          <li key={friend.user_id}>
            <Thread
              dm={dm}
              friend={friend}
              isUnread={unread.has(friend.user_id)}
              isMuted={muted.includes(friend.user_id)}
            />
            {dm.my_turn && (
              <IconButton
                icon="goodbye"
                label={t("goodbyeTo", { name: isolated(friend.username) })}
                onClick={({ currentTarget }) => {
                  focused.current = currentTarget;
                  parting.begin(friend);
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <GoodbyeSheet
        isOpen={parting.isOpen}
        name={parting.friend?.username ?? ""}
        onEnd={end}
        onClose={parting.cancel}
        focusAfter={() => focused.current}
      />
    </>
  );
}

/** The end of a match from the list. The sheet keeps the name while it closes. */
function useParting() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { userId: openId } = useParams();
  const [friend, setFriend] = useState<Party | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    friend,
    isOpen,
    begin(whom: Party) {
      setFriend(whom);
      setOpen(true);
    },
    cancel: () => setOpen(false),
    async end(goodbye: number | null) {
      await api(unmatch, { userId: friend!.user_id, goodbye });
      await (openId === friend!.user_id ? navigate(`${base}/dm`, { replace: true }) : revalidate());
    },
  };
}

function NoMessages() {
  const t = useTranslations("messages");
  const toCard = (
    <Link className={buttonClass({ kind: "quiet", small: true })} to={useLanguagePath()}>
      {t("seeCard")}
    </Link>
  );
  return <Empty title={t("empty")} text={t("emptyText")} action={toCard} />;
}

function NewMatch({ match, isUnread }: { match: Party; isUnread: boolean }) {
  return (
    <NavLink to={useConversationPath(match)}>
      <Avatar src={match.icon} size="lg" />
      {isUnread && <Unread />}
      <span className={styles.matchName} dir="auto">
        {match.username}
      </span>
    </NavLink>
  );
}

function useConversationPath(friend: Party): string {
  return `${useLanguagePath()}/dm/${encodeURIComponent(friend.user_id)}`;
}

interface ThreadProps {
  dm: ListedDm;
  friend: Party;
  isUnread: boolean;
  isMuted: boolean;
}

function Thread({ dm, friend, isUnread, isMuted }: ThreadProps) {
  const t = useTranslations("messages");
  const isMarked = isUnread || dm.my_turn;
  return (
    <NavLink
      className={classNames(styles.thread, isMarked && styles.marked, isUnread && styles.unread)}
      to={useConversationPath(friend)}
    >
      <Avatar src={friend.icon} />
      <span className={styles.name}>
        <span dir="auto">{friend.username}</span>
        {isMuted && (
          <>
            <Icon name="mute" small />
            <span className="vh">{t("muted")}</span>
          </>
        )}
      </span>
      <When at={new Date(dm.created_at)} />
      <ThreadText dm={dm} friend={friend} />
      {isMarked && (
        <span className={styles.state}>
          {dm.my_turn && <span className={styles.turn}>{t("yourTurn")}</span>}
          {isUnread && <Unread />}
        </span>
      )}
    </NavLink>
  );
}

/** The draft, or the last message. The open conversation shows its draft itself. */
function ThreadText({ dm, friend }: Pick<ThreadProps, "dm" | "friend">) {
  const t = useTranslations("messages");
  const draft = useDraft(friend.user_id).text.trim();
  const isOpen = useParams()["userId"] === friend.user_id;
  const isDraft = draft !== "" && !isOpen;
  const isVoice = dm.voice !== null;
  const words = isDraft ? draft : isVoice ? null : dm.description;
  return (
    <span className={styles.text}>
      {isDraft && <span className={styles.draft}>{t("draft")} </span>}
      {words !== null ? (
        <bdi>{words}</bdi>
      ) : (
        <span className={styles.image}>
          <Icon name={isVoice ? "microphone" : "image"} small />
          {t(isVoice ? "voiceNote" : "image")}
        </span>
      )}
    </span>
  );
}

/** A dot with a label for screen readers, never a number. */
function Unread() {
  const t = useTranslations("messages");
  return (
    <span className={styles.dot}>
      <span className="vh">{t("unread")}</span>
    </span>
  );
}

function When({ at }: { at: Date }) {
  const days = useDays();
  return (
    <time dateTime={at.toISOString()} title={momentText(at)}>
      {days.isToday(at) ? timeText(at) : days.nameOf(at)}
    </time>
  );
}
