import { type ComponentProps, type Ref, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";
import styles from "./notes.module.css";

const HOLD_MS = 2_000;

export interface NotesProps {
  backRef: Ref<HTMLButtonElement>;
  /** Ends the privacy screen. */
  onLeave: () => void;
}

/** A press of two seconds ends the privacy screen, a tap does nothing. */
export function NotesTitle({ text, onLeave }: { text: string; onLeave: () => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <h1
      onPointerDown={() => {
        release();
        timer.current = setTimeout(onLeave, HOLD_MS);
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      {text}
    </h1>
  );
}

interface NotesBackProps extends ComponentProps<"button"> {
  onPress?: () => void;
}

/** Leads one step up within the notes. */
export function NotesBack({ onPress, ...rest }: NotesBackProps) {
  const t = useTranslations("privacyScreen");
  return (
    <button {...rest} type="button" aria-label={t("back")} onClick={onPress}>
      <Icon name="back" />
    </button>
  );
}

/** Until the notes are loaded. */
export function EmptyNotes({ backRef, onLeave }: NotesProps) {
  const t = useTranslations("privacyScreen");
  return (
    <main className={styles.notes}>
      <div className={styles.list}>
        <div className={styles.bar}>
          <NotesBack ref={backRef} />
        </div>
        <NotesTitle text={t("title")} onLeave={onLeave} />
      </div>
    </main>
  );
}
