import {
  useEffect,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
} from "react";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { useDays } from "../../lib/dates-and-units/days.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/loading.tsx";
import { Bubble, type BubbleActions } from "./bubble.tsx";
import type { ConversationState } from "./conversation/conversation.ts";
import type { ChatItem } from "./conversation/message-history.ts";
import { useGestures } from "./use-gestures.ts";
import { useIsVisible } from "./use-is-visible.ts";
import type { Warnings } from "./warnings/use-warnings.tsx";
import { WarningLine } from "./warnings/warning-line.tsx";
import { classNames } from "../../ui/class-names.ts";
import chatStyles from "./chat.module.css";
import bubbleStyles from "./bubble.module.css";
import buttonStyles from "../../ui/button.module.css";

interface MessageLogProps extends Warnings {
  log: RefObject<HTMLDivElement | null>;
  state: ConversationState;
  friend: Party;
  /** The message whose menu is open. */
  heldId: string | null;
  /** The message that a quote led to. */
  foundId: string | null;
  onNearTop: () => Promise<void>;
  onLook: (isLookedAt: boolean) => void;
  onReply: (messageId: string) => void;
  onReport: (messageId: string) => void;
  actions: BubbleActions;
  /** Instead of messages, while there are none. */
  children: ReactNode;
}

const NEAR_TOP_PX = 200;
const AT_END_PX = 40;
const GROUP_MS = 5 * 60 * 1_000;
const OPTIONS_BUTTON = "[data-message]";

/** With `column-reverse`, older pages grow upwards without moving the visible text. */
export function MessageLog({
  log,
  state,
  friend,
  heldId,
  foundId,
  onNearTop,
  onLook,
  onReply,
  onReport,
  actions,
  children,
  ...warnings
}: MessageLogProps) {
  const t = useTranslations("chat");
  const { items, older, friendReadId } = state;
  const isLoading = state.status === "loading" || older === "loading";
  const isEmpty = !isLoading && items.length === 0;
  const { isAtEnd, handleScroll } = useScroll(log, {
    canLoad: older === "available" && !isLoading,
    onNearTop,
  });
  const isVisible = useIsVisible();
  useEffect(() => {
    onLook(isVisible && isAtEnd);
    return () => onLook(false);
  }, [onLook, isVisible, isAtEnd]);
  useScrollToOwn(log, items);
  const gestures = useGestures({ onMenu: actions.openMenu, onReply });
  const hasNewBelow = useHasNewBelow(items, isAtEnd);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const tabStopId = items.some(({ id }) => id === focusedId)
    ? focusedId
    : items.findLast(({ id, isTakenBack }) => id && !isTakenBack)?.id;

  return (
    <>
      <div
        className={classNames(chatStyles.log, isEmpty && chatStyles.logEmpty)}
        ref={log}
        tabIndex={0}
        role="region"
        aria-label={t("messages")}
        onScroll={handleScroll}
        onKeyDown={handleArrows}
        onFocus={(event) => setFocusedId(messageIdOf(event) ?? focusedId)}
      >
        <div className={classNames(chatStyles.items, isEmpty && chatStyles.itemsEmpty)}>
          {isLoading && <LoadingOlder />}
          {!isLoading && children}
          <div
            className={chatStyles.items}
            role="log"
            aria-live="polite"
            aria-relevant="additions"
            {...gestures}
          >
            <Pages
              items={items}
              friendReadId={friendReadId}
              tabStopId={tabStopId}
              friend={friend}
              heldId={heldId}
              foundId={foundId}
              onReport={onReport}
              actions={actions}
              {...warnings}
            />
          </div>
          {state.isFriendTyping && <FriendTyping name={friend.username} />}
        </div>
      </div>
      {hasNewBelow && <NewBelow onShow={() => log.current?.scrollTo({ top: 0 })} />}
    </>
  );
}

type PagesProps = Pick<MessageLogProps, "friend" | "heldId" | "foundId" | "onReport" | "actions"> &
  Warnings &
  Pick<ConversationState, "items" | "friendReadId"> & {
    /** The message that Tab reaches. */
    tabStopId: string | null | undefined;
  };

/** One list for each page of the history. */
function Pages({
  items,
  friendReadId,
  tabStopId,
  friend,
  heldId,
  foundId,
  actions,
  warnings,
  onExplain,
  onReport,
}: PagesProps) {
  const { nameOf } = useDays();
  const pages = usePages(items);
  const lastRead = friendReadId && items.findLast(({ isOwn, id }) => isOwn && id && id <= friendReadId)?.key;
  // No component for each message: a long chat has thousands, and few have a warning.
  const warningOf = ({ id }: ChatItem) => {
    const kind = id === null ? undefined : warnings.get(id);
    if (id === null || kind === undefined) return null;
    return <WarningLine kind={kind} onReport={() => onReport(id)} onExplain={() => onExplain(id, kind)} />;
  };
  return pages.map(([from, to]) => (
    <ol key={items[from]!.key} className={classNames(chatStyles.items, chatStyles.page)}>
      {items.slice(from, to).map((item, i) => (
        <Day key={item.key} item={item} previous={items[from + i - 1]} nameOf={nameOf}>
          {item.isTakenBack ? (
            <TakenBack onReport={() => onReport(item.id!)} />
          ) : (
            <Bubble
              item={item}
              friend={friend}
              isHeld={item.id !== null && item.id === heldId}
              isFound={item.id !== null && item.id === foundId}
              isLastOfGroup={!isSameGroup(item, items[from + i + 1])}
              isLastRead={item.key === lastRead}
              isTabStop={item.id !== null && item.id === tabStopId}
              actions={actions}
            />
          )}
          {warningOf(item)}
        </Day>
      ))}
    </ol>
  ));
}

