import { useEffect, useRef } from "react";
import { privacyScreen } from "../../lib/privacy-screen.ts";

const FIELD = "input, textarea, select, [contenteditable], [role='dialog']";

/** Acts on single keys, unless somebody is typing, a dialog is open, or the screen is hidden. */
export function useShortcuts(acts: Readonly<Record<string, () => void>>): void {
  const current = useRef(acts);
  useEffect(() => {
    current.current = acts;
  });
  useEffect(() => {
    const handleKey = (event: globalThis.KeyboardEvent) => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat;
      const isTyping =
        (event.target as Element | null)?.closest?.(FIELD) || document.querySelector("[role='dialog']");
      if (!isPlain || isTyping || privacyScreen.isShown()) return;
      current.current[event.key]?.();
    };
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, []);
}
