import { Form, redirect, useActionData, useLoaderData, useNavigation } from "react-router";
import type { ActionFunctionArgs } from "react-router";
import {
  correctionOutcomes,
  decideCorrection,
  getCorrections,
  openCorrection,
} from "@alcove/contract/console-corrections";
import { Button } from "../../app/ui/button.tsx";
import { Empty } from "../../app/ui/empty.tsx";
import { api, attempt, formInput, pathLanguage } from "../api.ts";
import { Heading } from "../frame.tsx";
import { Facts, ProblemNote, QueueRow } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import listStyles from "../../app/ui/styles/list.module.css";

export const loadCorrections = () => api(getCorrections, {});

export function CorrectionsScreen() {
  const t = useTexts();
  const { corrections } = useLoaderData<typeof loadCorrections>();
  return (
    <>
      <Heading>{t("corrections")}</Heading>
      {corrections.length === 0 ? (
        <Empty title={t("noCorrections")} text={t("noCorrectionsText")} />
      ) : (
        <ul className={listStyles.list}>
          {corrections.map(({ id, on, field }) => (
            <QueueRow key={id} id={id} action={t("take")} about={`${t(`corrected_${field}`)}, ${on}`}>
              {t(`corrected_${field}`)} <span className="hint num">{on}</span>
            </QueueRow>
          ))}
        </ul>
      )}
    </>
  );
}

/** The server logs the look before it returns the request. */
export const loadCorrection = ({ params }: { params: { id?: string } }) =>
  api(openCorrection, { id: params.id ?? "" });

export async function handleCorrection({ request, params }: ActionFunctionArgs) {
  const input = { ...formInput<typeof decideCorrection>(await request.formData()), id: params["id"] ?? "" };
  const { problem } = await attempt(() => api(decideCorrection, input));
  return problem ? { problem } : redirect(`/${pathLanguage()}/corrections`);
}

export function CorrectionScreen() {
  const t = useTexts();
  const { correction } = useLoaderData<typeof loadCorrection>();
  const { user_id: userId, field, now, wanted, reason, on } = correction;
  const problem = useActionData<typeof handleCorrection>()?.problem;
  const navigation = useNavigation();
  const shown = (value: string) =>
    field === "sex" ? t(value === "female" ? "corrected_female" : "corrected_male") : value;
  return (
    <>
      <Heading hasUserId>{t("correctionOf", { userId })}</Heading>
      <section className={classNames(cardStyles.card, "stack")}>
        <Facts
          facts={[
            [t("correctedField"), t(`corrected_${field}`)],
            [t("correctedNow"), shown(now)],
            [t("correctedWanted"), shown(wanted)],
            [t("correctedReason"), reason],
            [t("sentOn"), on],
          ]}
        />
        <p className="hint">{t("correctionHint")}</p>
        <ProblemNote problem={problem} />
        <Form method="post" className="stack">
          {correctionOutcomes.map((outcome) => (
            <Button
              key={outcome}
              type="submit"
              name="outcome"
              value={outcome}
              kind={outcome === "done" ? "primary" : "quiet"}
              block
              busy={navigation.formData?.get("outcome") === outcome}
            >
              {t(`correction_${outcome}`)}
            </Button>
          ))}
        </Form>
      </section>
    </>
  );
}
