import "../app/ui/styles/global.css";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { IntlProvider, type Messages } from "use-intl";
import { languages, type Language } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";
import { DOCUMENT_LANG } from "../app/lib/texts/language.ts";
import { prepareIcons } from "../app/ui/icon.tsx";
import { Segmented } from "../app/ui/forms/segmented.tsx";
import { Kit } from "./kit.tsx";
import styles from "./gallery.module.css";

const NAMES: Record<Language, string> = {
  en: "English",
  ja: "日本語",
  "zh-hans": "简体中文",
  "zh-hant": "繁體中文",
};
const THEMES = [
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** Shows the UI kit in one language and theme; both stand in the URL. */
function Gallery() {
  const [language, setLanguage] = useState(asLanguage(new URLSearchParams(location.search).get("language")));
  const [theme, setTheme] = useState(new URLSearchParams(location.search).get("theme") ?? "light");
  useEffect(() => {
    document.documentElement.lang = DOCUMENT_LANG[language];
    document.documentElement.dataset["theme"] = theme;
    history.replaceState(null, "", `?language=${language}&theme=${theme}`);
  }, [language, theme]);
  return (
    <IntlProvider locale={language} messages={allTranslations[language] as Messages} timeZone="UTC">
      <main className={styles.gallery}>
        <div className={styles.choice}>
          <Segmented
            legend="Language"
            name="language"
            choices={languages.map((one) => [one, NAMES[one]] as const)}
            value={language}
            onChange={(chosen) => setLanguage(asLanguage(chosen))}
          />
          <Segmented legend="Theme" name="theme" choices={THEMES} value={theme} onChange={setTheme} />
        </div>
        <Kit key={language} />
      </main>
    </IntlProvider>
  );
}

function asLanguage(name: string | null): Language {
  return languages.find((language) => language === name) ?? "en";
}

await prepareIcons();
const router = createMemoryRouter([{ path: "/:lang/*", element: <Gallery /> }], { initialEntries: ["/en"] });
createRoot(document.getElementById("gallery")!).render(<RouterProvider router={router} />);
