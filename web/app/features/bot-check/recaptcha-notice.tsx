import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/settings.ts";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";

const linkTo = (page: string) =>
  function GoogleLink(text: ReactNode) {
    return (
      <a href={`https://policies.google.com/${page}`} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  };

/** Google requires this notice where reCAPTCHA's badge is hidden. */
export function RecaptchaNotice() {
  const t = useTranslations("ui");
  const isHydrated = useIsHydrated();
  if (!isHydrated || settings.botCheck !== "recaptcha") return null;
  return (
    <p className="hint">{t.rich("recaptcha", { privacy: linkTo("privacy"), terms: linkTo("terms") })}</p>
  );
}
