import { useEffect, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
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
import { QuietWeek } from "./quiet-week.tsx";
import listStyles from "../../ui/styles/list.module.css";
import styles from "./evening.module.css";

const SHOWN = 3;
const CHANGES: ReadonlySet<string> = new Set(["match", "dm", "lost", "unsent"]);

interface EveningRowsProps {
  user: User;
  /** The first day (UTC) whose likes are shown. */
  since: string;
}

/** The rows of the evening page that need more data. */
export function EveningRows({ user, since }: EveningRowsProps) {
  const evening = useEvening();
  if (!evening) return null;
  const { conversations, question } = evening;
  const likes = evening.likes.filter(({ liked_on }) => liked_on >= since).slice(0, SHOWN);
  const turns = turnsOf(user.user_id, conversations);
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
      <QuietWeek likes={evening.likes} conversations={conversations} />
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

type Conversations = Pick<ResponseOf<typeof getLastDms>, "matches" | "dms">;

interface Evening {
  readonly likes: readonly GivenLike[];
  readonly conversations: Conversations;
  readonly question: Question | null;
}

/** A part that cannot be loaded is left out: the page promises none of them. */
function useEvening(): Evening | null {
  const [evening, setEvening] = useState<Evening | null>(null);
  useEffect(() => {
    let isMounted = true;
    const read = async () => {
      const [likes, conversations, question] = await Promise.all([
        readLikes(),
        readConversations(),
        readQuestion(),
      ]);
      if (isMounted) setEvening({ likes, conversations, question });
    };
    void read();
    const unsubscribe = onRealtimeEvent((event) => {
      if (isResync(event) || CHANGES.has(event.kind)) void read();
    });
    return () => {
      isMounted = false;
      unsubscribe();
    };
  }, []);
  return evening;
}

async function readLikes(): Promise<GivenLike[]> {
  const found = await api(getLikes, {}).catch(() => null);
  return found?.likes ?? [];
}

async function readConversations(): Promise<Conversations> {
  return api(getLastDms, {}).catch(() => ({ matches: [], dms: [] }));
}

function turnsOf(ownId: string, { dms }: Conversations): Party[] {
  return dms
    .filter(({ my_turn: isMine }) => isMine)
    .slice(0, SHOWN)
    .map(({ sender, receiver }) => (sender.user_id === ownId ? receiver : sender));
}

async function readQuestion(): Promise<Question | null> {
  const found = await api(getQuestion, {}).catch(() => null);
  return found?.question ?? null;
}
