import { useRef, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { type Balance, transferBrokerage } from "@alcove/contract/referral";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import { showError } from "../../lib/show-error.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { settings } from "../../lib/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useDollarText } from "./money.ts";

interface TransferFormProps {
  balance: Balance;
  /** Asks who it is, below the address. */
  reAuthentication: (isWrong: boolean) => ReactNode;
  reAuthenticate: (form: FormData) => Promise<boolean>;
  /** After a transfer, done or refused: what is available may have changed. */
  onChange: () => Promise<void>;
}

/** Sends all that is available to a PayPal account: asks where to, who it is, and then whether it is sure. */
export function TransferForm({ balance, reAuthentication, reAuthenticate, onChange }: TransferFormProps) {
  const t = useTranslations("referral");
  const tr = useTranslations("errors");
  const dollars = useDollarText();
  const form = useRef<HTMLFormElement>(null);
  const { errors, show, clear } = useFormErrors(form);
  const [isWrong, setWrong] = useState(false);
  const [email, setEmail] = useState("");
  const [isAsking, setAsking] = useState(false);
  const amount = dollars(balance.available);
  const isOff = settings.payments === "off";
  const isTooLittle = Math.round(balance.available * 100) < TRANSFER_MIN_CENTS;
  const isDisabled = isOff || isTooLittle;

  const prove = useAction(async (fields: FormData, to: string) => {
    const isRight = await reAuthenticate(fields);
    setWrong(!isRight);
    setEmail(to);
    setAsking(isRight);
    if (!isRight) form.current?.querySelector<HTMLInputElement>('input[name="proof"]')?.focus();
  });

  function handleSubmit(sent: HTMLFormElement) {
    const fields = new FormData(sent);
    fields.set("price", String(balance.available));
    const reading = readForm(transferBrokerage.input, fields);
    if (!reading.ok) return show(reading.errors);
    clear();
    prove.start(fields, reading.value.email);
  }

  async function handleTransfer() {
    try {
      await api(transferBrokerage, { email, price: balance.available });
      banner.notify("referral.sent");
      form.current?.reset();
    } catch (error) {
      showError(error);
      if (!(error instanceof ApiError)) return setAsking(false);
    }
    setAsking(false);
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
            busy={prove.isBusy}
            aria-describedby={isDisabled ? "no-transfer" : undefined}
          >
            {isTooLittle ? t("transfer") : t("transferAmount", { amount })}
          </Button>
        </fieldset>
      </Form>
      <ConfirmTransfer
        isOpen={isAsking}
        email={email}
        amount={amount}
        onTransfer={handleTransfer}
        onClose={() => setAsking(false)}
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
