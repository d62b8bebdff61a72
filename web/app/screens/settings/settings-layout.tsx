import { useEffect, useState } from "react";
import {
  Link,
  type LoaderFunctionArgs,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useMatch,
  useNavigate,
} from "react-router";
import { useTranslations } from "use-intl";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { useAction } from "../../lib/forms/use-action.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { isForCase, isForPurchases } from "../../lib/session/session.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { preloadDialogs, Sheet } from "../../ui/dialog.tsx";
import { EmailNews } from "../../features/email-news/email-news.tsx";
import { SettingsMenu } from "../../features/settings-menu/settings-menu.tsx";
import { loadSummary, type Summary } from "../../features/settings-menu/summary.ts";
import { isWide } from "../../features/settings-menu/wide.ts";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import splitStyles from "../../ui/styles/split.module.css";
import buttonStyles from "../../ui/button.module.css";
import shellStyles from "../../layout/shell/shell.module.css";
import styles from "./settings.module.css";

const isMenuPath = (path: string): boolean => /\/setting\/?$/.test(path);

/** A phone loads the values only for the menu. They arrive after the screen. */
export function loader({ request }: LoaderFunctionArgs) {
  const isMenuShown = isWide() || isMenuPath(new URL(request.url).pathname);
  return { summary: isMenuShown && !isForPurchases() && !isForCase() ? loadSummary() : null };
}

export function shouldRevalidate({ nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate || isMenuPath(nextUrl.pathname);
}

/** The menu and the chosen setting side by side; on a phone one of them. */
export default function Setting() {
  const loaderData = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  const isMenu = useMatch("/:lang/setting") !== null;
  const summary = useLatest(loaderData.summary);
  const [isLoggingOut, setLoggingOut] = useState(false);
  if (isForCase()) return <OnlyDetail />;
  return (
    <Shell hasMenu hasFooter={false} layout={isMenu ? undefined : "detail"}>
      <div
        className={
          isMenu
            ? classNames(splitStyles.split, splitStyles.showsList, styles.settings)
            : classNames(splitStyles.split, splitStyles.showsDetail, styles.settings)
        }
      >
        <div className={classNames(splitStyles.list, styles.list)}>
          <a className={classNames(shellStyles.skip, "only-wide")} href="#setting">
            {t("skip")}
          </a>
          {isMenu && <h1 className={classNames(splitStyles.title, "only-narrow")}>{t("title")}</h1>}
          <p className={classNames(splitStyles.title, styles.title, "only-wide")} aria-hidden="true">
            {t("title")}
          </p>
          {summary?.user && <EmailNews user={summary.user} />}
          <SettingsMenu summary={summary} isProfileOpen={isMenu} onLogout={() => setLoggingOut(true)} />
        </div>
        <div id="setting" tabIndex={-1} className={classNames(splitStyles.detail, styles.detail)}>
          {!isMenu && <BackToSettings className={styles.back} />}
          <Outlet />
        </div>
      </div>
      <LogoutSheet isOpen={isLoggingOut} onClose={() => setLoggingOut(false)} />
    </Shell>
  );
}

/** Without the menu of settings, which a suspended member does not have. */
function OnlyDetail() {
  const t = useTranslations("caseRoom");
  const base = useLanguagePath();
  return (
    <Shell width="form">
      <p>
        <Link className={buttonStyles.linkButton} to={`${base}/case`}>
          <Icon name="back" small />
          {t("title")}
        </Link>
      </p>
      <Outlet />
    </Shell>
  );
}

/** Keeps the old values until the new ones have arrived. */
function useLatest(loading: Promise<Summary> | null): Summary | null {
  const [summary, setSummary] = useState<Summary | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void loading?.then((loaded) => isCurrent && setSummary(loaded));
    return () => {
      isCurrent = false;
    };
  }, [loading]);
  return summary;
}

function LogoutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const logout = useAction(async () => {
    const ending = endSession();
    // Opens the login before the server has responded, so that text typed there stays.
    await navigate(`${base}/login`, { replace: true });
    await ending;
  });
  useEffect(() => void preloadDialogs().catch(() => undefined), []);
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("confirmLogout")}>
      <p className="muted">{t("logoutText")}</p>
      <SheetButtons
        isBusy={logout.isBusy}
        onConfirm={logout.start}
        confirm={t("logout")}
        cancel={t("stay")}
        onCancel={onClose}
      />
    </Sheet>
  );
}
