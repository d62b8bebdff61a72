import { useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";
import type { ConversationState } from "./conversation/conversation.ts";
import styles from "./chat.module.css";

/** One line while messages cannot go out. */
export function OfflineStrip({ status, items }: Pick<ConversationState, "status" | "items">) {
  const t = useTranslations("chat");
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  const isOffline = !isOnline || status === "offline" || items.some(({ delivery }) => delivery === "waiting");
  return (
    <div role="status">
      {isOffline && (
        <p className={styles.strip}>
          <Icon name="offline" small />
          {t("offline")}
        </p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
