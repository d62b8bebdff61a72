import { useParams } from "react-router";
import { useTranslations } from "use-intl";
import { en } from "./en.ts";
import { ja } from "./ja.ts";

export const languages = ["en", "ja"] as const;
export type ConsoleLanguage = (typeof languages)[number];

export const texts = { en, ja };

export function languageOf(segment: string | undefined): ConsoleLanguage {
  return segment === "ja" ? "ja" : "en";
}

export function useLanguage(): ConsoleLanguage {
  return languageOf(useParams()["lang"]);
}

type Translate = (key: keyof typeof en, values?: Record<string, string | number>) => string;

/** Returns a function for sums such as `80 USD`. */
export function useSumText(): (sum: string) => string {
  const t = useTexts();
  return (sum) => {
    const [amount = "", currency = ""] = sum.split(" ");
    const minimumFractionDigits = amount.split(".")[1]?.length ?? 0;
    const number = Number(amount).toLocaleString("en", { minimumFractionDigits });
    return t(`money_${currency}` as keyof typeof en, { amount: number });
  };
}

/** The console's own texts, beside those of the UI kit. */
export function useTexts(): Translate {
  return useTranslations("console" as never) as unknown as Translate;
}
