import { useState } from "react";
import { Form, useLoaderData, useNavigation, useSearchParams } from "react-router";
import {
  type Figure,
  getStatistics,
  type Period,
  type PeriodKind,
  periodKinds,
} from "@alcove/contract/console-statistics";
import { currencies } from "@alcove/contract/prices";
import { Button } from "../../app/ui/button.tsx";
import { SelectField, TextField } from "../../app/ui/forms/field.tsx";
import { Segmented } from "../../app/ui/forms/segmented.tsx";
import { api, attempt, type Problem } from "../api.ts";
import { Chart } from "../chart.tsx";
import { Heading } from "../frame.tsx";
import { ProblemNote, Table } from "../parts.tsx";
import { type Texts } from "../texts/en.ts";
import { useLanguage, useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import consoleStyles from "../console.module.css";

export async function loadStatistics({ request }: { request: Request }) {
  const query = new URL(request.url).searchParams;
  const by: PeriodKind = periodKinds.find((kind) => kind === query.get("by")) ?? "day";
  const [from, to] = ["from", "to"].map((name) => query.get(name) || null) as [string | null, string | null];
  return { by, outcome: await attempt(() => api(getStatistics, { by, from, to })) };
}

type Column = readonly [label: keyof Texts, read: (period: Period) => Figure];

const plain = (name: { [Name in keyof Period]: Period[Name] extends Figure ? Name : never }[keyof Period]) =>
  [`figure_${name}` as keyof Texts, (period: Period) => period[name]] as const;

const sales = (currency: (typeof currencies)[number]): readonly Column[] =>
  (["buyers", "revenue", "refunds", "refunded"] as const).map((name) => [
    `figure_${name}`,
    (period) => period[name][currency],
  ]);

const GROUPS: Readonly<Record<string, readonly Column[]>> = {
  people: [plain("sign_ups"), plain("active_members"), plain("members_female"), plain("members_male")],
  meeting: [plain("cards"), plain("likes"), plain("matches"), plain("first_messages")],
  ...Object.fromEntries(currencies.map((currency) => [currency, sales(currency)])),
  fees: [plain("fees"), plain("fees_usd")],
  reports: [plain("reports"), plain("reports_closed"), plain("report_days")],
};

export function StatisticsScreen() {
  const t = useTexts();
  const { by, outcome } = useLoaderData<typeof loadStatistics>();
  const [group, setGroup] = useState("people");
  const [chosen, setChosen] = useState(0);
  const columns = GROUPS[group]!;
  const [label, read] = columns[chosen]!;
  const periods = outcome.problem === null ? outcome.value.periods : [];
  const nameOf = (name: string) =>
    currencies.some((currency) => currency === name)
      ? t("sales", { currency: name })
      : t(`group_${name}` as keyof Texts);
  return (
    <>
      <Heading>{t("statistics")}</Heading>
      <p className="muted small">{t("statisticsLead")}</p>
      <PeriodForm key={by} by={by} errors={outcome.problem?.fields ?? {}} />
      <ProblemNote problem={outcome.problem} />
      <div className={classNames(consoleStyles.columns, consoleStyles.even)}>
        <SelectField
          label={t("figures")}
          choices={Object.keys(GROUPS).map((name) => [name, nameOf(name)])}
          value={group}
          onChange={({ target }) => {
            setGroup(target.value);
            setChosen(0);
          }}
        />
        <SelectField
          label={t("chart")}
          choices={columns.map(([name], i) => [String(i), t(name)])}
          value={String(chosen)}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      </div>
      {periods.length > 0 && (
        <section className={classNames(cardStyles.card, "stack")}>
          <Chart
            label={t(label)}
            points={periods.map((period) => ({ name: period.period, value: read(period) }))}
          />
          <Table
            head={[t("period"), ...columns.map(([name]) => t(name))]}
            rows={periods
              .map((period) => [period.period].concat(columns.map(([, value]) => textOf(value(period)))))
              .reverse()}
          />
        </section>
      )}
      {periods.length > 0 && <Countries period={periods.at(-1)!} />}
    </>
  );
}

const textOf = (figure: Figure): string =>
  typeof figure === "number" ? figure.toLocaleString("en") : figure;

/** In the address, so that a reload shows the same. */
function PeriodForm({ by, errors }: { by: PeriodKind; errors: Problem["fields"] }) {
  const t = useTexts();
  const [query] = useSearchParams();
  const navigation = useNavigation();
  return (
    <Form className={classNames(cardStyles.card, "stack")} noValidate>
      <Segmented
        legend={t("period")}
        isLegendHidden
        name="by"
        choices={periodKinds.map((kind) => [kind, t(`by_${kind}`)])}
        defaultValue={by}
      />
      <div className={classNames(consoleStyles.columns, consoleStyles.even)}>
        {(["from", "to"] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            name={name}
            type="date"
            defaultValue={query.get(name) ?? ""}
            error={errors[name]}
          />
        ))}
      </div>
      <div>
        <Button type="submit" busy={navigation.state !== "idle"}>
          {t("show")}
        </Button>
      </div>
    </Form>
  );
}

/** Of the last period. */
function Countries({ period }: { period: Period }) {
  const t = useTexts();
  const names = new Intl.DisplayNames([useLanguage()], { type: "region" });
  const { members_by_country: members, buyers_by_country: buyers } = period;
  const countries = [...new Set([...Object.keys(members), ...Object.keys(buyers)])];
  if (countries.length === 0) return null;
  return (
    <section className={classNames(cardStyles.card, "stack-sm")}>
      <h2>{t("countries", { period: period.period })}</h2>
      <p className="muted small">{t("countriesLead")}</p>
      <Table
        head={[t("country"), t("figure_members"), t("figure_buyers")]}
        rows={countries
          .map((code) => [names.of(code) ?? code, textOf(members[code] ?? 0), textOf(buyers[code] ?? 0)])
          .sort(([one = ""], [other = ""]) => one.localeCompare(other))}
      />
    </section>
  );
}
