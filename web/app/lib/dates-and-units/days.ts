import { serverNow } from "./server-clock.ts";
import { useEffect, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";

const DAY_MS = 24 * 60 * 60 * 1_000;
const WEEK_DAYS = 7;

interface Days {
  /** Today, Yesterday, the weekday within a week, then the date. */
  nameOf(at: Date): string;
  isToday(at: Date): boolean;
  /** `day` is `YYYY-MM-DD`. */
  ageOfUtcDay(day: string): number;
  nameOfUtcDay(day: string): string;
}

/** Names days as seen from today, also after midnight. */
export function useDays(): Days {
  const t = useTranslations("days");
  const format = useFormatter();
  const now = useNow();
  const name = (at: Date, age: number, timeZone?: "UTC") => {
    const zone = timeZone && { timeZone };
    if (age < WEEK_DAYS) return format.dateTime(at, { ...zone, weekday: "long" });
    const year = at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
    return format.dateTime(at, { ...zone, ...year, month: "long", day: "numeric" });
  };
  const ageOf = (at: Date) => Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  const ageOfUtcDay = (day: string) => Math.floor(now.getTime() / DAY_MS) - Date.parse(day) / DAY_MS;
  return {
    nameOf(at) {
      const age = ageOf(at);
      if (age <= 0) return t("today");
      return age === 1 ? t("yesterday") : name(at, age);
    },
    isToday: (at) => ageOf(at) <= 0,
    ageOfUtcDay,
    nameOfUtcDay: (day) => name(new Date(day), ageOfUtcDay(day), "UTC"),
  };
}

/** Changes at midnight. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date(serverNow()));
  useEffect(() => {
    const timer = setTimeout(
      () => setNow(new Date(serverNow())),
      startOfDay(now) + DAY_MS - now.getTime() + 1_000,
    );
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
