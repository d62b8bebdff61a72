import { useRef } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { type EndedMatch, removeEnded } from "@alcove/contract/messaging";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { MoreMenu } from "../../ui/menu.tsx";
import { GOODBYE_NUMBERS } from "./goodbye-sheet.tsx";
import { classNames } from "../../ui/class-names.ts";
import listStyles from "../../ui/styles/list.module.css";
import styles from "./messages.module.css";

interface EndedMatchesProps {
  ended: readonly EndedMatch[];
  onReport: (ended: EndedMatch) => void;
}

const dayText = (day: string): string => day.replaceAll("-", "/");

/** Matches that the other side ended, without name and picture. */
export function EndedMatches({ ended, onReport }: EndedMatchesProps) {
  const t = useTranslations("messages");
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={classNames("stack-sm", styles.section)} aria-labelledby="ended">
      <h2 ref={heading} tabIndex={-1} className={styles.heading} id="ended">
        {t("ended")}
      </h2>
      <p className="hint">{t("endedHint")}</p>
      <ul className={listStyles.list}>
        {ended.map((match) => (
          <EndedRow
            key={match.id}
            match={match}
            onReport={() => onReport(match)}
            onRemoved={() => heading.current?.focus()}
          />
        ))}
      </ul>
    </section>
  );
}

interface EndedRowProps {
  match: EndedMatch;
  onReport: () => void;
  onRemoved: () => void;
}

function EndedRow({ match: { id, matched_on, ended_on, goodbye }, onReport, onRemoved }: EndedRowProps) {
  const t = useTranslations("messages");
  const tSafety = useTranslations("safety");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const days = t("endedDays", { matched: dayText(matched_on), ended: dayText(ended_on) });
  const remove = useAction(async () => {
    await api(removeEnded, { id });
    onRemoved();
    await revalidate();
  });
  const sentence = GOODBYE_NUMBERS.find((number) => number === goodbye);
  return (
    <li className={classNames(listStyles.row, styles.ended)}>
      <span>
        {days}
        {sentence !== undefined && (
          <span className="hint">{t("goodbyeSaid", { words: t(`goodbye_${sentence}`) })}</span>
        )}
      </span>
      <MoreMenu
        label={t("endedMore", { days })}
        isPlain
        entries={[
          { icon: "flag", label: t("report"), onChoose: onReport },
          {
            icon: "alert",
            label: tSafety("threat"),
            onChoose: () => void navigate(`${base}/threat?endedId=${id}`),
          },
          { icon: "trash", label: t("removeEnded"), onChoose: remove.start },
        ]}
      />
    </li>
  );
}
