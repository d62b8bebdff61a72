import { useState } from "react";
import { type ActionFunctionArgs, Link, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { contestReport, getReports, type OwnReport } from "@alcove/contract/cases";
import { api } from "../../lib/api/api.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextArea } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SettingHead } from "./setting-head.tsx";
import dialogStyles from "../../ui/dialog.module.css";
import listStyles from "../../ui/styles/list.module.css";

export async function loader() {
  return api(getReports, {});
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(contestReport, await request.formData()));
}

/** Own reports with what became of them. Nobody is named, so that the screen gives nobody away. */
export default function ReportsScreen() {
  const { reports } = useLoaderData<typeof loader>();
  const t = useTranslations("ownReports");
  const { revalidate } = useRevalidator();
  const [contesting, setContesting] = useState<OwnReport | null>(null);
  return (
    <div className="stack">
      <SettingHead title={t("title")} />
      <p className="muted">{t("lead")}</p>
      {reports.length === 0 && <Empty title={t("none")} text={t("noneText")} />}
      {reports.length > 0 && (
        <ul className={listStyles.list}>
          {reports.map((report) => (
            <Row key={report.number} report={report} onContest={() => setContesting(report)} />
          ))}
        </ul>
      )}
      <ContestSheet
        report={contesting}
        onSent={async () => {
          await revalidate();
          setContesting(null);
        }}
        onClose={() => setContesting(null)}
      />
    </div>
  );
}

const STATE_ICONS = { received: "clock", looked_at: "eye", decided: "clock" } as const;
const OUTCOME_ICONS = { acted: "check", no_action: "minus" } as const;

function Row({ report, onContest }: { report: OwnReport; onContest: () => void }) {
  const t = useTranslations("ownReports");
  const reasons = useTranslations("safety");
  const tThreat = useTranslations("threat");
  const base = useLanguagePath();
  const { number, reason, state, outcome, contested, created_on: on } = report;
  const canContest = outcome === "no_action" && !contested;
  return (
    <li className={listStyles.row}>
      <Icon name={outcome === null ? STATE_ICONS[state] : OUTCOME_ICONS[outcome]} />
      <span>
        {reasons(`reason_${reason}`)}
        <span className="hint">
          {outcome === null ? t(state === "decided" ? "received" : state) : t(outcome)}
        </span>
        {contested && outcome === null && <span className="hint">{t("contested")}</span>}
        <span className="hint">
          {on.replaceAll("-", "/")} · <span className="num">{number}</span>
        </span>
        {reason === "threat" && <Link to={`${base}/threat/${number}`}>{tThreat("page")}</Link>}
        {canContest && (
          <span className={listStyles.below}>
            <Button kind="quiet" small onClick={onContest}>
              {t("contest")}
            </Button>
          </span>
        )}
      </span>
    </li>
  );
}

interface ContestSheetProps {
  report: OwnReport | null;
  onSent: () => Promise<void>;
  onClose: () => void;
}

function ContestSheet({ report, onSent, onClose }: ContestSheetProps) {
  const t = useTranslations("ownReports");
  return (
    <Sheet isOpen={report !== null} onClose={onClose} title={t("contest")} closeButton>
      {report && <ContestForm number={report.number} onSent={onSent} />}
    </Sheet>
  );
}

function ContestForm({ number, onSent }: { number: string; onSent: () => Promise<void> }) {
  const t = useTranslations("ownReports");
  const form = useForm<unknown>({
    check: (fields) => pickErrors(contestReport, fields, ["text"]),
    async onDone() {
      banner.notify("ownReports.sent");
      await onSent();
    },
  });
  return (
    <Form {...form.props} className="stack">
      <p className="muted">{t("contestText")}</p>
      <input type="hidden" name="number" value={number} />
      <TextArea label={t("contestLabel")} name="text" rows={4} required {...form.errorsOf("text")} />
      <div className={dialogStyles.actions}>
        <Button type="submit" busy={form.isBusy}>
          {t("contest")}
        </Button>
      </div>
    </Form>
  );
}
