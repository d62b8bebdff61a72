import { useEffect, useLayoutEffect, useRef, type ComponentType, type ReactNode } from "react";
import { privacyScreen, useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";
import { DialogsPaused } from "../../ui/on-demand/dialogs-paused.ts";
import { useLazyModule, lazyModule } from "../../ui/on-demand/on-demand.tsx";
import { Plain } from "../plain/plain.tsx";
import { EmptyNotes, type NotesProps } from "./notes-title.tsx";

const notes = lazyModule(() => import("./notes.tsx"));

/**
 * Hides the page behind plain notes. It has no URL, so that "back" does not lead to it. Input stays behind it, and dialogs
 * wait until it closes. The notes follow the first load, to be there without a connection; until then the cover is empty.
 */
export function PrivacyScreen({ children }: { children: ReactNode }) {
  const isShown = useIsPrivacyScreenShown();
  const loaded = useLazyModule(notes, true);
  return (
    <DialogsPaused value={isShown}>
      <div hidden={isShown} inert={isShown}>
        {children}
      </div>
      {isShown && <Cover Notes={loaded?.Notes ?? EmptyNotes} />}
    </DialogsPaused>
  );
}

const NEVER_LEFT = { backRef: null, onLeave: () => {} };

/** For a tab that shows nothing else any more. */
export function OnlyNotes() {
  useIsPrivacyScreenShown();
  const loaded = useLazyModule(notes, true);
  // Esc pressed twice blanks the page.
  useLayoutEffect(() => privacyScreen.markRendered());
  return <Plain>{loaded ? <loaded.Notes {...NEVER_LEFT} /> : <EmptyNotes {...NEVER_LEFT} />}</Plain>;
}

function Cover({ Notes }: { Notes: ComponentType<NotesProps> }) {
  const back = useRef<HTMLButtonElement>(null);
  const previous = useRef<Element>(null);
  // In a layout effect, while the previous element still has the focus.
  useLayoutEffect(() => {
    previous.current = document.activeElement;
    privacyScreen.markRendered(); // first: a blank page cannot have the focus
  }, []);
  useLayoutEffect(() => {
    const isWithin = document.activeElement?.closest("main") === back.current?.closest("main");
    if (!isWithin) back.current?.focus(); // the notes replace the empty ones
  });
  useEffect(
    () => () => {
      if (previous.current instanceof HTMLElement) previous.current.focus();
    },
    [],
  );
  return (
    <Plain>
      <Notes backRef={back} onLeave={privacyScreen.hide} />
    </Plain>
  );
}
