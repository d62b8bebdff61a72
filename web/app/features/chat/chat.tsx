import { useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";
import type { BubbleActions } from "./bubble.tsx";
import { Composer } from "./composer.tsx";
import type { Conversation } from "./conversation.ts";
import { ImageViewer } from "./image-viewer.tsx";
import { MessageLog } from "./message-log.tsx";
import { UnsendSheet } from "./unsend-sheet.tsx";

interface ChatProps {
  friend: Party;
  conversation: Conversation;
  tools: ReactNode;
  onReport: (messageId: string) => void;
}

export function Chat({ friend, conversation, tools, onReport }: ChatProps) {
  const t = useTranslations("chat");
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState, conversation.getState);
  const [viewedUrl, setViewedUrl] = useState<string | null>(null);
  const [unsendId, setUnsendId] = useState<string | null>(null);
  const log = useRef<HTMLDivElement>(null);
  const actions = useMemo<BubbleActions>(() => {
    // The buttons of a failed message disappear with it; the focus stays in the log.
    const keepFocus = () => log.current?.focus();
    return {
      view: setViewedUrl,
      report: onReport,
      unsend: setUnsendId,
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

  const isLost = state.status === "lost";
  const hasFailed = state.status === "failed";
  return (
    <section className="chat chat--whole" aria-label={friend.username}>
      <Header friend={friend} tools={tools} />
      {isLost && <Empty title={t("closed")} />}
      {hasFailed && <LoadFailed onRetry={() => void conversation.catchUp()} />}
      {!isLost && !hasFailed && (
        <MessageLog
          log={log}
          state={state}
          onNearTop={conversation.loadOlder}
          onLook={conversation.setLookedAt}
          actions={actions}
        />
      )}
      {!isLost && (
        <Composer friendId={friend.user_id} onSend={(text, file) => void conversation.send(text, file)} />
      )}
      <UnsendSheet
        isOpen={unsendId !== null}
        onUnsend={() => conversation.unsend(unsendId!)}
        onClose={() => setUnsendId(null)}
        focusAfter={() => log.current}
      />
      {viewedUrl && <ImageViewer src={viewedUrl} onClose={() => setViewedUrl(null)} />}
    </section>
  );
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations("chat");
  const retry = (
    <Button kind="quiet" small onClick={onRetry}>
      {t("again")}
    </Button>
  );
  return <Empty title={t("failedToLoad")} action={retry} />;
}

function Header({ friend, tools }: { friend: Party; tools: ReactNode }) {
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
