import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormatter, useTranslations } from "use-intl";
import { widenings, type FilterSuggestion } from "@alcove/contract/suggestions";
import type { RangeUnit } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { State } from "../../ui/state.tsx";
import type { EmptyReason } from "./candidates.ts";

interface NoCandidatesProps {
  reason: Exclude<EmptyReason["reason"], "card_used">;
  suggestion: FilterSuggestion | undefined;
  unit: RangeUnit;
  children: ReactNode;
}

/** Nobody new: the one filter change that helps, else to wait. */
export function NoCandidates({ reason, suggestion, unit, children }: NoCandidatesProps) {
  const t = useTranslations("home");
  const filter = `${useLanguagePath()}/setting/filter`;
  return (
    <State title={t(`empty_${reason}`)}>
      <p>{t(suggestion ? `${suggestion}_text` : `empty_${reason}_text`)}</p>
      <div className="state__actions">
        {suggestion && <WidenLink suggestion={suggestion} filter={filter} unit={unit} />}
        {suggestion && <p className="hint">{t("nothingChanges")}</p>}
        <Link className={buttonClass({ kind: suggestion ? "ghost" : "quiet" })} to={filter}>
          {t("openFilter")}
        </Link>
      </div>
      {suggestion && <p className="small">{t("orLater")}</p>}
      {children}
    </State>
  );
}

interface WidenLinkProps {
  suggestion: FilterSuggestion;
  filter: string;
  unit: RangeUnit;
}

/** Opens the filter with the change set but not saved. */
function WidenLink({ suggestion, filter, unit }: WidenLinkProps) {
  const t = useTranslations("home");
  const tp = useTranslations("profile");
  const format = useFormatter();
  const distance = tp(unit, { count: format.number(widenings.wider_distance.search_max_range) });
  return (
    <Link className={buttonClass({ block: true })} to={`${filter}?suggestion=${suggestion}`}>
      {suggestion === "wider_distance" ? t("wider_distance", { distance }) : t(suggestion)}
    </Link>
  );
}
