import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { GivenLike } from "@alcove/contract/discovery";
import type { ResponseOf } from "@alcove/contract/call";
import type { getLastDms } from "@alcove/contract/messaging";
import { useDays } from "../../lib/dates-and-units/days.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";

const QUIET_DAYS = 7;

interface QuietWeekProps {
  likes: readonly GivenLike[];
  conversations: Pick<ResponseOf<typeof getLastDms>, "matches" | "dms">;
}

/** Names two improvements, if likes of a week ago and before led to no match and no message since. */
export function QuietWeek({ likes, conversations: { matches, dms } }: QuietWeekProps) {
  const t = useTranslations("evening");
  const base = useLanguagePath();
  const { ageOfUtcDay } = useDays();
  const isOld = (day: string) => ageOfUtcDay(day.slice(0, 10)) >= QUIET_DAYS;
  const hasWaited = likes.some(({ liked_on }) => isOld(liked_on));
  const isQuiet =
    matches.every(({ matched_on }) => isOld(matched_on)) && dms.every(({ created_at }) => isOld(created_at));
  if (!hasWaited || !isQuiet) return null;
  const linkTo = (path: string) => (text: ReactNode) => <Link to={`${base}/setting/${path}`}>{text}</Link>;
  return (
    <p className="hint">{t.rich("quietWeek", { words: linkTo("profile"), filter: linkTo("filter") })}</p>
  );
}
