import { useState } from "react";
import { useTranslations } from "use-intl";
import { TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { type Balance, transferBrokerage } from "@alcove/contract/referral";
import type { User } from "@alcove/contract/users";
import {
  FIELD_NAME,
  ReAuthenticationField,
  useProofCheck,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { useDollarText } from "../../lib/dates-and-units/money.ts";
import { banner } from "../../lib/page/banner.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { settings } from "../../lib/page/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";

interface TransferFormProps {
  balance: Balance;
  user: User;
  /** Called after a rejected transfer: the available amount may have changed. */
  onRejected: () => void;
}

/** Transfers the whole available amount after re-authentication and a confirmation. Without enough money only the reason shows. */
export function TransferForm({ balance, user, onRejected }: TransferFormProps) {
  const t = useTranslations("referral");
  const tm = useTranslations("membership");
  const dollars = useDollarText();
  const [recipient, setRecipient] = useState("");
  const [isConfirming, setConfirming] = useState(false);
  const amount = dollars(balance.available);
  const reason = useReasonToWait(balance);
  const checkProof = useProofCheck(user);
  const form = useForm<unknown>({
    check: (fields) => ({ ...pickErrors(transferBrokerage, fields, ["email"]), ...checkProof(fields) }),
    complete(fields) {
      fields.set("intent", "confirm");
      setRecipient((fields.get("email") as string).trim());
    },
    onDone: () => setConfirming(true),
  });

  return (
    <section className="stack" aria-labelledby="transfer">
      <h2 id="transfer" tabIndex={-1}>
        {t("transferTitle")}
      </h2>
      {reason === null ? (
        <Form {...form.props} className="stack">
          {settings.payments === "sandbox" && (
            <div className={noteStyles.note}>
              <Icon name="info" />
              <p>{tm("sandbox")}</p>
            </div>
          )}
          <TextField
            label={t("email")}
            name="email"
            type="email"
            placeholder="name@example.com"
            autoComplete="email"
            inputMode="email"
            hint={t("emailHint")}
            {...form.errorsOf("email")}
            required
          />
          <ReAuthenticationField user={user} errors={form.errorsOf(FIELD_NAME)} />
          <div className={classNames(noteStyles.note, noteStyles.lamp)}>
            <Icon name="alert" />
            <p>{t("noCancel")}</p>
          </div>
          <Button type="submit" block busy={form.isBusy}>
            {t("transferAmount", { amount })}
          </Button>
        </Form>
      ) : (
        <p className="muted">{reason}</p>
      )}
      <ConfirmTransfer
        isOpen={isConfirming}
        email={recipient}
        available={balance.available}
        onClose={() => setConfirming(false)}
        onSent={() => form.props.ref.current?.reset()}
        onRejected={onRejected}
      />
    </section>
  );
}

/** Returns null if a transfer is possible. */
function useReasonToWait({ available, pending, pending_until }: Balance): string | null {
  const t = useTranslations("referral");
  const te = useTranslations("errors");
  const dollars = useDollarText();
  if (settings.payments === "off") return te("transfers_off");
  if (Math.round(available * 100) >= TRANSFER_MIN_CENTS) return null;
  if (pending_until === null) return t("tooLittle");
  const held = t("stillHeld", { amount: dollars(pending), day: dayText(new Date(pending_until)) });
  return `${t("tooLittle")} ${held}`;
}

interface ConfirmTransferProps {
  isOpen: boolean;
  email: string;
  available: number;
  onClose: () => void;
  onSent: () => void;
  onRejected: () => void;
}

function ConfirmTransfer({ isOpen, email, available, onClose, onSent, onRejected }: ConfirmTransferProps) {
  const t = useTranslations("referral");
  const amount = useDollarText()(available);
  const form = useForm<Balance>({
    check: () => ({}),
    complete(fields) {
      for (const [name, value] of Object.entries({ intent: "transfer", email, price: available }))
        fields.set(name, String(value));
    },
    onDone() {
      banner.notify("referral.sent");
      onSent();
      onClose();
    },
    onFailure({ error }) {
      onClose();
      if (error instanceof ApiError) onRejected();
      return false;
    },
  });

  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t("confirmTransfer", { amount })}
      focusAfter={() => document.getElementById("transfer")}
    >
      <p>{t("confirmTransferText", { amount, email })}</p>
      <Form {...form.props}>
        <SheetButtons
          isBusy={form.isBusy}
          confirm={t("transferAmount", { amount })}
          cancel={t("notNow")}
          onCancel={onClose}
        />
      </Form>
    </Sheet>
  );
}
