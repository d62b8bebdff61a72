import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { banner } from "../../lib/banner.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { settings } from "../../lib/settings.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";

/** What inviting brings, and the link for it: it names the member by its user id, and nothing of what is behind it. */
export function Invitation({ user }: { user: User }) {
  const t = useTranslations("referral");
  const base = useLanguagePath();
  const field = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  const link = `${settings.apiOrigin || location.origin}${base}/sign-up?invited_by=${user.user_id}`;

  async function handleCopy() {
    try {
      await navigator.clipboard.writeText(link);
      banner.notify("referral.copied");
    } catch {
      // Not allowed, or no such thing in this browser: the member can take it by hand.
      setShown(true);
      requestAnimationFrame(() => field.current?.querySelector("input")?.select());
    }
  }

  return (
    <div className="stack" ref={field}>
      <p>
        {t.rich("text", {
          percentage: String(user.brokerage_fee_percentage),
          strong: (words) => <strong>{words}</strong>,
        })}
      </p>
      <Button block onClick={() => void handleCopy()}>
        <Icon name="copy" small />
        {t("copyLink")}
      </Button>
      {isShown && <TextField label={t("link")} hint={t("notCopied")} value={link} readOnly />}
    </div>
  );
}
