import { useTranslations } from "use-intl";
import { startClass } from "../../lib/first-paint/start-view.ts";
import { Icon } from "../../ui/icon.tsx";

interface InvitedByProps {
  /** Null in a built page, where the style sheet fills it in. */
  userId: string | null;
  onDrop: () => void;
}

/** Names the inviter before the account exists, because the link may be another person's. */
export function InvitedBy({ userId, onDrop }: InvitedByProps) {
  const t = useTranslations("signUp");
  return (
    <div className={userId === null ? `note ${startClass.invitation}` : "note"}>
      <Icon name="info" />
      <div>
        <p>{t.rich("invitedBy", { userId: userId ?? "", strong: (text) => <strong>{text}</strong> })}</p>
        <button type="button" className="link-btn" onClick={onDrop}>
          {t("dropInvitation")}
        </button>
      </div>
    </div>
  );
}
