import { useCallback, useEffect, useState, type RefObject } from "react";
import type { Conversation } from "./conversation/conversation.ts";

const MARKED_MS = 1_600;

/** Scrolls to a quoted message, loads the pages before it if needed, and marks it for a moment. */
export function useOriginal(conversation: Conversation, log: RefObject<HTMLElement | null>) {
  const [foundId, setFoundId] = useState<string | null>(null);
  useEffect(() => {
    if (foundId === null) return undefined;
    const button = log.current?.querySelector<HTMLElement>(`[data-message="${foundId}"]`);
    const scroll = () => button?.closest("li")?.scrollIntoView({ block: "center" });
    scroll();
    button?.focus({ preventScroll: true });
    // Lists around it get their real heights when they come into view.
    let frame = requestAnimationFrame(() => {
      scroll();
      frame = requestAnimationFrame(scroll);
    });
    const timer = setTimeout(() => setFoundId(null), MARKED_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [foundId, log]);
  const show = useCallback(
    (messageId: string) => {
      void conversation.loadUntil(messageId).then((isFound) => isFound && setFoundId(messageId));
    },
    [conversation],
  );
  return { foundId, show };
}
