import { useEffect, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { getLikes, type GivenLike } from "@alcove/contract/discovery";
import { getLastDms } from "@alcove/contract/messaging";
import { getQuestion, type Question } from "@alcove/contract/notes";
import type { Party, User } from "@alcove/contract/users";
import { WeekQuestion } from "../../features/notes/week-question.tsx";
import { OwnCard } from "../../features/profile/own-card.tsx";
import { api } from "../../lib/api/api.ts";
import { useDays } from "../../lib/dates-and-units/days.ts";
import { isolated } from "../../lib/texts/isolated.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { isResync } from "../../realtime/events.ts";
import { onRealtimeEvent } from "../../realtime/realtime.ts";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";
import { mostUsefulAddition } from "./most-useful-addition.ts";
import listStyles from "../../ui/styles/list.module.css";
import styles from "./evening.module.css";

const SHOWN = 3;
const CHANGES: ReadonlySet<string> = new Set(["match", "dm", "lost", "unsent"]);

interface EveningRowsProps {
  user: User;
  /** The first day (UTC) of the cards that are used. */
  since: string;
}

/** The rows of the evening page that need more data. */
export function EveningRows({ user, since }: EveningRowsProps) {
  const evening = useEvening(user.user_id, since);
  if (!evening) return null;
  const { likes, turns, question } = evening;
  return (
    <>
      {likes.length + turns.length > 0 && (
        <ul className={listStyles.list}>
          {likes.map((like) => (
            <Liked key={like.user_id} like={like} />
          ))}
          {turns.map((friend) => (
            <Turn key={friend.user_id} friend={friend} />
          ))}
        </ul>
      )}
      <OwnCard user={user}>
        <Addition user={user} />
      </OwnCard>
      {question && <WeekQuestion question={question} />}
    </>
  );
}

function Liked({ like }: { like: GivenLike }) {
  const t = useTranslations("evening");
  const day = useDayName();
  return (
    <PersonRow
      party={like}
      to={`/home/${encodeURIComponent(like.user_id)}`}
      title={t("liked", { name: isolated(like.username) })}
    >
      {day(like.liked_on)}
    </PersonRow>
  );
}

function Turn({ friend }: { friend: Party }) {
  const t = useTranslations("evening");
  return (
    <PersonRow
      party={friend}
      to={`/dm/${encodeURIComponent(friend.user_id)}`}
      title={<bdi>{friend.username}</bdi>}
    >
      {t("yourTurn")}
    </PersonRow>
  );
}

function PersonRow(row: { party: Party; to: string; title: ReactNode; children: ReactNode }) {
  const base = useLanguagePath();
  return (
    <li>
      <Link className={listStyles.row} to={base + row.to}>
        <Avatar src={row.party.icon} />
        <span>
          {row.title}
          <span className="hint">{row.children}</span>
        </span>
        <Icon name="next" />
      </Link>
    </li>
  );
}

function Addition({ user }: { user: User }) {
  const t = useTranslations("evening");
  const base = useLanguagePath();
  const addition = mostUsefulAddition(user);
  if (!addition) return null;
  return (
    <p>
      <Link className={styles.addition} to={`${base}/setting/profile`}>
        {t(addition)}
      </Link>
    </p>
  );
}

/** Today, yesterday, or the day; `day` is `YYYY-MM-DD` in UTC. */
function useDayName(): (day: string) => string {
  const t = useTranslations("days");
  const days = useDays();
  return (day) => {
    const age = days.ageOfUtcDay(day);
    if (age <= 0) return t("today");
    return age === 1 ? t("yesterday") : days.nameOfUtcDay(day);
  };
}

interface Evening {
  readonly likes: readonly GivenLike[];
  readonly turns: readonly Party[];
  readonly question: Question | null;
}

/** A part that cannot be loaded is left out: the page promises none of them. */
function useEvening(ownId: string, since: string): Evening | null {
  const [evening, setEvening] = useState<Evening | null>(null);
  useEffect(() => {
    let isMounted = true;
    const read = async () => {
      const [likes, turns, question] = await Promise.all([
        readLikes(since),
        readTurns(ownId),
        readQuestion(),
      ]);
      if (isMounted) setEvening({ likes, turns, question });
    };
    void read();
    const unsubscribe = onRealtimeEvent((event) => {
      if (isResync(event) || CHANGES.has(event.kind)) void read();
    });
    return () => {
      isMounted = false;
      unsubscribe();
    };
  }, [ownId, since]);
  return evening;
}

async function readLikes(since: string): Promise<GivenLike[]> {
  const found = await api(getLikes, {}).catch(() => null);
  return (found?.likes ?? []).filter(({ liked_on }) => liked_on >= since).slice(0, SHOWN);
}

async function readTurns(ownId: string): Promise<Party[]> {
  const found = await api(getLastDms, {}).catch(() => null);
  return (found?.dms ?? [])
    .filter(({ my_turn: isMine }) => isMine)
    .slice(0, SHOWN)
    .map(({ sender, receiver }) => (sender.user_id === ownId ? receiver : sender));
}

async function readQuestion(): Promise<Question | null> {
  const found = await api(getQuestion, {}).catch(() => null);
  return found?.question ?? null;
}
