import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormatter, useTranslations } from "use-intl";
import { SEARCH_RANGE } from "@alcove/contract/limits";
import type { FilterSuggestion } from "@alcove/contract/suggestions";
import type { RangeUnit, User } from "@alcove/contract/users";
import { useNextCardText } from "../../features/prices/next-card.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { lazyModule, useLazyModule } from "../../ui/on-demand/on-demand.tsx";
import { State } from "../../ui/state.tsx";
import type { EmptyReason } from "./candidates.ts";
import stateStyles from "../../ui/state.module.css";

interface NoCandidatesProps {
  reason: Exclude<EmptyReason["reason"], "card_used" | "paused">;
  user: User;
  suggestion: FilterSuggestion | undefined;
  /** The upper end of the distance that suffices, in the unit of the filter. */
  maxRange: number | undefined;
  /** Set when the new faces of the day are used up. */
  nextFacesAt: Date | null;
  children: ReactNode;
}

const somebodyNew = lazyModule(() => import("./somebody-new.tsx"));

/** Offers the one filter change that finds somebody new, else shows when new cards come. */
export function NoCandidates({
  reason,
  user,
  suggestion,
  maxRange,
  nextFacesAt,
  children,
}: NoCandidatesProps) {
  const t = useTranslations("home");
  const loaded = useLazyModule(somebodyNew, nextFacesAt === null);
  const nextCardText = useNextCardText();
  const filter = `${useLanguagePath()}/setting/filter`;
  if (nextFacesAt) {
    return (
      <State title={t("empty_faces_used")}>
        <p>{nextCardText(nextFacesAt)}</p>
        {children}
      </State>
    );
  }
  return (
    <State title={t(`empty_${reason}`)}>
      <p>{t(suggestion ? `${suggestion}_text` : `empty_${reason}_text`)}</p>
      <div className={stateStyles.actions}>
        {suggestion && (
          <WidenLink
            suggestion={suggestion}
            maxRange={maxRange}
            filter={filter}
            unit={user.search_range_unit}
          />
        )}
        {suggestion && <p className="hint">{t("nothingChanges")}</p>}
        <Link className={buttonClass({ kind: suggestion ? "ghost" : "quiet" })} to={filter}>
          {t("openFilter")}
        </Link>
      </div>
      {suggestion && <p className="small">{t("orLater")}</p>}
      {loaded && <loaded.SomebodyNew user={user} />}
      {children}
    </State>
  );
}

interface WidenLinkProps {
  suggestion: FilterSuggestion;
  maxRange: number | undefined;
  filter: string;
  unit: RangeUnit;
}

/** Opens the filter with the change set but not saved. */
function WidenLink({ suggestion, maxRange, filter, unit }: WidenLinkProps) {
  const t = useTranslations("home");
  const tp = useTranslations("profile");
  const format = useFormatter();
  const change = new URLSearchParams({ suggestion });
  if (maxRange !== undefined) change.set("max_range", String(maxRange));
  const distance = tp(unit, { count: format.number(maxRange ?? SEARCH_RANGE.max) });
  return (
    <Link className={buttonClass({ block: true })} to={`${filter}?${change.toString()}`}>
      {suggestion === "wider_distance" ? t("wider_distance", { distance }) : t(suggestion)}
    </Link>
  );
}
