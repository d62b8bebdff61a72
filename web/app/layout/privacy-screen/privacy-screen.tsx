import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { privacyScreen, useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";
import { Button } from "../../ui/button.tsx";
import { DialogsPaused } from "../../ui/dialog.tsx";

/**
 * Hides the page behind plain notes. It has no URL, so that "back" does not lead to it. Input stays behind it, and dialogs
 * wait until it closes.
 */
export function PrivacyScreen({ children }: { children: ReactNode }) {
  const isShown = useIsPrivacyScreenShown();
  return (
    <DialogsPaused value={isShown}>
      <div hidden={isShown} inert={isShown}>
        {children}
      </div>
      {isShown && <Notes onBack={privacyScreen.hide} />}
    </DialogsPaused>
  );
}

function Notes({ onBack }: { onBack: () => void }) {
  const t = useTranslations("privacyScreen");
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
  const notes = [
    [t("note1"), t("day1")],
    [t("note2"), t("day2")],
    [t("note3"), t("day3")],
  ];
  return (
    <div className="cover page">
      <main className="main main--form">
        <div className="stack-lg">
          <h1>{t("title")}</h1>
          <ul className="list">
            {notes.map(([note, day]) => (
              <li key={note}>
                <div className="list-row">
                  <span />
                  <span>
                    {note}
                    <span className="hint">{day}</span>
                  </span>
                  <span />
                </div>
              </li>
            ))}
          </ul>
          <Button ref={back} kind="quiet" small onClick={onBack}>
            {t("back")}
          </Button>
        </div>
      </main>
    </div>
  );
}
