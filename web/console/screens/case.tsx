import { useState } from "react";
import {
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
} from "react-router";
import type { ResponseOf } from "@alcove/contract/call";
import { caseDecisions, caseRules, removableContents } from "@alcove/contract/cases";
import {
  type CaseDetail,
  type CaseEntry,
  decideCase,
  decideCaseAppeal,
  objectToNotice,
  openCase,
  readCaseEvidence,
  readCasePicture,
  releaseCase,
} from "@alcove/contract/console";
import { saveText } from "../../app/ui/save-text.ts";
import { Button, buttonClass } from "../../app/ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../app/ui/forms/field.tsx";
import { Segmented } from "../../app/ui/forms/segmented.tsx";
import { api, attempt, formInput, pathLanguage } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, Facts, Note, ProblemNote, Status, timeOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import consoleStyles from "../console.module.css";
import cardStyles from "../../app/ui/styles/card.module.css";

/** Takes the case, which the server logs before it returns the content. */
export const loadCase = ({ params }: { params: { id?: string } }) => api(openCase, { id: params.id ?? "" });

export async function decide({ request, params }: ActionFunctionArgs) {
  const data = await request.formData();
  const id = params["id"] ?? "";
  const { problem } = await attempt(async () => {
    const intent = data.get("intent");
    if (intent === "release") return api(releaseCase, { id });
    if (intent === "object") return api(objectToNotice, { ...formInput<typeof objectToNotice>(data), id });
    if (intent === "appeal")
      return api(decideCaseAppeal, { ...formInput<typeof decideCaseAppeal>(data), id });
    return api(decideCase, { ...formInput<typeof decideCase>(data), id });
  });
  return problem ? { problem } : redirect(`/${pathLanguage()}/cases`);
}

export function CaseScreen() {
  const t = useTexts();
  const { case: detail } = useLoaderData<typeof loadCase>();
  const { kind, user_id: userId } = detail;
  const isAppealed = detail.decisions.some((one) => one.appeal_state === "open");
  return (
    <>
      <Heading hasUserId>
        {userId === null ? t(`kind_${kind}`) : t("caseOf", { kind: t(`kind_${kind}`), userId })}
      </Heading>
      <p className="muted small">
        <span className="num">{detail.id}</span> ·{" "}
        {t("yoursUntil", { time: timeOf(detail.claimed_until).slice(11) })}
      </p>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <div className="stack">
          {detail.decisions.map((decision) => (
            <Decided key={decision.effective_at} {...decision} />
          ))}
          {detail.entries.map((entry) => (
            <Entry key={entry.id} caseId={detail.id} {...entry} />
          ))}
          {detail.entries.some((entry) => entry.kind === "chat") && <EvidenceFile id={detail.id} />}
          <section className={classNames(cardStyles.card, "stack")}>
            <CaseFacts {...detail} />
            {userId !== null && detail.status !== "deleted" && (
              <Link
                className={buttonClass({ kind: "quiet", small: true })}
                to={`../member?case=${detail.id}`}
              >
                {t("lookUpForCase")}
              </Link>
            )}
          </section>
        </div>
        {isAppealed ? <AppealForm /> : detail.is_closed ? <Closed {...detail} /> : <DecisionForm />}
      </div>
    </>
  );
}

function Decided({ decision, rule, reason, effective_at, appeal }: CaseDetail["decisions"][number]) {
  const t = useTexts();
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <div className="stack-sm">
        <h2>{t(`decision_${decision}`)}</h2>
        <p className="hint">
          {t(`rule_${rule}`)} · <span className="num">{timeOf(effective_at)}</span>
        </p>
      </div>
      {reason !== null && <p className={consoleStyles.quote}>{reason}</p>}
      {appeal !== null && (
        <div className="stack-sm">
          <h3>{t("appeal")}</h3>
          <p className={consoleStyles.quote}>{appeal}</p>
        </div>
      )}
    </section>
  );
}

