import type { Config } from "@react-router/dev/config";
import { languages } from "@alcove/texts/language";

/** Pages that say the same to everybody: built once for each language, readable without JavaScript. */
const PUBLIC_PAGES = ["login", "sign-up", "about-service", "pricing", "tos", "privacy-policy"];

export default {
  appDirectory: "app",
  ssr: false,
  prerender: languages.flatMap((language) => PUBLIC_PAGES.map((page) => `/${language}/${page}`)),
} satisfies Config;
