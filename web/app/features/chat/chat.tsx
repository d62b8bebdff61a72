import {
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from "react";
import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { BubbleActions } from "./bubble.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { Composer } from "./composer.tsx";
import type { Conversation } from "./conversation/conversation.ts";
import type { ChatItem } from "./conversation/message-history.ts";
import { changeDraft } from "./drafts.ts";
import { EmptyChat, type NotesView } from "./empty-chat.tsx";
import { ImageViewer } from "./image-viewer.tsx";
import { MessageLog } from "./message-log.tsx";
import { MessageMenu } from "./message-menu.tsx";
import { OfflineStrip } from "./offline-strip.tsx";
import { stopPlayerWhenHidden } from "./voice/player.ts";
import { UnsendSheet } from "./unsend-sheet.tsx";
import { useOriginal } from "./use-original.ts";
import { useWarnings } from "./warnings/use-warnings.tsx";
import { classNames } from "../../ui/class-names.ts";
import styles from "./chat.module.css";

interface ChatProps {
  friend: PublicUser;
  conversation: Conversation;
  /** A day in UTC, of a match without a message. */
  matchedOn: string | null;
  /** About the friend, in one line. */
  facts: string;
  /** Whether the member shows the friend that they are typing. */
  showsTyping: boolean;
  /** Whether the friend wants the member's pictures. */
  wantsPictures: boolean;
  Notes: NotesView;
  menu: ReactNode;
  onReport: (messageId: string) => void;
}

export function Chat({ friend, conversation, matchedOn, facts, menu, onReport, ...choices }: ChatProps) {
  const { showsTyping, wantsPictures, Notes } = choices;
  const t = useTranslations("chat");
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState, conversation.getState);
  const { status, items } = state;
  const [viewedUrl, setViewedUrl] = useState<string | null>(null);
  const [unsendId, setUnsendId] = useState<string | null>(null);
  const log = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const held = useHeldMessage(log);
  const original = useOriginal(conversation, log);
  const { sheet, ...warnings } = useWarnings(state, friend, onReport);
  const focusComposer = () => focusAtEnd(area.current!);
  useTypingAtOnce(area);
  useEffect(stopPlayerWhenHidden, []);
  function reply(messageId: string) {
    changeDraft(friend.user_id, { replyId: messageId, noteId: null });
    held.focusLater(area.current);
    focusComposer();
  }
  const actions = useBubbleActions(conversation, log, {
    view: setViewedUrl,
    openMenu: held.open,
    showOriginal: original.show,
  });

  const isLost = status === "lost";
  const hasFailed = status === "failed";
  const isEmpty = status !== "loading" && items.length === 0;
  return (
    <section
      className={classNames(styles.chat, styles.whole, held.isOpen && styles.holding)}
      aria-label={friend.username}
      inert={held.isOpen}
    >
      <ChatHeader friend={friend} menu={menu} />
      {isLost && <Empty fills title={t("closed")} text={t("closedHint")} />}
      {!isLost && <OfflineStrip status={status} items={items} />}
      {hasFailed && <LoadFailed onRetry={() => void conversation.catchUp()} />}
      {!isLost && !hasFailed && (
        <MessageLog
          log={log}
          state={state}
          friend={friend}
          heldId={held.isOpen ? held.id : null}
          foundId={original.foundId}
          onNearTop={conversation.loadOlder}
          onLook={conversation.setLookedAt}
          onReply={reply}
          onReport={onReport}
          actions={actions}
          {...warnings}
        >
          {isEmpty && <EmptyChat {...{ friend, matchedOn, facts, Notes, focusComposer }} />}
        </MessageLog>
      )}
      {!isLost && (
        <Composer
          friend={friend}
          items={items}
          area={area}
          wantsPictures={wantsPictures}
          {...(showsTyping && { onType: conversation.notifyTyping })}
          onSend={(...content) => conversation.send(...content)}
        />
      )}
      <HeldMenu {...{ held, items, conversation, onReport }} onReply={reply} onUnsend={setUnsendId} />
      <UnsendSheet
        isOpen={unsendId !== null}
        onUnsend={() => conversation.unsend(unsendId!)}
        onClose={() => setUnsendId(null)}
        focusAfter={() => log.current}
      />
      {sheet}
      {viewedUrl && <ImageViewer src={viewedUrl} onClose={() => setViewedUrl(null)} />}
    </section>
  );
}

/** Focuses the field where mouse and keyboard are. A phone would open its keyboard over the messages. */
function useTypingAtOnce(area: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const isLaptop = matchMedia("(pointer: fine) and (min-width: 60rem)").matches;
    if (isLaptop && area.current) focusAtEnd(area.current);
  }, [area]);
}

function focusAtEnd(field: HTMLTextAreaElement): void {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** The same object at each rendering, because all bubbles get it. */
function useBubbleActions(
  conversation: Conversation,
  log: RefObject<HTMLElement | null>,
  { view, openMenu, showOriginal }: Pick<BubbleActions, "view" | "openMenu" | "showOriginal">,
): BubbleActions {
  return useMemo(() => {
    // The buttons of an unsent message disappear with it; the focus stays in the log.
    const keepFocus = () => log.current?.focus();
    return {
      view,
      openMenu,
      showOriginal,
      retry(key) {
        keepFocus();
        void conversation.retry(key);
      },
      discard(key) {
        keepFocus();
        conversation.discard(key);
      },
      cancel(key) {
        keepFocus();
        conversation.cancel(key);
      },
    };
  }, [conversation, log, view, openMenu, showOriginal]);
}

/** The message whose menu is open. */
function useHeldMessage(log: { current: HTMLElement | null }) {
  const [id, setId] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const next = useRef<HTMLElement | null>(null);
  const buttonOf = (messageId: string) =>
    log.current?.querySelector<HTMLElement>(`[data-message="${messageId}"]`) ?? null;
  const button = () => (id === null ? null : buttonOf(id));
  const [isByKeyboard, setByKeyboard] = useState(false);
  const [open] = useState(() => (messageId: string) => {
    next.current = null;
    setId(messageId);
    setByKeyboard(buttonOf(messageId)?.matches(":focus-visible") ?? false);
    setOpen(true);
  });
  return {
    id,
    isOpen,
    isByKeyboard,
    open,
    close: () => setOpen(false),
    anchor: () => button()?.closest("li") ?? null,
    /** After the menu has closed. */
    focusLater(element: HTMLElement | null) {
      next.current = element;
    },
    focusAfter: () => next.current ?? button(),
  };
}

interface HeldMenuProps {
  held: ReturnType<typeof useHeldMessage>;
  items: readonly ChatItem[];
  conversation: Conversation;
  onReply: (messageId: string) => void;
  onUnsend: (messageId: string) => void;
  onReport: (messageId: string) => void;
}

function HeldMenu({ held, items, conversation, ...actions }: HeldMenuProps) {
  return (
    <MessageMenu
      {...actions}
      onReact={(...reaction) => void conversation.react(...reaction)}
      item={items.find(({ id }) => id !== null && id === held.id) ?? null}
      isOpen={held.isOpen}
      isByKeyboard={held.isByKeyboard}
      anchor={held.anchor}
      onClose={held.close}
      focusAfter={held.focusAfter}
    />
  );
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations("chat");
  const retry = (
    <Button kind="quiet" small onClick={onRetry}>
      {t("again")}
    </Button>
  );
  return <Empty fills title={t("failedToLoad")} action={retry} />;
}
