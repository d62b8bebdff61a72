import type { KeyboardEvent } from "react";
import { Form, Link, useLoaderData, useRevalidator, useSearchParams } from "react-router";
import { caseKinds, caseRules, caseStates } from "@alcove/contract/cases";
import { getCases, type ListedCase } from "@alcove/contract/console";
import { Button, buttonClass } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import { SelectField, TextField } from "../../app/ui/forms/field.tsx";
import { api, attempt } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, ProblemNote, timeOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import listStyles from "../../app/ui/styles/list.module.css";
import badgeStyles from "../../app/ui/styles/badge.module.css";
import cardStyles from "../../app/ui/styles/card.module.css";
import styles from "../console.module.css";

const FILTERS = ["state", "kind", "rule", "number"] as const;

export function loadCases({ request }: { request: Request }) {
  const query = new URL(request.url).searchParams;
  const filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  return attempt(() => api(getCases, { ...filter, page: pageOf(query) }));
}

const pageOf = (query: URLSearchParams): number => Number(query.get("page") ?? 1);

export function CasesScreen() {
  const t = useTexts();
  const { problem, ...loaded } = useLoaderData<typeof loadCases>();
  const { cases, has_more: hasMore } = "value" in loaded ? loaded.value : { cases: [], has_more: false };
  const [query] = useSearchParams();
  const { revalidate, state } = useRevalidator();
  const isFiltered = FILTERS.some((name) => query.get(name));
  const next = new URLSearchParams(query);
  next.set("page", String(pageOf(query) + 1));
  return (
    <>
      <div className="row between">
        <Heading>{t("cases")}</Heading>
        <Button kind="quiet" small busy={state === "loading"} onClick={() => void revalidate()}>
          {t("refresh")}
        </Button>
      </div>
      <Filters query={query} numberError={problem?.fields["number"]} />
      <ProblemNote problem={problem} />
      <p className="vh" role="status">
        {t("casesShown", { count: cases.length })}
      </p>
      {cases.length === 0 ? (
        <Empty
          title={t(isFiltered ? "noSuchCases" : "noCases")}
          text={t(isFiltered ? "noSuchCasesText" : "noCasesText")}
        />
      ) : (
        <>
          <p className="muted small">{t("casesLead")}</p>
          <ul className={listStyles.list} onKeyDown={moveFocus}>
            {cases.map((one) => (
              <CaseRow key={one.id} {...one} />
            ))}
          </ul>
          {hasMore && (
            <Link className={buttonClass({ kind: "quiet" })} to={`?${next}`}>
              {t("moreCases")}
            </Link>
          )}
        </>
      )}
    </>
  );
}

type NumberError = NonNullable<Parameters<typeof TextField>[0]["error"]> | undefined;

function Filters({ query, numberError }: { query: URLSearchParams; numberError: NumberError }) {
  const t = useTexts();
  const chosen = (name: (typeof FILTERS)[number]) => query.get(name) ?? "";
  return (
    <Form className={classNames(cardStyles.card, styles.filters)} role="search">
      <SelectField
        label={t("state")}
        key={`state ${chosen("state")}`}
        name="state"
        defaultValue={chosen("state")}
        choices={[["", t("case_waiting")], ...caseStates.map((one) => [one, t(`case_${one}`)] as const)]}
      />
      <SelectField
        label={t("kind")}
        key={`kind ${chosen("kind")}`}
        name="kind"
        defaultValue={chosen("kind")}
        choices={[["", t("all")], ...caseKinds.map((one) => [one, t(`kind_${one}`)] as const)]}
      />
      <SelectField
        label={t("ruleOfDecision")}
        key={`rule ${chosen("rule")}`}
        name="rule"
        defaultValue={chosen("rule")}
        choices={[["", t("all")], ...caseRules.map((one) => [one, t(`rule_${one}`)] as const)]}
      />
      <TextField
        label={t("caseNumber")}
        key={`number ${chosen("number")}`}
        name="number"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={chosen("number")}
        error={numberError}
      />
      <Button type="submit" kind="quiet">
        {t("show")}
      </Button>
    </Form>
  );
}

/** The arrow keys walk through the list, beside the tab key. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  links[at + step]?.focus();
  event.preventDefault();
}

function CaseRow({ id, kind, on, state, reason, reports, has_message, due_at, ...claim }: ListedCase) {
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
          {` · ${t(`case_${state}`)}`}
          {due_at !== null && state !== "decided" && ` · ${t("dueAt", { time: timeOf(due_at) })}`}
        </span>
      </span>
      {claim.claimed_by !== null && !claim.is_mine ? (
        <span className={classNames(badgeStyles.badge, badgeStyles.lamp)}>
          {t("takenBy", { name: claim.claimed_by })}
        </span>
      ) : (
        <Link
          className={buttonClass({ kind: claim.is_mine ? "primary" : "quiet", small: true })}
          to={id}
          aria-label={`${claim.is_mine ? t("resume") : t("take")}: ${title}, ${dayOf(on)}`}
        >
          {claim.is_mine ? t("resume") : t("take")}
        </Link>
      )}
    </li>
  );
}
