import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { JOINED_STEP } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/page/banner.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/icon.tsx";

const { share } = device;

/** Names the member by their public user id. */
export function useInvitationLink(user: User): string {
  const base = useLanguagePath();
  return `${settings.apiOrigin || location.origin}${base}/sign-up?invited_by=${user.user_id}`;
}

interface InvitationProps {
  user: User;
  link: string;
  joined: number | null;
}

export function Invitation({ user, link, joined }: InvitationProps) {
  const t = useTranslations("referral");
  const field = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);

  async function handleCopy() {
    try {
      await device.copy(link);
      banner.notify("referral.copied");
    } catch {
      // Copying is forbidden or not supported: the member copies the link by hand.
      setShown(true);
      requestAnimationFrame(() => field.current?.querySelector("input")?.select());
    }
  }

  return (
    <div className="stack" ref={field}>
      <p>
        {t.rich("text", {
          percentage: String(user.brokerage_fee_percentage),
          strong: (text) => <strong>{text}</strong>,
        })}
      </p>
      {share && (
        <Button block onClick={() => share(link)}>
          {t("shareLink")}
        </Button>
      )}
      <Button block kind={share ? "quiet" : "primary"} onClick={() => void handleCopy()}>
        <Icon name="copy" small />
        {t("copyLink")}
      </Button>
      {joined !== null && (
        <p>
          {t("joined", { count: joined })}
          <span className="hint">{t("joinedHint", { step: JOINED_STEP })}</span>
        </p>
      )}
      {isShown && <TextField label={t("link")} hint={t("notCopied")} value={link} readOnly />}
    </div>
  );
}
