import { useTranslations } from "use-intl";
import type { Currency } from "@alcove/contract/prices";
import { banner } from "../../lib/page/banner.ts";
import { OfflineError, ApiError } from "../../lib/api/errors.ts";
import type { Plan } from "./plan-text.ts";

export interface OrderDraft extends Plan {
  currency: Currency;
  price: number;
  country: string;
  start_at_once: "yes" | null;
}

/** Returns a function that shows why no order was created. */
export function useShowOrderError(): (error: unknown) => void {
  const t = useTranslations("membership");
  const tf = useTranslations("fields");
  const offline = useTranslations("errorScreen")("offline");
  const unexpected = useTranslations("errors")("fault");
  return (error) => {
    const show = (reason: string) => banner.alertText(t("couldNotInitiate", { reason }));
    if (error instanceof ApiError) {
      const [first] = Object.values(error.errors).flat();
      show(first ? tf(first) : error.message);
    } else if (error instanceof OfflineError) show(offline);
    else {
      show(unexpected);
      reportError(error);
    }
  };
}
