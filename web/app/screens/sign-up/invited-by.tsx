import { useTranslations } from "use-intl";
import { startClass } from "../../lib/first-paint/start-view.ts";
import { Icon } from "../../ui/icon.tsx";
import noteStyles from "../../ui/styles/note.module.css";
import buttonStyles from "../../ui/button.module.css";
import { classNames } from "../../ui/class-names.ts";

interface InvitedByProps {
  /** Null in a built page, where the style sheet fills it in. */
  userId: string | null;
  onDrop: () => void;
}

/** Names the inviter before the account exists, because the link may be another person's. */
export function InvitedBy({ userId, onDrop }: InvitedByProps) {
  const t = useTranslations("signUp");
  return (
    <div className={classNames(noteStyles.note, userId === null && startClass.invitation)}>
      <Icon name="info" />
      <div>
        <p>{t.rich("invitedBy", { userId: userId ?? "", strong: (text) => <strong>{text}</strong> })}</p>
        <button type="button" className={buttonStyles.linkButton} onClick={onDrop}>
          {t("dropInvitation")}
        </button>
      </div>
    </div>
  );
}