function Entry({ caseId, ...entry }: CaseEntry & { caseId: string }) {
  const t = useTexts();
  const { id, on, reason, reporter, detail, contest, kind, text, sent_at: sentAt, lines } = entry;
  const isEmpty = detail === null && kind === null;
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <div className="stack-sm">
        <h2>{reason === null ? t(`evidence_${kind ?? "text"}`) : t(`reason_${reason}`)}</h2>
        {on !== null && (
          <p className="hint">
            <span className="num">{dayOf(on)}</span> ·{" "}
            {reporter === null ? t("reporterGone") : t("by", { reporter })}
          </p>
        )}
      </div>
      {detail !== null && <Quote title={t("detail")}>{detail}</Quote>}
      {contest !== null && <Quote title={t("contest")}>{contest}</Quote>}
      {kind !== null && (text !== null || kind === "message") && (
        <Quote title={reason === null ? null : t(`evidence_${kind}`)}>
          {text ?? t("messageWithoutText")}
        </Quote>
      )}
      {entry.voice_text !== null && <Quote title={t("voiceText")}>{entry.voice_text}</Quote>}
      {sentAt !== null && <p className="hint num">{timeOf(sentAt)}</p>}
      {lines.length > 0 && <Chat lines={lines} />}
      {isEmpty && <p className="muted">{t("withoutText")}</p>}
      {Array.from({ length: entry.pictures }, (_, place) => (
        <CaseFile
          key={place}
          id={caseId}
          entry={id}
          place={place}
          isVoice={entry.voice_notes.includes(place)}
        />
      ))}
    </section>
  );
}

/** Without a title where it would repeat the heading above. */
function Quote({ title, children }: { title: string | null; children: string }) {
  return (
    <div className="stack-sm">
      {title !== null && <h3>{title}</h3>}
      <p className={consoleStyles.quote}>{children}</p>
    </div>
  );
}

