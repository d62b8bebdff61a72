import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useTranslations } from "use-intl";
import { dayText, timeText } from "../../lib/dates-and-units/dates.ts";

const MIDNIGHT = "00:00";

/** Formats the time of the next card, which is less than 24 hours away, in the device's time zone. */
export function useNextCardText(): (at: Date) => string {
  const t = useTranslations("home");
  return (at) => {
    const time = timeText(at);
    if (time === MIDNIGHT) return t("nextCardMidnight");
    return t(isToday(at) ? "nextCardToday" : "nextCardTomorrow", { time });
  };
}

export function isToday(at: Date): boolean {
  return dayText(at) === dayText(new Date(serverNow()));
}
