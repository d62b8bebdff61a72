import { useEffect, useState, type ReactNode } from "react";
import { IntlProvider, useLocale, type Messages } from "use-intl";
import type { Translations } from "@alcove/i18n";
import { textsOf } from "../../lib/texts/texts.ts";

type Texts = Pick<Translations, "nativeApp">;

const loaders = import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
  query: "?part=native",
  import: "default",
});

/** Loads the texts of the native app. Shows nothing before. */
export function NativeTexts({ children }: { children: ReactNode }) {
  const language = useLocale();
  const [texts, setTexts] = useState<Texts | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void loaders[`../../../../i18n/locales/${language}.json`]!().then((own) => isCurrent && setTexts(own));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  if (!texts) return null;
  return (
    <IntlProvider locale={language} messages={{ ...textsOf(language), ...texts } as Messages}>
      {children}
    </IntlProvider>
  );
}
