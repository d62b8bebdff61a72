import { useLayoutEffect, useRef } from "react";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";

/** Those that are open, not those that are just closing. */
const LAYERS = ":is([role='dialog'], [role='menu']):not([data-closed])";
const BLOCKING = `input, textarea, select, [contenteditable], ${LAYERS}`;

/**
 * Calls a handler for a single key, unless a field has the focus, a dialog or menu is open, or the privacy screen is up.
 */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const current = useRef(shortcuts);
  useLayoutEffect(() => {
    current.current = shortcuts;
  });
  // At once: a key that follows the first sight of a card counts.
  useLayoutEffect(() => {
    const handleKey = (event: globalThis.KeyboardEvent) => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat;
      const isTyping =
        (event.target as Element | null)?.closest?.(BLOCKING) || document.querySelector(LAYERS);
      if (!isPlain || isTyping || privacyScreen.isShown()) return;
      current.current[event.key]?.();
    };
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, []);
}
