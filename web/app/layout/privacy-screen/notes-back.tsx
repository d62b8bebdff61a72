import type { Ref } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";
import styles from "./notes.module.css";

export interface NotesBackProps {
  backRef?: Ref<HTMLButtonElement>;
  onBack?: () => void;
}

/** The only button of the cover that works. */
export function NotesBack({ backRef, onBack }: NotesBackProps) {
  const t = useTranslations("privacyScreen");
  return (
    <button ref={backRef} type="button" aria-label={t("back")} onClick={onBack}>
      <Icon name="back" />
    </button>
  );
}

/** Until the notes are loaded. */
export function EmptyNotes(props: NotesBackProps) {
  return (
    <main className={styles.notes}>
      <div className={styles.list}>
        <div className={styles.bar}>
          <NotesBack {...props} />
        </div>
      </div>
    </main>
  );
}
