import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";
import { settings } from "../../lib/settings.ts";

const linkTo = (page: string) =>
  function GoogleLink(words: ReactNode) {
    return (
      <a href={`https://policies.google.com/${page}`} target="_blank" rel="noreferrer">
        {words}
      </a>
    );
  };

/** Says that reCAPTCHA guards the form, where it does: before anything is sent, and as Google asks where its badge is hidden. */
export function RecaptchaNotice() {
  const t = useTranslations("ui");
  const isInBrowser = useIsHydrated();
  if (!isInBrowser || settings.botCheck !== "recaptcha") return null;
  return (
    <p className="hint">{t.rich("recaptcha", { privacy: linkTo("privacy"), terms: linkTo("terms") })}</p>
  );
}