function Chat({ lines }: Pick<CaseEntry, "lines">) {
  const t = useTexts();
  return (
    <div className="stack-sm">
      <h3>{t("evidence_chat")}</h3>
      <ol className={classNames(consoleStyles.quote, consoleStyles.chat)}>
        {lines.map((line) => (
          <li key={line.sent_at + (line.text ?? "")}>
            <span className="hint num">{timeOf(line.sent_at)}</span> {line.text}
            {line.has_picture && <span className="hint"> [{t("pictureAlt")}]</span>}
            {line.has_voice && <span className="hint"> [{t("voiceNote")}]</span>} {line.voice_text}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface CaseFileProps {
  id: string;
  entry: string;
  place: number;
  isVoice: boolean;
}

/** Loaded on demand only: each look is logged. */
function CaseFile({ id, entry, place, isVoice }: CaseFileProps) {
  const t = useTexts();
  const [file, setFile] = useState<ResponseOf<typeof readCasePicture> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const show = async () => {
    setBusy(true);
    const outcome = await attempt(() => api(readCasePicture, { id, entry, place }));
    setBusy(false);
    if (outcome.problem) setFailure(outcome.problem.message || t("offline"));
    else setFile(outcome.value);
  };
  return (
    <>
      {failure && <Note kind="danger">{failure}</Note>}
      {file?.jpeg != null && (
        <img
          className={consoleStyles.evidence}
          src={`data:image/jpeg;base64,${file.jpeg}`}
          alt={t("pictureAlt")}
        />
      )}
      {file?.wav != null && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- its sender may have written a text, which stands above
        <audio controls aria-label={t("voiceNote")} src={`data:audio/wav;base64,${file.wav}`} />
      )}
      <Button kind="quiet" busy={isBusy} onClick={() => (file === null ? void show() : setFile(null))}>
        {file === null ? t(isVoice ? "playVoice" : "showPicture") : t(isVoice ? "hideVoice" : "hidePicture")}
      </Button>
    </>
  );
}

function EvidenceFile({ id }: { id: string }) {
  const t = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    const outcome = await attempt(() => api(readCaseEvidence, { id }));
    setBusy(false);
    if (outcome.problem) setFailure(outcome.problem.message || t("offline"));
    else saveText(outcome.value.file, `${id}.txt`);
  };
  return (
    <>
      {failure && <Note kind="danger">{failure}</Note>}
      <Button kind="quiet" busy={isBusy} onClick={() => void save()}>
        {t("evidenceFile")}
      </Button>
    </>
  );
}

function CaseFacts(detail: CaseDetail) {
  const t = useTexts();
  const { status, user_id: userId, name, similar_to: similarTo, earlier } = detail;
  return (
    <Facts
      facts={[
        [
          t("reportedMember"),
          <span className="row" key="member">
            {userId === null ? t("none") : `${userId} (${name ?? ""})`} {status && <Status status={status} />}
          </span>,
        ],
        ...(similarTo === null ? [] : ([[t("similarTo"), similarTo]] as const)),
        ...(detail.related.length === 0
          ? []
          : ([
              [t(userId === null ? "foundCases" : "noticeOfCase"), <Related key="related" {...detail} />],
            ] as const)),
        [t("day"), dayOf(detail.on)],
        [t("earlier"), earlier.map((decision) => t(`decision_${decision}`)).join(", ") || t("none")],
        [t("sameNetwork"), String(detail.same_network)],
      ]}
    />
  );
}

function Related({ related }: CaseDetail) {
  return (
    <span className="row num">
      {related.map((id) => (
        <Link key={id} to={`../cases/${id}`}>
          {id}
        </Link>
      ))}
    </span>
  );
}

function DecisionForm() {
  const t = useTexts();
  const problem = useActionData<typeof decide>()?.problem;
  const isSaving = useNavigation().state === "submitting";
  const [decision, setDecision] = useState<string>("");
  const isHard = decision === "suspend" || decision === "ban";
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("decide")}</h2>
      <ProblemNote problem={problem} />
      <Form method="post" className="stack" noValidate>
        <SelectField
          label={t("decide")}
          name="decision"
          choices={[["", t("choose")], ...caseDecisions.map((one) => [one, t(`decision_${one}`)] as const)]}
          value={decision}
          onChange={(event) => setDecision(event.target.value)}
          error={problem?.fields["decision"]}
        />
        {decision === "none" ? (
          <input type="hidden" name="rule" value="other" />
        ) : (
          <SelectField
            label={t("rule")}
            name="rule"
            choices={[["", t("choose")], ...caseRules.map((one) => [one, t(`rule_${one}`)] as const)]}
            error={problem?.fields["rule"]}
          />
        )}
        {decision === "remove" && (
          <SelectField
            label={t("content")}
            name="content"
            choices={removableContents.map((one) => [one, t(`content_${one}`)] as const)}
            error={problem?.fields["content"]}
          />
        )}
        {(decision === "limit" || decision === "suspend") && (
          <TextField
            label={t(decision === "limit" ? "limitDays" : "suspendDays")}
            name="days"
            inputMode="numeric"
            error={problem?.fields["days"]}
          />
        )}
        {decision !== "" && decision !== "none" && <p className="hint">{t("announcedHint")}</p>}
        <TextArea
          label={t("decisionReason")}
          name="reason"
          rows={4}
          hint={t("decisionReasonHint")}
          error={problem?.fields["reason"]}
        />
        <Button type="submit" kind={isHard ? "danger" : "primary"} block busy={isSaving}>
          {t("close")}
        </Button>
      </Form>
      <ReleaseForm />
    </section>
  );
}

function AppealForm() {
  const t = useTexts();
  const problem = useActionData<typeof decide>()?.problem;
  const isSaving = useNavigation().state === "submitting";
  const [outcome, setOutcome] = useState<string>("");
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("appeal")}</h2>
      <ProblemNote problem={problem} />
      <Form method="post" className="stack" noValidate>
        <Segmented
          legend={t("appeal")}
          isLegendHidden
          name="outcome"
          choices={[
            ["uphold", t("uphold")],
            ["reverse", t("reverse")],
          ]}
          value={outcome}
          onChange={setOutcome}
        />
        <TextArea
          label={t("decisionReason")}
          name="reason"
          rows={4}
          hint={t("decisionReasonHint")}
          error={problem?.fields["reason"]}
        />
        <Button type="submit" name="intent" value="appeal" block busy={isSaving}>
          {t("close")}
        </Button>
      </Form>
      <ReleaseForm />
    </section>
  );
}

function Closed({ can_object: canObject }: CaseDetail) {
  const t = useTexts();
  const problem = useActionData<typeof decide>()?.problem;
  const isSaving = useNavigation().state === "submitting";
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <p>{t("closed")}</p>
      {canObject && (
        <Form method="post" className="stack" noValidate>
          <div className="stack-sm">
            <h2>{t("object")}</h2>
            <p className="hint">{t("objectLead")}</p>
          </div>
          <ProblemNote problem={problem} />
          <TextArea label={t("objectText")} name="text" rows={6} error={problem?.fields["text"]} />
          <Button type="submit" name="intent" value="object" block busy={isSaving}>
            {t("openAgain")}
          </Button>
        </Form>
      )}
      <ReleaseForm />
    </section>
  );
}

function ReleaseForm() {
  const t = useTexts();
  return (
    <Form method="post">
      <Button type="submit" name="intent" value="release" kind="ghost" block>
        {t("release")}
      </Button>
    </Form>
  );
}
