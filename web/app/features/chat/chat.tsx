import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode, type UIEvent } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { useBase } from "../../lib/base.ts";
import { dayText } from "../../lib/dates.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";
import { Spinner } from "../../ui/waiting.tsx";
import { Bubble } from "./bubble.tsx";
import { Composer } from "./composer.tsx";
import type { ChatItem, Conversation } from "./conversation.ts";
import { ImageViewer } from "./image-viewer.tsx";

interface ChatProps {
  friend: Party;
  conversation: Conversation;
  /** Further buttons of the head, such as the one that blocks. */
  tools: ReactNode;
  /** A message of the other side is to be reported. */
  onReport: (messageId: string) => void;
}

/** One conversation: head, log, composer. */
export function Chat({ friend, conversation, tools, onReport }: ChatProps) {
  const t = useTranslations("chat");
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState, conversation.getState);
  const [viewed, setViewed] = useState<string | null>(null);
  return (
    <section className="chat chat--whole" aria-label={friend.username}>
      <Head friend={friend} tools={tools} />
      {state.phase === "closed" && <Empty title={t("closed")} />}
      {state.phase === "failed" && (
        <Empty
          title={t("failedToLoad")}
          action={
            <Button kind="quiet" small onClick={() => void conversation.load()}>
              {t("again")}
            </Button>
          }
        />
      )}
      {(state.phase === "ready" || state.phase === "loading") && (
        <Log
          items={state.items}
          isLoading={state.phase === "loading" || state.isLoadingOlder}
          hasMore={state.hasMore}
          onNearTop={() => void conversation.loadOlder()}
          conversation={conversation}
          onView={setViewed}
          onReport={onReport}
        />
      )}
      {state.phase !== "closed" && (
        <Composer draftOf={friend.user_id} onSend={(text, file) => void conversation.send(text, file)} />
      )}
      {viewed && <ImageViewer src={viewed} onClose={() => setViewed(null)} />}
    </section>
  );
}

function Head({ friend, tools }: { friend: Party; tools: ReactNode }) {
  const t = useTranslations("chat");
  const base = useBase();
  const profile = `${base}/home/${encodeURIComponent(friend.user_id)}`;
  return (
    <div className="chat__head">
      <Link className="icon-btn only-narrow" to={`${base}/dm`} aria-label={t("toList")} title={t("toList")}>
        <Icon name="back" />
      </Link>
      <Link className="chat__who" to={profile}>
        <Avatar src={friend.icon} size="sm" />
        <h1 className="chat__name">{friend.username}</h1>
      </Link>
      <Link className="icon-btn" to={profile} aria-label={t("toProfile")} title={t("toProfile")}>
        <Icon name="user" />
      </Link>
      <Link className="icon-btn" to={base} aria-label={t("toHome")} title={t("toHome")}>
        <Icon name="home" />
      </Link>
      {tools}
    </div>
  );
}

interface LogProps {
  items: readonly ChatItem[];
  isLoading: boolean;
  hasMore: boolean;
  onNearTop: () => void;
  conversation: Conversation;
  onView: (image: string) => void;
  onReport: (messageId: string) => void;
}

const NEAR_TOP_PX = 200;
const isNearTop = (element: HTMLElement): boolean =>
  element.scrollHeight - element.clientHeight + element.scrollTop < NEAR_TOP_PX;
/** Messages of one side within this time share one time stamp. */
const TOGETHER_MS = 5 * 60 * 1_000;

/**
 * The messages, newest at the bottom. The log is laid out from its end (`column-reverse`), so that older pages grow
 * upwards without moving what is being read.
 */
function Log({ items, isLoading, hasMore, onNearTop, conversation, onView, onReport }: LogProps) {
  const t = useTranslations("chat");
  const log = useRef<HTMLDivElement>(null);
  const handleScroll = (event: UIEvent<HTMLDivElement>) => {
    if (hasMore && !isLoading && isNearTop(event.currentTarget)) onNearTop();
  };
  // A page that does not fill the log leaves nothing to scroll: the next one is fetched at once.
  useEffect(() => {
    if (hasMore && !isLoading && log.current && isNearTop(log.current)) onNearTop();
  }, [hasMore, isLoading, onNearTop]);
  // The buttons of a failed message go with it; the focus stays in the log.
  const keepFocus = () => log.current?.focus();
  // Who has just sent something sees it.
  const lastOwn = items.findLast((item) => item.isOwn)?.key;
  useEffect(() => {
    if (lastOwn) log.current?.scrollTo({ top: 0 });
  }, [lastOwn]);

  return (
    <div
      className="chat__log"
      ref={log}
      tabIndex={0}
      role="region"
      aria-label={t("messages")}
      onScroll={handleScroll}
    >
      <div className="chat__items">
        {isLoading && (
          <p className="chat__more" role="status">
            <Spinner />
            {t("loadingOlder")}
          </p>
        )}
        {!isLoading && items.length === 0 && <p className="chat__more">{t("sayHello")}</p>}
        <div role="log" aria-live="polite" aria-relevant="additions">
          <ol className="chat__items">
            {items.map((item, position) => (
              <Line key={item.key} item={item} before={items[position - 1]}>
                <Bubble
                  item={item}
                  isLastOfGroup={!isTogether(item, items[position + 1])}
                  onView={onView}
                  onReport={onReport}
                  onRetry={() => {
                    keepFocus();
                    void conversation.retry(item.key);
                  }}
                  onDiscard={() => {
                    keepFocus();
                    conversation.discard(item.key);
                  }}
                />
              </Line>
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}

function isTogether(item: ChatItem, next: ChatItem | undefined): boolean {
  return (
    next !== undefined && next.isOwn === item.isOwn && next.at.getTime() - item.at.getTime() < TOGETHER_MS
  );
}

interface LineProps {
  item: ChatItem;
  before: ChatItem | undefined;
  children: ReactNode;
}

function Line({ item, before, children }: LineProps) {
  const day = dayText(item.at);
  const isNewDay = before === undefined || dayText(before.at) !== day;
  return (
    <>
      {isNewDay && <li className="chat__day">{day}</li>}
      {children}
    </>
  );
}
