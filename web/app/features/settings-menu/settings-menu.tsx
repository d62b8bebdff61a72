import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { Link, NavLink, useLocation } from "react-router";
import { useTranslations } from "use-intl";
import { device } from "../../device/browser.ts";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { settings } from "../../lib/page/settings.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { Summary } from "./summary.ts";
import { useSubLines } from "./use-sub-lines.ts";
import { classNames } from "../../ui/class-names.ts";
import listStyles from "../../ui/styles/list.module.css";
import styles from "./settings-menu.module.css";

const THIS_YEAR = new Date().getFullYear();

interface SettingsMenuProps {
  summary: Summary | null;
  /** Whether the profile stands beside the menu without its own URL. */
  isProfileOpen: boolean;
  onLogout: () => void;
}

/** All settings in groups, each with its present value. */
export function SettingsMenu({ summary, isProfileOpen, onLogout }: SettingsMenuProps) {
  const t = useTranslations("settings");
  const ta = useTranslations("ageCheck");
  const tn = useTranslations("notes");
  const base = useLanguagePath();
  const lines = useSubLines(summary);
  const setting = `${base}/setting`;
  const { pathname } = useLocation();
  const menu = useRef<HTMLElement>(null);
  const [words, setWords] = useState("");
  const search = folded(words);
  const isNothingFound = useIsEmpty(menu, words);
  useEffect(() => {
    menu.current?.querySelector(`[href="${pathname}"]`)?.scrollIntoView({ block: "nearest" });
  }, [pathname]);
  return (
    <nav ref={menu} aria-label={t("title")} data-searching={words === "" ? undefined : ""}>
      <Search words={words} onChange={setWords} />
      <p role="status" className={styles.none}>
        {isNothingFound && t("searchNone")}
      </p>
      <Searched value={search}>
        <Group title={t("you")}>
          <Row
            to={`${setting}/profile`}
            isOpen={isProfileOpen}
            icon="user"
            label={t("profile")}
            line={lines.profile}
          />
          <Row to={`${setting}/notes`} icon="compose" label={tn("title")} line={lines.notes} />
          <Row to={`${setting}/filter`} icon="filter" label={t("filter")} line={lines.filter} />
          <Row to={`${setting}/arrival`} icon="clock" label={t("arrival")} line={lines.arrival} />
          <Row to={`${setting}/preview`} icon="eye" label={t("preview")} line={lines.preview} />
        </Group>
        <PrivacyGroup lines={lines} />
        <PeopleGroup lines={lines} />
        <Group title={t("account")}>
          <Row to={`${setting}/password`} icon="key" label={t("password")} line={lines.password} />
          {offersPasskeys() && (
            <Row to={`${setting}/passkeys`} icon="passkey" label={t("passkeys")} line={lines.passkeys} />
          )}
          <Row to={`${setting}/devices`} icon="devices" label={t("devices")} line={lines.devices} />
          <Row to={`${setting}/email`} icon="mail" label={t("email")} line={lines.email} />
          <Row
            to={`${setting}/notifications`}
            icon="bell"
            label={t("notifications")}
            line={lines.notifications}
          />
          {settings.ageCheck === "document" && (
            <Row to={`${setting}/age-check`} icon="shield" label={ta("title")} line={lines.ageCheck} />
          )}
          <Row to={`${setting}/corrections`} icon="user" label={t("corrections")} line={lines.corrections} />
          <Row to={`${setting}/kept`} icon="book" label={t("kept")} line={t("keptLine")} />
          <Row to={`${setting}/export`} icon="download" label={t("export")} line={lines.export} />
        </Group>
        {hasPurchases() && (
          <Group title={t("membership")}>
            <Row to={`${base}/upgrade-account`} icon="card" label={t("userStatus")} line={lines.status} />
            <Row
              to={`${base}/purchase-history`}
              icon="receipt"
              label={t("purchaseHistory")}
              line={lines.purchases}
            />
            <Row to={`${base}/brokerage-fee`} icon="coins" label={t("brokerageFee")} line={lines.brokerage} />
          </Group>
        )}
        <AboutGroup help={lines.help} />
        <EndGroup onLogout={onLogout} />
      </Searched>
      <Imprint />
    </nav>
  );
}

function Imprint() {
  return (
    <p className={styles.end}>
      <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>
      <span>
        © {THIS_YEAR} {settings.brandName} {device.version}
      </span>
    </p>
  );
}

/** The words that a row must have; empty shows all. */
const Searched = createContext("");

const folded = (text: string): string => text.normalize("NFKC").trim().toLocaleLowerCase();

