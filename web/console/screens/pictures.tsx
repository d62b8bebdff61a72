import { useState } from "react";
import { useFetcher, useLoaderData, useRevalidator, type ActionFunctionArgs } from "react-router";
import { caseRules } from "@alcove/contract/cases";
import {
  approvePicture,
  getNewPictures,
  type NewPicture,
  openPicture,
  removeNewPicture,
} from "@alcove/contract/console-pictures";
import { Button } from "../../app/ui/button.tsx";
import { classNames } from "../../app/ui/class-names.ts";
import { Empty } from "../../app/ui/empty.tsx";
import { SelectField, TextField } from "../../app/ui/forms/field.tsx";
import badgeStyles from "../../app/ui/styles/badge.module.css";
import cardStyles from "../../app/ui/styles/card.module.css";
import { api, attempt, formInput } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, Note, ProblemNote } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import consoleStyles from "../console.module.css";

export const loadPictures = () => api(getNewPictures, {});

export async function decidePicture({ request }: ActionFunctionArgs) {
  const data = await request.formData();
  if (data.get("intent") === "remove")
    return attempt(() => api(removeNewPicture, formInput<typeof removeNewPicture>(data)));
  return attempt(() => api(approvePicture, { id: data.get("id") as string }));
}

export function PicturesScreen() {
  const t = useTexts();
  const { pictures } = useLoaderData<typeof loadPictures>();
  const { revalidate, state } = useRevalidator();
  return (
    <>
      <div className="row between">
        <Heading>{t("pictures")}</Heading>
        <Button kind="quiet" small busy={state === "loading"} onClick={() => void revalidate()}>
          {t("refresh")}
        </Button>
      </div>
      {pictures.length === 0 ? (
        <Empty title={t("noPictures")} text={t("noPicturesText")} />
      ) : (
        <>
          <p className="muted small">{t("picturesLead")}</p>
          <ul className={consoleStyles.tiles}>
            {pictures.map((picture) => (
              <Picture key={picture.id} {...picture} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface Opened {
  readonly user_id: string;
  readonly jpeg: string;
}

/** Veiled until it is opened: each look is logged. */
function Picture({ id, on, risk, waits }: NewPicture) {
  const t = useTexts();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const open = async () => {
    setBusy(true);
    const outcome = await attempt(() => api(openPicture, { id }));
    setBusy(false);
    if (outcome.problem) setFailure(outcome.problem.message || t("offline"));
    else setOpened(outcome.value);
  };
  return (
    <li className={classNames(cardStyles.card, "stack")}>
      <div className="row between">
        <span className={classNames(badgeStyles.badge, risk === "near_banned" && badgeStyles.lamp)}>
          {t(`risk_${risk}`)}
        </span>
        <span className="hint num">{dayOf(on)}</span>
      </div>
      {waits && <p className="hint">{t("pictureWaits")}</p>}
      {failure && <Note kind="danger">{failure}</Note>}
      {opened ? (
        <>
          <img
            className={consoleStyles.evidence}
            src={`data:image/jpeg;base64,${opened.jpeg}`}
            alt={t("pictureOf", { userId: opened.user_id })}
          />
          <p>{opened.user_id}</p>
          <Decision id={id} />
        </>
      ) : (
        <>
          <span className={consoleStyles.veil} aria-hidden="true" />
          <Button
            kind="quiet"
            busy={isBusy}
            onClick={() => void open()}
            aria-label={`${t("showPicture")}, ${dayOf(on)}`}
          >
            {t("showPicture")}
          </Button>
        </>
      )}
    </li>
  );
}

function Decision({ id }: { id: string }) {
  const t = useTexts();
  const approval = useFetcher<typeof decidePicture>();
  const removal = useFetcher<typeof decidePicture>();
  const [isRemoving, setRemoving] = useState(false);
  const problem = removal.data?.problem;
  return (
    <>
      <ProblemNote problem={approval.data?.problem ?? problem} />
      <approval.Form method="post">
        <input type="hidden" name="id" value={id} />
        <Button type="submit" block busy={approval.state !== "idle"}>
          {t("approvePicture")}
        </Button>
      </approval.Form>
      {isRemoving ? (
        <removal.Form method="post" className="stack" noValidate>
          <input type="hidden" name="id" value={id} />
          <SelectField
            label={t("rule")}
            name="rule"
            defaultValue="picture"
            choices={caseRules.map((rule) => [rule, t(`rule_${rule}`)] as const)}
          />
          <TextField
            label={t("decisionReason")}
            name="reason"
            autoComplete="off"
            error={problem?.fields["reason"]}
          />
          <Button
            type="submit"
            name="intent"
            value="remove"
            kind="danger"
            block
            busy={removal.state !== "idle"}
          >
            {t("removePicture")}
          </Button>
        </removal.Form>
      ) : (
        <Button kind="ghost" block onClick={() => setRemoving(true)}>
          {t("removePicture")}
        </Button>
      )}
    </>
  );
}