function NewBelow({ onShow }: { onShow: () => void }) {
  const t = useTranslations("chat");
  return (
    <div className={chatStyles.chatNew}>
      <Button kind="quiet" small onClick={onShow}>
        {t("newBelow")}
      </Button>
    </div>
  );
}

function LoadingOlder() {
  const t = useTranslations("chat");
  return (
    <p className={chatStyles.more} role="status">
      <Spinner />
      {t("loadingOlder")}
    </p>
  );
}

function TakenBack({ onReport }: { onReport: () => void }) {
  const t = useTranslations("chat");
  return (
    <li className={chatStyles.taken}>
      {t("takenBack")}
      <button type="button" className={buttonStyles.linkButton} onClick={onReport}>
        {t("reportMessage")}
      </button>
    </li>
  );
}

/** Outside the live log: it comes and goes too often to be read aloud. */
function FriendTyping({ name }: { name: string }) {
  const t = useTranslations("chat");
  return (
    <div
      className={classNames(bubbleStyles.bubble, bubbleStyles.typing)}
      role="img"
      aria-label={t("typing", { name: isolated(name) })}
    >
      <p>
        <i />
        <i />
        <i />
      </p>
    </div>
  );
}

interface ScrollOptions {
  canLoad: boolean;
  onNearTop: () => Promise<void>;
}

function useScroll(log: RefObject<HTMLDivElement | null>, { canLoad, onNearTop }: ScrollOptions) {
  const [isAtEnd, setAtEnd] = useState(true);
  // A page that does not fill the log gives no scroll event.
  useEffect(() => {
    if (canLoad && log.current && isNearTop(log.current)) void onNearTop();
  }, [canLoad, onNearTop, log]);
  const handleScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    setAtEnd(-currentTarget.scrollTop < AT_END_PX);
    if (canLoad && isNearTop(currentTarget)) void onNearTop();
  };
  return { isAtEnd, handleScroll };
}

function isNearTop({ scrollHeight, clientHeight, scrollTop }: HTMLElement): boolean {
  return scrollHeight - clientHeight + scrollTop < NEAR_TOP_PX;
}

function useScrollToOwn(log: RefObject<HTMLDivElement | null>, items: readonly ChatItem[]): void {
  const lastSent = items.findLast((item) => item.isOwn && item.delivery !== "sent")?.key;
  useEffect(() => {
    if (lastSent) log.current?.scrollTo({ top: 0 });
  }, [lastSent, log]);
}

/**
 * Returns the messages as ranges, one for each page of the history. New messages join the last one. A message never changes
 * its range, because that would mount it again.
 */
function usePages(items: readonly ChatItem[]): [from: number, to: number][] {
  const first = items[0]?.key;
  const [firsts, setFirsts] = useState<readonly string[]>([]);
  if (first !== undefined && !firsts.includes(first)) setFirsts([...firsts, first]);
  const starts = items.flatMap(({ key }, i) => (i === 0 || firsts.includes(key) ? [i] : []));
  return starts.map((from, i) => [from, starts[i + 1] ?? items.length]);
}

function useHasNewBelow(items: readonly ChatItem[], isAtEnd: boolean): boolean {
  const newest = items.findLast((item) => !item.isOwn)?.id ?? "";
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  return !isAtEnd && newest > seen;
}

function messageIdOf({ target }: FocusEvent): string | null {
  return target.getAttribute("data-message");
}

/** Arrow keys move between the messages' options; Tab skips all but one. */
function handleArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (step === 0 || !(event.target as HTMLElement).matches(OPTIONS_BUTTON)) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(OPTIONS_BUTTON)];
  event.preventDefault();
  all[all.indexOf(event.target as HTMLElement) + step]?.focus();
}

function isSameGroup(item: ChatItem, next: ChatItem | undefined): boolean {
  if (next === undefined || next.isTakenBack) return false;
  return next.isOwn === item.isOwn && next.at.getTime() - item.at.getTime() < GROUP_MS;
}

interface DayProps {
  item: ChatItem;
  previous: ChatItem | undefined;
  nameOf: (at: Date) => string;
  children: ReactNode;
}

function Day({ item, previous, nameOf, children }: DayProps) {
  const isNewDay = previous === undefined || dayText(previous.at) !== dayText(item.at);
  return (
    <>
      {isNewDay && <li className={chatStyles.day}>{nameOf(item.at)}</li>}
      {children}
    </>
  );
}
