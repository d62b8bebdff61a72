import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/settings.ts";
import { Button } from "../../ui/button.tsx";

const HideTheScreen = createContext<() => void>(() => undefined);
const TWICE_MS = 600;

/** Hides the screen, as the crossed eye in the header does. */
export function useHideTheScreen(): () => void {
  return useContext(HideTheScreen);
}

/**
 * Replaces the page by a plain one: at the button, and at Esc pressed twice. It is no page of its own, so that going
 * back does not lead to it; what was typed stays behind it.
 */
export function Cover({ children }: { children: ReactNode }) {
  const [isHidden, setHidden] = useState(false);
  const hide = useCallback(() => setHidden(true), []);
  useEffect(() => {
    let last = -Infinity;
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.repeat) return;
      if (event.timeStamp - last < TWICE_MS) setHidden(true);
      last = event.timeStamp;
    };
    addEventListener("keydown", handleKey, { capture: true });
    return () => removeEventListener("keydown", handleKey, { capture: true });
  }, []);
  return (
    <HideTheScreen value={hide}>
      <div hidden={isHidden} inert={isHidden}>
        {children}
      </div>
      {isHidden && <Notes onBack={() => setHidden(false)} />}
    </HideTheScreen>
  );
}

function Notes({ onBack }: { onBack: () => void }) {
  const t = useTranslations("cover");
  useEffect(() => {
    document.body.classList.add("is-covered");
    const title = document.title;
    document.title = settings.brandName;
    return () => {
      document.body.classList.remove("is-covered");
      document.title = title;
    };
  }, []);
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
          <Button kind="quiet" small autoFocus onClick={onBack}>
            {t("back")}
          </Button>
        </div>
      </main>
    </div>
  );
}
