import { useEffect, useRef } from "react";
import {
  Link,
  NavLink,
  Outlet,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
  useRevalidator,
  useRouteError,
} from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import { endLogin, getOperator } from "@alcove/contract/console";
import english from "../../i18n/locales/en.json";
import japanese from "../../i18n/locales/ja.json";
import { Button } from "../app/ui/button.tsx";
import { Empty } from "../app/ui/empty.tsx";
import { Spinner } from "../app/ui/loading.tsx";
import { api, Problem } from "./api.ts";
import { languages, texts, useLanguage, useTexts } from "./texts/use-texts.ts";
import { classNames } from "../app/ui/class-names.ts";
import styles from "./console.module.css";

const KIT = { en: english, ja: japanese };
const LANGUAGE_NAMES = { en: "English", ja: "日本語" };
/** As the server ends an idle session. The page must not stay open longer than it. */
const IDLE_MS = 15 * 60_000;

const SCREENS = [
  "cases",
  "pictures",
  "help",
  "age-checks",
  "corrections",
  "mailboxes",
  "member",
  "coupons",
  "payments",
  "statistics",
  "approvals",
  "log",
  "passkeys",
] as const;

export const loadOperator = () => api(getOperator, {});

export function Root() {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = texts[language].title;
  }, [language]);
  const { ui, fields } = KIT[language];
  const messages = { ui, fields, console: texts[language] };
  return (
    <IntlProvider locale={language} messages={messages as unknown as Messages} timeZone="UTC">
      <Outlet />
    </IntlProvider>
  );
}

export function Frame() {
  const t = useTexts();
  const language = useLanguage();
  const { name } = useLoaderData<typeof loadOperator>();
  const navigation = useNavigation();
  const { key } = useLocation();
  const logOut = async () => {
    await api(endLogin, {}).catch(() => undefined);
    location.assign(`/${language}/login`);
  };
  return (
    <>
      <header className={styles.bar}>
        <a className={styles.skip} href="#content">
          {t("skip")}
        </a>
        <span className={styles.name}>{t("title")}</span>
        {navigation.state !== "idle" && <Spinner />}
        <LanguageLinks />
        <span className="small muted">{name}</span>
        <Button kind="quiet" small onClick={() => void logOut()}>
          {t("logOut")}
        </Button>
        <nav aria-label={t("title")}>
          {SCREENS.map((screen) => (
            <NavLink key={screen} to={`/${language}/${screen}`}>
              {t(screen === "age-checks" ? "ageChecks" : screen)}
            </NavLink>
          ))}
        </nav>
      </header>
      <IdleEnd key={`${key} ${navigation.state}`} url={`/${language}/login?ended`} />
      <main className={classNames(styles.page, "stack")} id="content">
        <Outlet />
      </main>
    </>
  );
}

export function LanguageLinks() {
  const t = useTexts();
  const current = useLanguage();
  const { pathname, search, hash } = useLocation();
  const others = languages.filter((language) => language !== current);
  return (
    <span role="group" aria-label={t("language")}>
      {others.map((language) => (
        <Link key={language} to={pathname.replace(/^\/\w+/, `/${language}`) + search + hash} lang={language}>
          {LANGUAGE_NAMES[language]}
        </Link>
      ))}
    </span>
  );
}

/**
 * The heading of a screen. It takes the focus, so that screen readers announce the screen. `hasUserId` keeps letters and
 * digits apart, which the display face draws alike.
 */
export function Heading({ children, hasUserId = false }: { children: string; hasUserId?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1} className={classNames(hasUserId && styles.userId)}>
      {children}
    </h1>
  );
}

export function LoadError() {
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const language = useLanguage();
  const t = (key: keyof typeof texts.en) => texts[language][key];
  const code = error instanceof Problem ? error.code : "fault";
  if (code === "case_taken" || code === "not_found")
    return (
      <Empty
        title={t("taken")}
        action={<Button onClick={() => void navigate(`/${language}/cases`)}>{t("back")}</Button>}
      />
    );
  const message =
    code === "offline" ? t("offline") : (error instanceof Problem && error.message) || t("failed");
  return <Empty title={message} action={<Button onClick={() => void revalidate()}>{t("reload")}</Button>} />;
}

/** Ends an idle page by a full load of the login, so that nothing stays in its memory. Each request mounts it anew. */
function IdleEnd({ url }: { url: string }) {
  useEffect(() => {
    const timer = setTimeout(() => location.assign(url), IDLE_MS);
    return () => clearTimeout(timer);
  }, [url]);
  return null;
}