function Search({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  const t = useTranslations("settings");
  const id = useId();
  return (
    <div className={styles.search}>
      <label htmlFor={id} className="vh">
        {t("search")}
      </label>
      <Icon name="search" small />
      <input
        id={id}
        type="search"
        value={words}
        placeholder={t("search")}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** Whether no row has the words. The rows decide that themselves. */
function useIsEmpty(menu: RefObject<HTMLElement | null>, words: string): boolean {
  const [isEmpty, setEmpty] = useState(false);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- counts the rendered rows
    setEmpty(words.trim() !== "" && menu.current?.querySelector("li") === null);
  }, [menu, words]);
  return isEmpty;
}

function useIsFound({ label, line = "" }: { label: string; line?: string | undefined }): boolean {
  return folded(`${label} ${line}`).includes(useContext(Searched));
}

type Lines = ReturnType<typeof useSubLines>;

function PrivacyGroup({ lines }: { lines: Lines }) {
  const t = useTranslations("settings");
  const tp = useTranslations("privacy");
  const setting = `${useLanguagePath()}/setting`;
  return (
    <Group title={t("safety")}>
      <Row to={`${setting}/device`} icon="phone" label={t("device")} line={lines.device} />
      <Row to={`${setting}/pin`} icon="lock" label={t("pin")} line={lines.pin} />
      <Row to={`${setting}/visibility`} icon="people" label={t("visibility")} line={lines.visibility} />
      <Row to={`${setting}/hidden-areas`} icon="hide" label={t("hiddenAreas")} line={t("hiddenAreasLine")} />
      <Row to={`${setting}/area`} icon="pin" label={tp("placeTitle")} line={lines.area} />
      <Row to={`${setting}/reading`} icon="check" label={tp("readingTitle")} line={lines.reading} />
    </Group>
  );
}

function PeopleGroup({ lines }: { lines: Lines }) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const setting = `${base}/setting`;
  return (
    <Group title={t("people")}>
      <Row to={`${setting}/likes`} icon="like" label={t("likes")} line={lines.likes} />
      <Row to={`${setting}/blocks`} icon="block" label={t("blocks")} line={lines.blocks} />
      <Row to={`${setting}/never-see`} icon="never" label={t("neverSee")} line={lines.neverSee} />
      <Row to={`${setting}/reports`} icon="flag" label={t("reports")} line={t("reportsLine")} />
      <Row to={`${setting}/notices`} icon="alert" label={t("notices")} line={lines.notices} />
      <Row to={`${base}/case`} icon="book" label={t("decisions")} line={t("decisionsLine")} />
      <Row to={`${setting}/looks`} icon="search" label={t("looks")} line={t("looksLine")} />
    </Group>
  );
}

function AboutGroup({ help }: { help: string }) {
  const t = useTranslations("settings");
  const tShell = useTranslations("shell");
  const base = useLanguagePath();
  return (
    <Group title={t("about")}>
      <Row to={`${base}/setting/help`} icon="help" label={t("help")} line={help} />
      <Row to={`${base}/how-it-works`} icon="info" label={t("howItWorks")} />
      <Row to={`${base}/tos`} icon="book" label={t("terms")} />
      <Row to={`${base}/privacy-policy`} icon="shield" label={t("privacyPolicy")} />
      <Row to={`${base}/provider`} icon="mail" label={tShell("provider")} />
    </Group>
  );
}

function EndGroup({ onLogout }: Pick<SettingsMenuProps, "onLogout">) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const hasLogout = useIsFound({ label: t("logout") });
  const hasDeletion = useIsFound({ label: t("deleteAccount") });
  return (
    <Group>
      {hasLogout && (
        <li>
          <button type="button" className={classNames(listStyles.row, styles.row)} onClick={onLogout}>
            <Icon name="logout" />
            <span>{t("logout")}</span>
          </button>
        </li>
      )}
      {hasDeletion && (
        <li>
          <NavLink
            className={classNames(listStyles.row, listStyles.danger, styles.row)}
            to={`${base}/setting/delete-account`}
          >
            <Icon name="trash" />
            <span>{t("deleteAccount")}</span>
          </NavLink>
        </li>
      )}
    </Group>
  );
}

function Group({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      {title && <h2>{title}</h2>}
      <ul className={listStyles.list}>{children}</ul>
    </section>
  );
}

interface RowProps {
  icon: IconName;
  label: string;
  line?: string;
}

function Row({ to, isOpen = false, ...parts }: RowProps & { to: string; isOpen?: boolean }) {
  const RowLink = isOpen ? Link : NavLink; // a `NavLink` is current by its URL alone
  if (!useIsFound(parts)) return null;
  return (
    <li>
      <RowLink
        className={classNames(listStyles.row, styles.row)}
        to={to}
        aria-current={isOpen ? "page" : undefined}
      >
        <RowParts {...parts} />
        <Icon name="next" />
      </RowLink>
    </li>
  );
}

/** An empty line keeps its place until its value is known. */
function RowParts({ icon, label, line }: RowProps) {
  return (
    <>
      <Icon name={icon} />
      <span>
        {label}
        {line !== undefined && <span className={classNames("hint", styles.hint)}>{line || "\u00A0"}</span>}
      </span>
    </>
  );
}
