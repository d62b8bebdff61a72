import { useState } from "react";
import { Link, NavLink } from "react-router";
import { useFormatter, useTranslations } from "use-intl";
import type { Dm } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { momentText, timeText } from "../../lib/dates.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";

export interface MessageListProps {
  ownId: string;
  matches: readonly Party[];
  dms: readonly Dm[];
  unread: ReadonlySet<string>;
}

export function MessageList({ ownId, matches, dms, unread }: MessageListProps) {
  const t = useTranslations("messages");
  if (matches.length === 0 && dms.length === 0) return <NoMessages />;
  return (
    <>
      {matches.length > 0 && (
        <section className="stack-sm" aria-labelledby="new-matches">
          <h2 className="list-heading" id="new-matches">
            {t("newMatches")}
          </h2>
          <div className="matches">
            {matches.map((match) => (
              <NewMatch key={match.user_id} match={match} isUnread={unread.has(match.user_id)} />
            ))}
          </div>
        </section>
      )}
      {dms.length > 0 && (
        <section className="stack-sm list-section">
          <h2 className="list-heading">{t("conversations")}</h2>
          <ul className="threads">
            {dms.map((dm) => {
              const friend = dm.sender.user_id === ownId ? dm.receiver : dm.sender;
              return (
                <li key={friend.user_id}>
                  <Thread dm={dm} friend={friend} isUnread={unread.has(friend.user_id)} />
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
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
      <span className="matches__name">{match.username}</span>
    </NavLink>
  );
}

function useConversationPath(friend: Party): string {
  return `${useLanguagePath()}/dm/${encodeURIComponent(friend.user_id)}`;
}

function Thread({ dm, friend, isUnread }: { dm: Dm; friend: Party; isUnread: boolean }) {
  const t = useTranslations("messages");
  return (
    <NavLink className="thread" to={useConversationPath(friend)}>
      <Avatar src={friend.icon} />
      <span className="thread__words">
        <span className="thread__name">
          {isUnread && <Unread />}
          {friend.username}
        </span>
        <span className="thread__text">
          {dm.description ?? (
            <span className="thread__image">
              <Icon name="image" small />
              {t("image")}
            </span>
          )}
        </span>
      </span>
      <When at={new Date(dm.created_at)} />
    </NavLink>
  );
}

/** A dot with a label for screen readers, never a number. */
function Unread() {
  const t = useTranslations("messages");
  return (
    <span className="thread__dot">
      <span className="vh">{t("unread")}</span>
    </span>
  );
}

const DAY_MS = 24 * 60 * 60 * 1_000;

function When({ at }: { at: Date }) {
  const t = useTranslations("messages");
  const format = useFormatter();
  const [today] = useState(() => startOfDay(new Date()));
  const days = Math.round((today - startOfDay(at)) / DAY_MS);
  const label =
    days <= 0
      ? timeText(at)
      : days === 1
        ? t("yesterday")
        : days < 7
          ? format.dateTime(at, { weekday: "short" })
          : format.dateTime(at, { month: "numeric", day: "numeric" });
  return (
    <time dateTime={at.toISOString()} title={momentText(at)}>
      {label}
    </time>
  );
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
