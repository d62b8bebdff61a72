import { useState, type ReactNode } from "react";
import { Link, useMatches } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";
import { hidesScreenAtOnce } from "../../lib/first-paint/pre-hydration-queue.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { useIsLoggedIn } from "../../lib/session/session.ts";
import { settings } from "../../lib/page/settings.ts";
import { useUnread } from "../../realtime/unread.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Logo } from "../../ui/logo.tsx";
import { onDemand } from "../../ui/on-demand/on-demand.tsx";
import { NewDeviceLine } from "./new-device-line.tsx";
import { NoScriptNotice } from "./no-script-notice.tsx";
import { classNames } from "../../ui/class-names.ts";
import wordmarkStyles from "./wordmark.module.css";
import styles from "./shell.module.css";

const LanguageChooser = onDemand(async () => (await import("./language-chooser.tsx")).LanguageChooser);
/** The server fills the year into the built pages when it starts. */
const THIS_YEAR = typeof document === "undefined" ? "__THIS_YEAR__" : new Date().getFullYear();

interface ShellProps {
  width?: "wide" | "form" | "text";
  hasMenu?: boolean;
  hasFooter?: boolean;
  /** `detail` has Back in place of the menu on a phone. */
  layout?: "login" | "wizard" | "list" | "chat" | "detail" | undefined;
  className?: string | undefined;
  /** Another id while a built page holds two shells. */
  mainId?: string;
  children: ReactNode;
}

export function Shell({
  width = "wide",
  hasMenu = false,
  hasFooter = true,
  layout,
  className,
  mainId = "main",
  children,
}: ShellProps) {
  const t = useTranslations("shell");
  const isBuilt = !useIsHydrated();
  return (
    <div
      data-built={isBuilt ? "" : undefined}
      className={classNames(
        styles.page,
        hasMenu && styles.hasDock,
        hasFooter && styles.hasFooter,
        layout === "login" && styles.login,
        layout === "wizard" && styles.wizard,
        layout === "list" && styles.list,
        layout === "chat" && styles.chat,
        layout === "detail" && styles.detail,
        className,
      )}
    >
      <a className={styles.skip} href={`#${mainId}`}>
        {t("skip")}
      </a>
      <Header />
      <NoScriptNotice />
      {hasMenu && <NewDeviceLine />}
      <main
        className={classNames(styles.main, width === "form" && styles.form, width === "text" && styles.text)}
        id={mainId}
        tabIndex={-1}
      >
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
    <header className={styles.topbar}>
      <Link className={styles.brand} to={base} aria-label={settings.brandName}>
        <Logo />
        <span className={wordmarkStyles.name} data-brand={settings.brandName}>
          {settings.brandName}
        </span>
      </Link>
      <div className={styles.tools}>
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

/** The `handle` of the routes below an entry. */
export type MenuPart = "home" | "dm" | "settings";

function Menu() {
  const t = useTranslations("shell");
  const base = useLanguagePath();
  const hasUnread = useUnread().size > 0;
  // By route, because some settings have URLs outside `/setting`.
  const handles = useMatches().map(({ handle }) => handle);
  const entries: [to: string, icon: IconName & MenuPart, label: string][] = [
    [base, "home", t("home")],
    [`${base}/dm`, "dm", t("messages")],
    [`${base}/setting`, "settings", t("settings")],
  ];
  return (
    <nav className={classNames(styles.dock, "for-members")} aria-label={t("menu")} data-bottom-bar>
      {entries.map(([to, icon, label]) => (
        <Link key={to} to={to} aria-current={handles.includes(icon) ? "page" : undefined}>
          <span className={styles.icon}>
            <Icon name={icon} />
            {icon === "dm" && <span className={styles.dot} hidden={!hasUnread} />}
          </span>
          <span className={styles.label}>{label}</span>
          {icon === "dm" && (
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
    <footer className={styles.footer}>
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
          <Link to={`${base}/notice`}>{t("notice")}</Link>
        </li>
        <li>
          <Link to={`${base}/provider`}>{t("provider")}</Link>
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
