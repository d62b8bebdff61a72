import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { FilterSuggestion } from "@alcove/contract/discovery";
import { dayText, timeText } from "../../lib/dates.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { EmptyReason } from "./candidates.ts";

export function NoCandidates({ empty: { reason, suggestion, next_card_at } }: { empty: EmptyReason }) {
  const t = useTranslations("home");
  const title = t(`empty_${reason}`);
  if (suggestion) {
    return (
      <Empty title={title} text={t(`${suggestion}_text`)} action={<WidenLink suggestion={suggestion} />} />
    );
  }
  const text =
    reason === "card_used" && next_card_at ? nextCard(t, new Date(next_card_at)) : t(`empty_${reason}_text`);
  const action = reason === "card_used" ? <PlansLink /> : <MessagesLink />;
  return <Empty title={title} text={text} action={action} />;
}

/** Opens the filter with the change set but not saved. */
function WidenLink({ suggestion }: { suggestion: FilterSuggestion }) {
  const t = useTranslations("home");
  const to = `${useLanguagePath()}/setting/filter?suggestion=${suggestion}`;
  return (
    <Link className={buttonClass({ kind: "quiet", small: true })} to={to}>
      {t(suggestion)}
    </Link>
  );
}

function PlansLink() {
  const t = useTranslations("upgrade");
  return (
    <Link className={buttonClass({ kind: "quiet", small: true })} to={`${useLanguagePath()}/upgrade-account`}>
      {t("seePlans")}
    </Link>
  );
}

function MessagesLink() {
  const t = useTranslations("home");
  return (
    <Link className={buttonClass({ kind: "quiet", small: true })} to={`${useLanguagePath()}/dm`}>
      {t("openMessages")}
    </Link>
  );
}

/** In the device's time zone. The next card is less than 24 hours away. */
function nextCard(t: ReturnType<typeof useTranslations<"home">>, at: Date): string {
  const isToday = dayText(at) === dayText(new Date());
  return t(isToday ? "nextCardToday" : "nextCardTomorrow", { time: timeText(at) });
}
