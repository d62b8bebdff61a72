import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { privacyScreen, useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";
import { DialogsPaused } from "../../ui/on-demand/dialogs-paused.ts";
import { Plain } from "../plain/plain.tsx";
import { Notes } from "./notes.tsx";

/**
 * Hides the page behind plain notes. It has no URL, so that "back" does not lead to it. Input stays behind it, and dialogs
 * wait until it closes.
 */
export function PrivacyScreen({ children }: { children: ReactNode }) {
  const isShown = useIsPrivacyScreenShown();
  return (
    <DialogsPaused value={isShown}>
      <div className="behind-cover" hidden={isShown} inert={isShown}>
        {children}
      </div>
      {isShown && <Cover />}
    </DialogsPaused>
  );
}

function Cover() {
  const back = useRef<HTMLButtonElement>(null);
  const previous = useRef<Element>(null);
  // In a layout effect, while the previous element still has the focus.
  useLayoutEffect(() => {
    previous.current = document.activeElement;
    privacyScreen.markRendered(); // first: a blank page cannot have the focus
    back.current?.focus();
  }, []);
  useEffect(
    () => () => {
      if (previous.current instanceof HTMLElement) previous.current.focus();
    },
    [],
  );
  return (
    <Plain>
      <Notes backRef={back} onBack={privacyScreen.hide} />
    </Plain>
  );
}
