import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";

/** Names the inviter before the account exists, because the link may be another person's. */
export function InvitedBy({ userId, onDrop }: { userId: string; onDrop: () => void }) {
  const t = useTranslations("signUp");
  return (
    <div className="note">
      <Icon name="info" />
      <div>
        <p>{t.rich("invitedBy", { userId, strong: (text) => <strong>{text}</strong> })}</p>
        <button type="button" className="link-btn" onClick={onDrop}>
          {t("dropInvitation")}
        </button>
      </div>
    </div>
  );
}
