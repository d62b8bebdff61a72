import { useState } from "react";
import { Link, NavLink, Outlet, useMatch, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { Shell } from "../../layout/shell/shell.tsx";
import { useAction } from "../../lib/forms/use-action.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";

/** The menu and the chosen setting side by side; on a phone one of them. */
export default function Setting() {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const isMenu = useMatch("/:lang/setting") !== null;
  const [isLoggingOut, setLoggingOut] = useState(false);
  const entries: [to: string, icon: IconName, label: string][] = [
    [`${base}/setting/profile`, "user", t("profile")],
    [`${base}/setting/filter`, "filter", t("filter")],
    [`${base}/setting/password`, "lock", t("password")],
    [`${base}/upgrade-account`, "key", t("userStatus")],
    [`${base}/purchase-history`, "receipt", t("purchaseHistory")],
    [`${base}/brokerage-fee`, "coins", t("brokerageFee")],
    [`${base}/setting/privacy`, "eye", t("privacy")],
    [`${base}/setting/notifications`, "bell", t("notifications")],
    [`${base}/setting/devices`, "devices", t("devices")],
    [`${base}/setting/blocks`, "block", t("blocks")],
    [`${base}/setting/never-see`, "hide", t("neverSee")],
  ];
  return (
    <Shell hasMenu>
      <div className={isMenu ? "split split--list" : "split split--detail"}>
        <div className="split__list">
          {isMenu ? (
            <h1 className="setting__title">{t("title")}</h1>
          ) : (
            <p className="display setting__title">{t("title")}</p>
          )}
          <nav className="stack" aria-label={t("title")}>
            <ul className="list">
              {entries.map(([to, icon, label]) => (
                <li key={to}>
                  <NavLink className="list-row" to={to}>
                    <Icon name={icon} />
                    <span>{label}</span>
                    <Icon name="next" />
                  </NavLink>
                </li>
              ))}
            </ul>
            <ul className="list">
              <li>
                <button type="button" className="list-row" onClick={() => setLoggingOut(true)}>
                  <Icon name="logout" />
                  <span>{t("logout")}</span>
                </button>
              </li>
              <li>
                <NavLink className="list-row list-row--danger" to={`${base}/setting/delete-account`}>
                  <Icon name="trash" />
                  <span>
                    {t("deleteAccount")}
                    <span className="hint">{t("deleteAccountHint")}</span>
                  </span>
                  <Icon name="next" />
                </NavLink>
              </li>
            </ul>
          </nav>
        </div>
        <div className="split__detail">
          {!isMenu && (
            <Link className="link-btn only-narrow" to={`${base}/setting`}>
              <Icon name="back" small />
              {t("title")}
            </Link>
          )}
          <Outlet />
        </div>
      </div>
      <LogoutSheet isOpen={isLoggingOut} onClose={() => setLoggingOut(false)} />
    </Shell>
  );
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
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("confirmLogout")}>
      <p className="muted">{t("logoutText")}</p>
      <div className="sheet__actions">
        <Button busy={logout.isBusy} onClick={logout.start}>
          {t("logout")}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t("stay")}
        </Button>
      </div>
    </Sheet>
  );
}
