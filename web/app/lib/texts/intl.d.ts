import type { EnglishMessages, Language } from "@alcove/i18n";

declare module "use-intl" {
  interface AppConfig {
    Messages: EnglishMessages;
    Locale: Language;
  }
}
