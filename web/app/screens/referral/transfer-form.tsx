import { useRef, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { type Balance, transferBrokerage } from "@alcove/contract/referral";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { ApiError } from "../../lib/errors.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { settings } from "../../lib/settings.ts";
import { showError } from "../../lib/show-error.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useDollarText } from "./money.ts";

interface TransferFormProps {
  balance: Balance;
  /** Rendered below the email address. */
  reAuthentication: (isWrong: boolean) => ReactNode;
  reAuthenticate: (form: FormData) => Promise<boolean>;
  /** Called after a transfer, successful or not: the available amount may have changed. */
  onChange: () => Promise<void>;
}

/** Transfers the whole available amount after re-authentication and a confirmation. */
export function TransferForm({ balance, reAuthentication, reAuthenticate, onChange }: TransferFormProps) {
  const t = useTranslations("referral");
  const tr = useTranslations("errors");
  const dollars = useDollarText();
  const form = useRef<HTMLFormElement>(null);
  const { errors, show: showErrors, clear: clearErrors } = useFormErrors(form);
  const [isWrong, setWrong] = useState(false);
  const [email, setEmail] = useState("");
  const [isConfirming, setConfirming] = useState(false);
  const amount = dollars(balance.available);
  const isOff = settings.payments === "off";
  const isTooLittle = Math.round(balance.available * 100) < TRANSFER_MIN_CENTS;
  const isDisabled = isOff || isTooLittle;

  const confirm = useAction(async (fields: FormData, recipient: string) => {
    const isRight = await reAuthenticate(fields);
    setWrong(!isRight);
    setEmail(recipient);
    setConfirming(isRight);
    if (!isRight) form.current?.querySelector<HTMLInputElement>('input[name="proof"]')?.focus();
  });

  function handleSubmit(element: HTMLFormElement) {
    const fields = new FormData(element);
    fields.set("price", String(balance.available));
    const parsed = readForm(transferBrokerage.input, fields);
    if (!parsed.ok) return showErrors(parsed.errors);
    clearErrors();
    confirm.start(fields, parsed.value.email);
  }

  async function handleTransfer() {
    try {
      await api(transferBrokerage, { email, price: balance.available });
      banner.notify("referral.sent");
      form.current?.reset();
    } catch (error) {
      showError(error);
      if (!(error instanceof ApiError)) return setConfirming(false);
    }
    setConfirming(false);
    await onChange();
  }

  return (
    <section className="stack" aria-labelledby="transfer">
      <h2 id="transfer" tabIndex={-1}>
        {t("transferTitle")}
      </h2>
      {isDisabled && (
        <div className="note" id="no-transfer">
          <Icon name="info" />
          <p>{isOff ? tr("transfers_off") : t("tooLittle")}</p>
        </div>
      )}
      <Form className="stack" ref={form} noValidate onSubmit={handleSubmit}>
        <fieldset className="stack" disabled={isDisabled} aria-labelledby="transfer">
          <TextField
            label={t("email")}
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            hint={t("emailHint")}
            error={errorOf(errors, "email")}
            required
          />
          {reAuthentication(isWrong)}
          <div className="note note--lamp">
            <Icon name="alert" />
            <p>{t("noCancel")}</p>
          </div>
          <Button
            type="submit"
            block
            busy={confirm.isBusy}
            aria-describedby={isDisabled ? "no-transfer" : undefined}
          >
            {isTooLittle ? t("transfer") : t("transferAmount", { amount })}
          </Button>
        </fieldset>
      </Form>
      <ConfirmTransfer
        isOpen={isConfirming}
        email={email}
        amount={amount}
        onTransfer={handleTransfer}
        onClose={() => setConfirming(false)}
      />
    </section>
  );
}

interface ConfirmTransferProps {
  isOpen: boolean;
  email: string;
  amount: string;
  onTransfer: () => Promise<void>;
  onClose: () => void;
}

function ConfirmTransfer({ isOpen, email, amount, onTransfer, onClose }: ConfirmTransferProps) {
  const t = useTranslations("referral");
  const transfer = useAction(onTransfer);

  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t("confirmTransfer", { amount })}
      focusAfter={() => document.getElementById("transfer")}
    >
      <p>{t("confirmTransferText", { amount, email })}</p>
      <div className="sheet__actions">
        <Button busy={transfer.isBusy} onClick={transfer.start}>
          {t("transferAmount", { amount })}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("notNow")}
        </Button>
      </div>
    </Sheet>
  );
}
