import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { privacyScreen, useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";
import { Button } from "../../ui/button.tsx";
import { DialogsPaused } from "../../ui/dialog.tsx";

/**
 * Replaces the page by a plain one: at the button, and at Esc pressed twice. It is no page of its own, so that going
 * back does not lead to it; what was typed stays behind it, and what would open in front of it waits.
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
  const before = useRef<Element>(null);
  // At once, while the focus is still where it was; it returns there when the page behind can have it again.
  useLayoutEffect(() => {
    before.current = document.activeElement;
    privacyScreen.markRendered(); // first: in a blank page nothing can have the focus
    back.current?.focus();
  }, []);
  useEffect(
    () => () => {
      if (before.current instanceof HTMLElement) before.current.focus();
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
