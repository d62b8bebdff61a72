import { useState } from "react";
import { type ActionFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import {
  type CorrectedField,
  type Correction,
  correctedFields,
  getCorrections,
  requestCorrection,
} from "@alcove/contract/corrections";
import { useProfileChoices } from "../../features/profile-form/choices.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { SelectField, TextArea, TextField } from "../../ui/forms/field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import listStyles from "../../ui/styles/list.module.css";
import { SettingHead } from "./setting-head.tsx";

export async function loader() {
  const [{ corrections }, { user }] = await Promise.all([api(getCorrections, {}), api(getOwnUser, {})]);
  return { corrections, sex: user.sex };
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(requestCorrection, await request.formData()));
}

export { reloadWhenDone as shouldRevalidate } from "../../lib/forms/submit-form.ts";

/** Sex and date of birth, each once, by an operator. */
export default function CorrectionsScreen() {
  const { corrections } = useLoaderData<typeof loader>();
  const t = useTranslations("corrections");
  const title = useTranslations("settings")("corrections");
  const isWaiting = corrections.some(({ state }) => state === "waiting");
  const open = correctedFields.filter(
    (field) => !corrections.some((row) => row.field === field && row.state === "done"),
  );
  return (
    <div className="stack">
      <SettingHead title={title} />
      <p className="muted">{t("lead")}</p>
      {corrections.length > 0 && (
        <ul className={listStyles.list}>
          {corrections.map((correction) => (
            <Row key={correction.field} {...correction} />
          ))}
        </ul>
      )}
      {!isWaiting && open.length > 0 && <RequestForm key={open.join()} open={open} />}
      {open.length === 0 && <p>{t("allDone")}</p>}
    </div>
  );
}

function Row({ field, state, changed_on: on }: Correction) {
  const t = useTranslations("corrections");
  return (
    <li className={listStyles.row}>
      <Icon name={state === "done" ? "check" : "info"} />
      <span>
        {t(`field_${field}`)}
        <span className="hint">{t(state, { day: on.replaceAll("-", "/") })}</span>
      </span>
    </li>
  );
}

function RequestForm({ open }: { open: readonly CorrectedField[] }) {
  const t = useTranslations("corrections");
  const { sex: present } = useLoaderData<typeof loader>();
  const { sexes } = useProfileChoices();
  const [field, setField] = useState(open[0]!);
  const { revalidate } = useRevalidator();
  const form = useForm<unknown>({
    check: (fields) => ({
      ...pickErrors(requestCorrection, fields, [field, "reason"]),
      ...(fields.get(field) === "" && { [field]: ["required"] }),
    }),
    async onDone() {
      banner.notify("corrections.sent");
      await revalidate();
    },
  });
  return (
    <Form {...form.props} className="stack">
      {open.length > 1 && (
        <Segmented
          legend={t("which")}
          name="which"
          choices={open.map((one) => [one, t(`field_${one}`)])}
          value={field}
          onChange={(chosen) => setField(chosen as CorrectedField)}
        />
      )}
      {field === "sex" ? (
        <SelectField
          label={t("sex")}
          name="sex"
          choices={sexes}
          defaultValue={sexes.find(([value]) => value !== present)?.[0]}
          required
          {...form.errorsOf("sex")}
        />
      ) : (
        <TextField
          label={t("date_of_birth")}
          name="date_of_birth"
          type="date"
          autoComplete="bday"
          required
          {...form.errorsOf("date_of_birth")}
        />
      )}
      <TextArea
        label={t("reason")}
        hint={t("reasonHint")}
        name="reason"
        rows={3}
        required
        {...form.errorsOf("reason")}
      />
      <Button type="submit" block busy={form.isBusy}>
        {t("send")}
      </Button>
    </Form>
  );
}
