import { useTranslations } from "use-intl";
import type { Currency } from "@alcove/contract/prices";
import { OfflineError, ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import type { Plan } from "./plan-text.ts";

/** What somebody is about to order. */
export interface OrderDraft extends Plan {
  currency: Currency;
  price: number;
}

/** 'Could not initiate …', with the reason as far as there is one that says something. */
export function useShowOrderError(): (error: unknown) => void {
  const t = useTranslations("membership");
  const tf = useTranslations("fields");
  const offline = useTranslations("errorScreen")("offline");
  const fault = useTranslations("errors")("fault");
  return (error) => {
    const tell = (reason: string) => banner.alertText(t("couldNotInitiate", { reason }));
    if (error instanceof ApiError) {
      const [first] = Object.values(error.errors).flat();
      tell(first ? tf(first) : error.message);
    } else if (error instanceof OfflineError) tell(offline);
    else {
      tell(fault);
      reportError(error);
    }
  };
}
