import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { socialLinks } from "@alcove/contract/social-links";
import { parseWebUrl } from "@alcove/contract/web-url";
import { settings } from "../../lib/page/settings.ts";
import { buttonClass } from "../../ui/button.tsx";
import { ExternalLink } from "../../ui/external-link.tsx";

const NAMES = { twitter: "X (Twitter)", instagram: "Instagram", facebook: "Facebook", line: "LINE" } as const;

export function PersonLinks({ person }: { person: PublicUser }) {
  const t = useTranslations("profile");
  const links = socialLinks.flatMap((name) => {
    const to = parseWebUrl(person[name] ?? "");
    return to ? [{ name, to }] : [];
  });
  if (links.length === 0) return null;
  return (
    <section className="stack-sm">
      <h3 className="vh">{t("links")}</h3>
      <div className="row">
        {links.map(({ name, to }) => (
          <ExternalLink
            key={name}
            to={to}
            brand={settings.brandName}
            className={buttonClass({ kind: "quiet", small: true })}
          >
            {NAMES[name]}
          </ExternalLink>
        ))}
      </div>
      <p className="hint">{t("linksHint")}</p>
    </section>
  );
}
