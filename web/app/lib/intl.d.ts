import type english from "@alcove/texts/en/index";
import type { Language } from "@alcove/texts/language";

declare module "use-intl" {
  interface AppConfig {
    Messages: typeof english;
    Locale: Language;
  }
}
