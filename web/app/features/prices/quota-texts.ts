import { useTranslations } from "use-intl";
import { settings } from "../../lib/page/settings.ts";

/** The numbers decide the plural forms, so the server fills the whole texts into the built pages. */
const PLACEHOLDERS = { freeCards: "__FREE_CARDS_TEXT__", paidLikes: "__PAID_LIKES_TEXT__" };

export function useQuotaTexts(): typeof PLACEHOLDERS {
  const t = useTranslations("pricing");
  if (typeof document === "undefined") return PLACEHOLDERS;
  return {
    freeCards: t("freeCards", { count: Number(settings.freeCardsPerDay) }),
    paidLikes: t("paidLikes", { count: Number(settings.paidLikesPerDay) }),
  };
}
