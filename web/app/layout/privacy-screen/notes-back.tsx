import type { Ref } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";

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
    <main className="notes">
      <div className="notes__list">
        <div className="notes__bar">
          <NotesBack {...props} />
        </div>
      </div>
    </main>
  );
}
