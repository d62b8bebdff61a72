import { useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { useIsConnectionMissing } from "../../realtime/realtime.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ConversationState } from "./conversation/conversation.ts";
import styles from "./chat.module.css";

/** One line while messages cannot go out, or come late. */
export function OfflineStrip({ status, items }: Pick<ConversationState, "status" | "items">) {
  const t = useTranslations("chat");
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  const isOffline = !isOnline || status === "offline" || items.some(({ delivery }) => delivery === "waiting");
  const isLate = useIsConnectionMissing();
  return (
    <div role="status">
      {(isOffline || isLate) && (
        <p className={styles.strip}>
          <Icon name="offline" small />
          {t(isOffline ? "offline" : "late")}
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
