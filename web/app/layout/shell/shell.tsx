import { useState, type ReactNode } from "react";
import { Link, useMatches } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";
import { hidesScreenAtOnce } from "../../lib/first-paint/pre-hydration-queue.ts";
import { useIsLoggedIn } from "../../lib/session/session.ts";
import { settings } from "../../lib/page/settings.ts";
import { useUnread } from "../../realtime/unread.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Logo } from "../../ui/logo.tsx";
import { onDemand } from "../../ui/on-demand/on-demand.tsx";
import { NoScriptNotice } from "./no-script-notice.tsx";

const LanguageChooser = onDemand(async () => (await import("./language-chooser.tsx")).LanguageChooser);
/** The server fills the year into the built pages when it starts. */
const THIS_YEAR = typeof document === "undefined" ? "__THIS_YEAR__" : new Date().getFullYear();

interface ShellProps {
  width?: "wide" | "form" | "text";
  hasMenu?: boolean;
  hasFooter?: boolean;
  pageClass?: string;
  /** Another id while a built page holds two shells. */
  mainId?: string;
  children: ReactNode;
}

export function Shell({
  width = "wide",
  hasMenu = false,
  hasFooter = true,
  pageClass,
  mainId = "main",
  children,
}: ShellProps) {
  const t = useTranslations("shell");
  const mainClass = width === "wide" ? "main" : `main main--${width}`;
  return (
    <div
      className={["page", hasMenu && "has-dock", hasFooter && "has-footer", pageClass]
        .filter(Boolean)
        .join(" ")}
    >
      <a className="skip" href={`#${mainId}`}>
        {t("skip")}
      </a>
      <Header />
      <NoScriptNotice />
      <main className={mainClass} id={mainId} tabIndex={-1}>
        {children}
      </main>
      {hasMenu && <Menu />}
      {hasFooter && <Footer />}
    </div>
  );
}

/** For pages that visitors and members see. Members keep their menu, which the style sheet hides from visitors of a built page. */
export function PublicShell(props: Omit<ShellProps, "hasMenu">) {
  return <Shell hasMenu={useIsLoggedIn() !== false} {...props} />;
}

function Header() {
  const t = useTranslations("shell");
  const base = useLanguagePath();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <header className="topbar">
      <Link className="brand" to={base} aria-label={settings.brandName}>
        <Logo />
        <span className="brand__name" data-brand={settings.brandName}>
          {settings.brandName}
        </span>
      </Link>
      <div className="topbar__tools">
        <IconButton
          icon="hide"
          label={t("hide")}
          onClick={privacyScreen.showAndLock}
          {...hidesScreenAtOnce}
        />
        <IconButton
          icon="globe"
          label={t("language")}
          aria-haspopup="dialog"
          onClick={() => setChoosing(true)}
        />
      </div>
      <LanguageChooser isOpen={isChoosing} onClose={() => setChoosing(false)} />
    </header>
  );
}

function Menu() {
  const t = useTranslations("shell");
  const base = useLanguagePath();
  const hasUnread = useUnread().size > 0;
  // By route, because some settings have URLs outside `/setting`.
  const routeIds = useMatches().map(({ id }) => id);
  const entries: [to: string, icon: IconName, label: string, route: string][] = [
    [base, "home", t("home"), "screens/home/home"],
    [`${base}/dm`, "dm", t("messages"), "screens/messages/messages"],
    [`${base}/setting`, "settings", t("settings"), "screens/settings/"],
  ];
  return (
    <nav className="dock" aria-label={t("menu")}>
      {entries.map(([to, icon, label, route]) => (
        <Link
          key={to}
          to={to}
          aria-current={routeIds.some((id) => id.startsWith(route)) ? "page" : undefined}
        >
          <span className="dock__icon">
            <Icon name={icon} />
            {route === "screens/messages/messages" && <span className="dock__dot" hidden={!hasUnread} />}
          </span>
          <span className="dock__label">{label}</span>
          {route === "screens/messages/messages" && (
            <span className="vh" hidden={!hasUnread}>
              {t("somethingNew")}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

function Footer() {
  const t = useTranslations("shell");
  const base = useLanguagePath();
  const { brandName, supportEmail } = settings;
  return (
    <footer className="footer">
      <ul>
        <li>
          <Link to={`${base}/privacy-policy`}>{t("privacy")}</Link>
        </li>
        <li>
          <Link to={`${base}/tos`}>{t("terms")}</Link>
        </li>
        <li>
          <Link to={`${base}/about-service`}>{t("about")}</Link>
        </li>
        <li>
          <Link to={`${base}/contact`}>{t("help")}</Link>
        </li>
        <li>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
        </li>
      </ul>
      <p>
        © <span suppressHydrationWarning>{THIS_YEAR}</span> {brandName}
      </p>
    </footer>
  );
}
