import { useTranslations } from "use-intl";
import { ARRIVAL_HOURS, type Arrival } from "@alcove/contract/users";

/** Returns texts such as "Evening 20:00". */
export function useArrivalText(): (arrival: Arrival) => string {
  const t = useTranslations("arrival");
  return (arrival) => t(arrival, { time: `${String(ARRIVAL_HOURS[arrival]).padStart(2, "0")}:00` });
}
