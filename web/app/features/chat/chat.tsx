import {
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
} from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { dayText } from "../../lib/dates.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";
import { Spinner } from "../../ui/loading.tsx";
import { Bubble, type BubbleActions } from "./bubble.tsx";
import { Composer } from "./composer.tsx";
import type { ChatItem, Conversation, ConversationState } from "./conversation.ts";
import { ImageViewer } from "./image-viewer.tsx";
import { useIsVisible } from "./use-is-visible.ts";
import { UnsendSheet } from "./unsend-sheet.tsx";

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
  const [unsent, setUnsent] = useState<string | null>(null);
  const log = useRef<HTMLDivElement>(null);
  const does = useMemo<BubbleActions>(() => {
    // The buttons of a failed message go with it; the focus stays in the log.
    const keepFocus = () => log.current?.focus();
    return {
      view: setViewed,
      report: onReport,
      unsend: setUnsent,
      retry(key) {
        keepFocus();
        void conversation.retry(key);
      },
      discard(key) {
        keepFocus();
        conversation.discard(key);
      },
    };
  }, [conversation, onReport]);
  return (
    <section className="chat chat--whole" aria-label={friend.username}>
      <Head friend={friend} tools={tools} />
      {state.phase === "closed" && <Empty title={t("closed")} />}
      {state.phase === "failed" && (
        <Empty
          title={t("failedToLoad")}
          action={
            <Button kind="quiet" small onClick={() => void conversation.catchUp()}>
              {t("again")}
            </Button>
          }
        />
      )}
      {(state.phase === "ready" || state.phase === "loading") && (
        <Log
          log={log}
          state={state}
          onNearTop={conversation.loadOlder}
          onLook={conversation.setLookedAt}
          does={does}
        />
      )}
      {state.phase !== "closed" && (
        <Composer friendId={friend.user_id} onSend={(text, file) => void conversation.send(text, file)} />
      )}
      <UnsendSheet
        isOpen={unsent !== null}
        onUnsend={() => conversation.unsend(unsent!)}
        onClose={() => setUnsent(null)}
        focusAfter={() => log.current}
      />
      {viewed && <ImageViewer src={viewed} onClose={() => setViewed(null)} />}
    </section>
  );
}

function Head({ friend, tools }: { friend: Party; tools: ReactNode }) {
  const t = useTranslations("chat");
  const base = useLanguagePath();
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
      <Link
        className="icon-btn chat__profile"
        to={profile}
        aria-label={t("toProfile")}
        title={t("toProfile")}
      >
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
  log: RefObject<HTMLDivElement | null>;
  state: ConversationState;
  onNearTop: () => Promise<void>;
  /** Whether somebody looks at the newest message. */
  onLook: (isLookedAt: boolean) => void;
  does: BubbleActions;
}

const NEAR_TOP_PX = 200;
const AT_END_PX = 40;
const isNearTop = (element: HTMLElement): boolean =>
  element.scrollHeight - element.clientHeight + element.scrollTop < NEAR_TOP_PX;
/** Messages of one side within this time share one time stamp. */
const TOGETHER_MS = 5 * 60 * 1_000;

/**
 * The messages, newest at the bottom. The log is laid out from its end (`column-reverse`), so that older pages grow
 * upwards without moving what is being read.
 */
function Log({ log, state, onNearTop, onLook, does }: LogProps) {
  const t = useTranslations("chat");
  const { items, hasMore, friendReadId } = state;
  const isLoading = state.phase === "loading" || state.isLoadingOlder;
  const [isAtEnd, setAtEnd] = useState(true);
  const [tabStop, setTabStop] = useState<string | null>(null);
  const isLookedAt = useIsVisible();
  const handleScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    setAtEnd(-currentTarget.scrollTop < AT_END_PX);
    if (hasMore && !isLoading && isNearTop(currentTarget)) void onNearTop();
  };
  // A page that does not fill the log leaves nothing to scroll: the next one is fetched at once.
  useEffect(() => {
    if (hasMore && !isLoading && log.current && isNearTop(log.current)) void onNearTop();
  }, [hasMore, isLoading, onNearTop, log]);
  useEffect(() => {
    onLook(isLookedAt && isAtEnd);
    return () => onLook(false);
  }, [onLook, isLookedAt, isAtEnd]);
  // Who has just sent something sees it.
  const lastOwn = items.findLast((item) => item.isOwn && item.delivery !== "sent")?.key;
  useEffect(() => {
    if (lastOwn) log.current?.scrollTo({ top: 0 });
  }, [lastOwn, log]);

  // What the other side wrote while somebody was reading further up.
  const newest = items.findLast((item) => !item.isOwn)?.id ?? "";
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);

  const lastRead = friendReadId && items.findLast(({ isOwn, id }) => isOwn && id && id <= friendReadId)?.key;
  const stop = items.some(({ id }) => id === tabStop) ? tabStop : items.findLast(({ id }) => id)?.id;

  return (
    <>
      <div
        className="chat__log"
        ref={log}
        tabIndex={0}
        role="region"
        aria-label={t("messages")}
        onScroll={handleScroll}
        onKeyDown={handleArrows}
        onFocus={(event) => setTabStop(messageOf(event) ?? tabStop)}
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
                    isLastRead={item.key === lastRead}
                    isTabStop={item.id !== null && item.id === stop}
                    does={does}
                  />
                </Line>
              ))}
            </ol>
          </div>
        </div>
      </div>
      {!isAtEnd && newest > seen && (
        <div className="chat__new">
          <Button kind="quiet" small onClick={() => log.current?.scrollTo({ top: 0 })}>
            {t("newBelow")}
          </Button>
        </div>
      )}
    </>
  );
}

const OPTIONS = "[data-message]";

function messageOf({ target }: FocusEvent): string | null {
  return target.getAttribute("data-message");
}

/** The arrows lead from the options of one message to those of the next; Tab leads past all of them. */
function handleArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (step === 0 || !(event.target as HTMLElement).matches(OPTIONS)) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(OPTIONS)];
  event.preventDefault();
  all[all.indexOf(event.target as HTMLElement) + step]?.focus();
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
