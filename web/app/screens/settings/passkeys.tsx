import { useRef, useState } from "react";
import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { ResponseOf } from "@alcove/contract/call";
import {
  createRecoveryCodes,
  getPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
  setSecondFactor,
} from "@alcove/contract/passkeys";
import { submitProof, submitWithProof } from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api/api.ts";
import { actionResult, formResult, type FormResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { AddPasskey, submitNewPasskey } from "./add-passkey.tsx";
import { type Change, ConfirmChange, RenameSheet } from "./passkey-sheets.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SettingHead } from "./setting-head.tsx";
import listStyles from "../../ui/styles/list.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./passkeys.module.css";

export async function loader() {
  const [list, { user }] = await Promise.all([api(getPasskeys, {}), api(getOwnUser, {})]);
  return { ...list, user };
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = form.get("intent");
  if (intent === "add") return actionResult(await submitNewPasskey(form));
  if (intent === "rename") return actionResult(await submitForm(renamePasskey, form));
  if (intent === "codes")
    return actionResult<unknown>(await submitWithProof(form, (proof) => api(createRecoveryCodes, proof)));
  const proven = await submitProof(form);
  return actionResult<unknown>(proven.ok ? await submitChange(intent, form) : proven);
}

async function submitChange(intent: unknown, form: FormData): Promise<FormResult<unknown>> {
  if (intent === "remove") return submitForm(removePasskey, form);
  return formResult(() => api(setSecondFactor, { second_factor: intent === "second-on" }));
}

export default function PasskeysScreen() {
  const { user, passkeys, second_factor: isAsked, recovery_codes: left } = useLoaderData<typeof loader>();
  const t = useTranslations("passkeys");
  const title = useTranslations("settings")("passkeys");
  const codesTitle = useRef<HTMLHeadingElement>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [change, setChange] = useState<Change | null>(null);
  const [renamed, setRenamed] = useState<Passkey | null>(null);

  function handleDone(value: unknown): void {
    if (change?.intent === "codes") setCodes((value as ResponseOf<typeof createRecoveryCodes>).codes);
    setChange(null);
  }

  return (
    <div className="stack-lg form--narrow">
      <section className="stack">
        <SettingHead title={title} />
        <p className="muted">{t("lead")}</p>
        {passkeys.length === 0 ? (
          <p>{t("none")}</p>
        ) : (
          <ul className={listStyles.list} aria-label={t("yours")}>
            {passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRename={() => setRenamed(passkey)}
                onRemove={() => setChange({ intent: "remove", passkey, isLast: passkeys.length === 1 })}
              />
            ))}
          </ul>
        )}
      </section>
      {offersPasskeys() && <AddPasskey user={user} number={passkeys.length + 1} />}
      {passkeys.length > 0 && (
        <SecondFactor isAsked={isAsked} hasCodes={left > 0} onChange={(intent) => setChange({ intent })} />
      )}
      <section className="stack">
        <h2 ref={codesTitle} tabIndex={-1}>
          {t("codesTitle")}
        </h2>
        <p className="muted">{t("codesText")}</p>
        <p>{t("codesLeft", { count: left })}</p>
        <Button kind="quiet" block onClick={() => setChange({ intent: "codes", replaces: left > 0 })}>
          {t(left > 0 ? "replaceCodes" : "makeCodes")}
        </Button>
      </section>
      <ConfirmChange user={user} change={change} onDone={handleDone} onClose={() => setChange(null)} />
      <RenameSheet passkey={renamed} onClose={() => setRenamed(null)} />
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} focusAfter={() => codesTitle.current} />
    </div>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey: { name, created_on, used_on }, onRename, onRemove }: PasskeyRowProps) {
  const t = useTranslations("passkeys");
  const day = (used_on ?? created_on).replaceAll("-", "/");
  return (
    <li className={listStyles.row}>
      <Icon name="passkey" />
      <span>
        {name}
        <span className="hint">{t(used_on ? "usedOn" : "notUsed", { day })}</span>
      </span>
      <div className={styles.actions}>
        <Button kind="ghost" small aria-label={t("renameName", { name })} onClick={onRename}>
          {t("rename")}
        </Button>
        <Button kind="quiet" small aria-label={t("removeName", { name })} onClick={onRemove}>
          {t("remove")}
        </Button>
      </div>
    </li>
  );
}

interface SecondFactorProps {
  isAsked: boolean;
  hasCodes: boolean;
  onChange: (intent: "second-on" | "second-off") => void;
}

/** A member without their passkeys needs a code, so the codes come first. */
function SecondFactor({ isAsked, hasCodes, onChange }: SecondFactorProps) {
  const t = useTranslations("passkeys");
  return (
    <section className="stack">
      <h2>{t("second")}</h2>
      <p>{t(isAsked ? "secondIsOn" : "secondIsOff")}</p>
      {!isAsked && <p className="muted">{t("secondHint")}</p>}
      {isAsked || hasCodes ? (
        <Button kind="quiet" block onClick={() => onChange(isAsked ? "second-off" : "second-on")}>
          {t(isAsked ? "secondOff" : "secondOn")}
        </Button>
      ) : (
        <div className={noteStyles.note}>
          <Icon name="info" />
          <p>{t("secondNeedsCodes")}</p>
        </div>
      )}
    </section>
  );
}
