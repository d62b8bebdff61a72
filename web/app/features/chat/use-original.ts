import { useCallback, useEffect, useState, type RefObject } from "react";
import type { Conversation } from "./conversation/conversation.ts";

const MARKED_MS = 1_600;

/** Scrolls to a quoted message, loads the pages before it if needed, and marks it for a moment. */
export function useOriginal(conversation: Conversation, log: RefObject<HTMLElement | null>) {
  const [foundId, setFoundId] = useState<string | null>(null);
  useEffect(() => {
    if (foundId === null) return undefined;
    const button = log.current?.querySelector<HTMLElement>(`[data-message="${foundId}"]`);
    button?.closest("li")?.scrollIntoView({ block: "center" });
    button?.focus({ preventScroll: true });
    const timer = setTimeout(() => setFoundId(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [foundId, log]);
  const show = useCallback(
    (messageId: string) => {
      void conversation.loadUntil(messageId).then((isFound) => isFound && setFoundId(messageId));
    },
    [conversation],
  );
  return { foundId, show };
}
