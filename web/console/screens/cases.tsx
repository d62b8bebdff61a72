import { Link, useLoaderData, useRevalidator, useSearchParams } from "react-router";
import { getCases, type OpenCase } from "@alcove/contract/console";
import { Button, buttonClass } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import { api } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import listStyles from "../../app/ui/styles/list.module.css";
import badgeStyles from "../../app/ui/styles/badge.module.css";

export const loadCases = ({ request }: { request: Request }) =>
  api(getCases, { page: pageOf(new URL(request.url).searchParams) });

const pageOf = (query: URLSearchParams): number => Number(query.get("page") ?? 1);

export function CasesScreen() {
  const t = useTexts();
  const { cases, has_more: hasMore } = useLoaderData<typeof loadCases>();
  const page = pageOf(useSearchParams()[0]);
  const { revalidate, state } = useRevalidator();
  return (
    <>
      <div className="row between">
        <Heading>{t("cases")}</Heading>
        <Button kind="quiet" small busy={state === "loading"} onClick={() => void revalidate()}>
          {t("refresh")}
        </Button>
      </div>
      {cases.length === 0 ? (
        <Empty title={t("noCases")} text={t("noCasesText")} />
      ) : (
        <>
          <p className="muted small">{t("casesLead")}</p>
          <ul className={listStyles.list}>
            {cases.map((one) => (
              <CaseRow key={one.id} {...one} />
            ))}
          </ul>
          {hasMore && (
            <Link className={buttonClass({ kind: "quiet" })} to={`?page=${page + 1}`}>
              {t("moreCases")}
            </Link>
          )}
        </>
      )}
    </>
  );
}

function CaseRow({ id, kind, on, reason, reports, has_message, is_appealed, claimed_by, is_mine }: OpenCase) {
  const t = useTexts();
  const title = reason ? t(`reason_${reason}`) : t(`kind_${kind}`);
  return (
    <li className={listStyles.row} style={{ display: "flex", flexWrap: "wrap" }}>
      <span style={{ flex: "1 1 12rem", minWidth: 0 }}>
        {title}
        <span className="hint">
          <span className="num">{dayOf(on)}</span> ·{" "}
          {reports > 0 ? t("reportCount", { count: reports }) : t(`kind_${kind}`)}
          {has_message && ` · ${t("withMessage")}`}
          {is_appealed && ` · ${t("appeal")}`}
        </span>
      </span>
      {claimed_by !== null && !is_mine ? (
        <span className={classNames(badgeStyles.badge, badgeStyles.lamp)}>
          {t("takenBy", { name: claimed_by })}
        </span>
      ) : (
        <Link
          className={buttonClass({ kind: is_mine ? "primary" : "quiet", small: true })}
          to={id}
          aria-label={`${is_mine ? t("resume") : t("take")}: ${title}, ${dayOf(on)}`}
        >
          {is_mine ? t("resume") : t("take")}
        </Link>
      )}
    </li>
  );
}
