import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/page/settings.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";

const linkTo = (page: string) =>
  function GoogleLink(text: ReactNode) {
    return (
      <a href={`https://policies.google.com/${page}`} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  };

/** Google requires this notice where reCAPTCHA's badge is hidden. The style sheet hides it in built pages with another check. */
export function RecaptchaNotice() {
  const t = useTranslations("ui");
  if (useIsHydrated() && settings.botCheck !== "recaptcha") return null;
  return (
    <p className="hint" data-bot-check={settings.botCheck} suppressHydrationWarning>
      {t.rich("recaptcha", { privacy: linkTo("privacy"), terms: linkTo("terms") })}
    </p>
  );
}
