import { useState } from "react";
import {
  Form,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
} from "react-router";
import {
  type CaseDetail,
  decideCase,
  openCase,
  readCasePicture,
  releaseCase,
  type ReportEntry,
  reportOutcomes,
} from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { TextArea } from "../../app/ui/forms/field.tsx";
import { Segmented } from "../../app/ui/forms/segmented.tsx";
import { api, attempt, formInput, pathLanguage } from "../api.ts";
import { Heading } from "../frame.tsx";
import { Facts, Note, ProblemNote, Status, timeOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import consoleStyles from "../console.module.css";
import cardStyles from "../../app/ui/styles/card.module.css";

/** Takes the case, which the server logs before it returns the content. */
export const loadCase = ({ params }: { params: { id?: string } }) => api(openCase, { id: params.id ?? "" });

export async function decide({ request, params }: ActionFunctionArgs) {
  const data = await request.formData();
  const id = params["id"] ?? "";
  const { problem } = await attempt(async () =>
    data.get("intent") === "release"
      ? api(releaseCase, { id })
      : api(decideCase, { ...formInput<typeof decideCase>(data), id }),
  );
  return problem ? { problem } : redirect(`/${pathLanguage()}/cases`);
}

export function CaseScreen() {
  const t = useTexts();
  const { case: detail } = useLoaderData<typeof loadCase>();
  const { kind, user_id: userId } = detail;
  return (
    <>
      <Heading>{t(kind === "report" ? "reportOf" : "pictureOf", { userId })}</Heading>
      <p className="muted small">{t("yoursUntil", { time: timeOf(detail.claimed_until).slice(11) })}</p>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <div className="stack">
          {detail.entries.map((entry) => (
            <Entry key={entry.id} caseId={detail.id} {...entry} />
          ))}
          {kind === "picture" && (
            <section className={classNames(cardStyles.card, "stack")}>
              <CasePicture key={detail.id} id={detail.id} />
            </section>
          )}
          <section className={cardStyles.card}>
            <CaseFacts {...detail} />
          </section>
        </div>
        <DecisionForm />
      </div>
    </>
  );
}

function Entry({
  caseId,
  id,
  on,
  reason,
  reporter,
  detail,
  message,
  has_picture,
}: ReportEntry & { caseId: string }) {
  const t = useTexts();
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <div className="stack-sm">
        <h2>{t(`reason_${reason}`)}</h2>
        <p className="hint">
          <span className="num">{on}</span> · {reporter === null ? t("reporterGone") : t("by", { reporter })}
        </p>
      </div>
      {detail !== null && (
        <div className="stack-sm">
          <h3>{t("detail")}</h3>
          <p className={consoleStyles.quote}>{detail}</p>
        </div>
      )}
      {message && (
        <div className="stack-sm">
          <h3>{t("message")}</h3>
          <p className={consoleStyles.quote}>{message.text ?? t("messageWithoutText")}</p>
          <p className="hint num">{timeOf(message.sent_at)}</p>
        </div>
      )}
      {detail === null && message === null && <p className="muted">{t("withoutText")}</p>}
      {has_picture && <CasePicture id={caseId} entry={id} />}
    </section>
  );
}

/** Loaded on demand only: each look is logged. */
function CasePicture({ id, entry }: { id: string; entry?: string }) {
  const t = useTexts();
  const [jpeg, setJpeg] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const show = async () => {
    setBusy(true);
    const outcome = await attempt(() => api(readCasePicture, { id, ...(entry && { entry }) }));
    setBusy(false);
    if (outcome.problem) setFailure(outcome.problem.message || t("offline"));
    else setJpeg(outcome.value.jpeg);
  };
  return (
    <>
      {failure && <Note kind="danger">{failure}</Note>}
      {jpeg !== null && (
        <img
          className={consoleStyles.evidence}
          src={`data:image/jpeg;base64,${jpeg}`}
          alt={t("pictureAlt")}
        />
      )}
      <Button kind="quiet" busy={isBusy} onClick={() => (jpeg === null ? void show() : setJpeg(null))}>
        {jpeg === null ? t("showPicture") : t("hidePicture")}
      </Button>
    </>
  );
}

function CaseFacts(detail: CaseDetail) {
  const t = useTexts();
  const { kind, status, similar_to: similarTo, earlier } = detail;
  return (
    <Facts
      facts={[
        [
          t("reportedMember"),
          <span className="row" key="member">
            {detail.user_id} <Status status={status} />
          </span>,
        ],
        ...(kind === "picture" ? ([[t("similarTo"), similarTo]] as const) : []),
        [t("day"), detail.on],
        [t("earlier"), earlier.map((outcome) => t(`outcome_${outcome}`)).join(", ") || t("none")],
        [t("sameNetwork"), String(detail.same_network)],
      ]}
    />
  );
}

function DecisionForm() {
  const t = useTexts();
  const problem = useActionData<typeof decide>()?.problem;
  const isSaving = useNavigation().state === "submitting";
  const [outcome, setOutcome] = useState<string>("resolved");
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("decide")}</h2>
      <ProblemNote problem={problem} />
      <Form method="post" className="stack" noValidate>
        <Segmented
          legend={t("decide")}
          isLegendHidden
          name="outcome"
          choices={reportOutcomes.map((one) => [one, t(`outcome_${one}`)] as const)}
          value={outcome}
          onChange={setOutcome}
        />
        {outcome === "suspended" && <p className="hint">{t("suspendHint")}</p>}
        <TextArea
          label={t("decisionReason")}
          name="reason"
          rows={4}
          hint={t("decisionReasonHint")}
          error={problem?.fields["reason"]}
        />
        <Button type="submit" kind={outcome === "suspended" ? "danger" : "primary"} block busy={isSaving}>
          {t("close")}
        </Button>
      </Form>
      <Form method="post">
        <Button type="submit" name="intent" value="release" kind="ghost" block>
          {t("release")}
        </Button>
      </Form>
    </section>
  );
}
