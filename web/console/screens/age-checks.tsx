import { Form, redirect, useActionData, useLoaderData, useNavigation } from "react-router";
import type { ActionFunctionArgs } from "react-router";
import { ageCheckOutcomes, decideAgeCheck, getAgeChecks, openAgeCheck } from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import { api, attempt, formInput, pathLanguage } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, Facts, ProblemNote, QueueRow } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import listStyles from "../../app/ui/styles/list.module.css";
import consoleStyles from "../console.module.css";

export const loadAgeChecks = () => api(getAgeChecks, {});

export function AgeChecksScreen() {
  const t = useTexts();
  const { checks } = useLoaderData<typeof loadAgeChecks>();
  return (
    <>
      <Heading>{t("ageChecks")}</Heading>
      {checks.length === 0 ? (
        <Empty title={t("noAgeChecks")} text={t("noAgeChecksText")} />
      ) : (
        <>
          <p className="muted small">{t("ageChecksLead")}</p>
          <ul className={listStyles.list}>
            {checks.map(({ id, on }) => (
              <QueueRow key={id} id={id} action={t("take")} about={dayOf(on)}>
                {t("document")} <span className="hint num">{dayOf(on)}</span>
              </QueueRow>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The server logs the look before it returns the picture. */
export const loadAgeCheck = ({ params }: { params: { id?: string } }) =>
  api(openAgeCheck, { id: params.id ?? "" });

export async function decideCheck({ request, params }: ActionFunctionArgs) {
  const input = { ...formInput<typeof decideAgeCheck>(await request.formData()), id: params["id"] ?? "" };
  const { problem } = await attempt(() => api(decideAgeCheck, input));
  return problem ? { problem } : redirect(`/${pathLanguage()}/age-checks`);
}

export function AgeCheckScreen() {
  const t = useTexts();
  const { check } = useLoaderData<typeof loadAgeCheck>();
  const problem = useActionData<typeof decideCheck>()?.problem;
  const navigation = useNavigation();
  const isSaving = (outcome: string) => navigation.formData?.get("outcome") === outcome;
  return (
    <>
      <Heading hasUserId>{t("ageCheckOf", { userId: check.user_id })}</Heading>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <section className={classNames(cardStyles.card, "stack")}>
          <img
            className={consoleStyles.evidence}
            src={`data:image/jpeg;base64,${check.jpeg}`}
            alt={t("document")}
          />
        </section>
        <section className={classNames(cardStyles.card, "stack")}>
          <Facts
            facts={[
              [t("bornOn"), check.date_of_birth],
              [t("sentOn"), dayOf(check.on)],
            ]}
          />
          <p className="hint">{t("ageCheckHint")}</p>
          <ProblemNote problem={problem} />
          <Form method="post" className="stack">
            {ageCheckOutcomes.map((outcome) => (
              <Button
                key={outcome}
                type="submit"
                name="outcome"
                value={outcome}
                kind={outcome === "approved" ? "primary" : "quiet"}
                block
                busy={isSaving(outcome)}
              >
                {t(`ageCheck_${outcome}`)}
              </Button>
            ))}
          </Form>
        </section>
      </div>
    </>
  );
}
