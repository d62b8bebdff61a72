import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useFormatter, useTranslations } from "use-intl";
import { dayText, timeText } from "../../lib/dates-and-units/dates.ts";

const MIDNIGHT = "00:00";
const DAY_MS = 86_400_000;

/** Formats the time of the next card, which is less than a week away, in the device's time zone. */
export function useNextCardText(): (at: Date) => string {
  const t = useTranslations("home");
  const format = useFormatter();
  return (at) => {
    const time = timeText(at);
    const isDay = (ms: number) => dayText(at) === dayText(new Date(ms));
    if (isDay(serverNow())) return t("nextCardToday", { time });
    if (!isDay(serverNow() + DAY_MS))
      return t("nextCardDay", { day: format.dateTime(at, { weekday: "long" }), time });
    return time === MIDNIGHT ? t("nextCardMidnight") : t("nextCardTomorrow", { time });
  };
}
