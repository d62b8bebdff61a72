import { Form, redirect, useActionData, useLoaderData, useNavigation } from "react-router";
import type { ActionFunctionArgs } from "react-router";
import {
  decideMailboxRequest,
  getMailboxRequests,
  openMailboxRequest,
} from "@alcove/contract/console-mailboxes";
import { Button } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import { TextArea } from "../../app/ui/forms/field.tsx";
import { api, attempt, formInput, pathLanguage } from "../api.ts";
import { Heading } from "../frame.tsx";
import { Facts, Note, ProblemNote, QueueRow } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import listStyles from "../../app/ui/styles/list.module.css";
import consoleStyles from "../console.module.css";

export const loadMailboxes = () => api(getMailboxRequests, {});

export function MailboxesScreen() {
  const t = useTexts();
  const { requests } = useLoaderData<typeof loadMailboxes>();
  return (
    <>
      <Heading>{t("mailboxes")}</Heading>
      {requests.length === 0 ? (
        <Empty title={t("noMailboxes")} text={t("noMailboxesText")} />
      ) : (
        <>
          <p className="muted small">{t("mailboxesLead")}</p>
          <ul className={listStyles.list}>
            {requests.map(({ id, asked_on, due_on, told, is_due }) => (
              <QueueRow key={id} id={id} action={t("take")} about={asked_on}>
                {is_due ? t("mailboxDue") : t("mailboxDueOn", { day: due_on })}{" "}
                <span className="hint num">{t("mailboxAsked", { day: asked_on, told })}</span>
              </QueueRow>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The server logs the look before it returns the proofs. */
export const loadMailbox = ({ params }: { params: { id?: string } }) =>
  api(openMailboxRequest, { id: params.id ?? "" });

export async function decideMailbox({ request, params }: ActionFunctionArgs) {
  const input = {
    ...formInput<typeof decideMailboxRequest>(await request.formData()),
    id: params["id"] ?? "",
  };
  const done = await attempt(() => api(decideMailboxRequest, input));
  if (done.problem) return { problem: done.problem };
  return done.value.outcome === "waiting" ? { problem: null } : redirect(`/${pathLanguage()}/mailboxes`);
}

export function MailboxScreen() {
  const t = useTexts();
  const { request } = useLoaderData<typeof loadMailbox>();
  const outcome = useActionData<typeof decideMailbox>();
  const navigation = useNavigation();
  const isSaving = (name: string) => navigation.formData?.get("outcome") === name;
  return (
    <>
      <Heading hasUserId>{t("mailboxOf", { userId: request.user_id })}</Heading>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <section className={classNames(cardStyles.card, "stack")}>
          <Facts
            facts={[
              [t("newEmail"), request.email],
              [t("orderNumber"), request.order ?? "–"],
              [t("mailboxTold"), `${request.told} / 3`],
              [t("mailboxDueDay"), request.due_on],
            ]}
          />
          <p style={{ whiteSpace: "pre-wrap" }}>{request.text}</p>
        </section>
        <section className={classNames(cardStyles.card, "stack")}>
          <p className="hint">{t("mailboxHint")}</p>
          {outcome?.problem === null && <Note>{t("waitsForSecond")}</Note>}
          <ProblemNote problem={outcome?.problem} />
          <Form method="post" className="stack" noValidate>
            <TextArea
              label={t("changeReason")}
              name="reason"
              rows={3}
              error={outcome?.problem?.fields["reason"]}
            />
            {request.is_due && (
              <Button type="submit" name="outcome" value="set" kind="danger" block busy={isSaving("set")}>
                {t("mailboxSet")}
              </Button>
            )}
            <Button type="submit" name="outcome" value="reject" kind="quiet" block busy={isSaving("reject")}>
              {t("mailboxReject")}
            </Button>
          </Form>
        </section>
      </div>
    </>
  );
}
