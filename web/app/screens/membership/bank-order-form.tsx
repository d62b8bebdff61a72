import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import type { createBankOrder } from "@alcove/contract/membership";
import { useForm } from "../../lib/forms/use-form.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { classNames } from "../../ui/class-names.ts";
import { useShowOrderError, type OrderDraft } from "./order-draft.ts";
import styles from "./membership.module.css";

/** Creates the order and shows account and reference. */
export function BankOrderForm({ draft }: { draft: OrderDraft }) {
  const t = useTranslations("membership");
  const navigate = useNavigate();
  const base = useLanguagePath();
  const form = useForm<ResponseOf<typeof createBankOrder>>({
    check: () => ({}),
    complete(fields) {
      for (const [name, value] of Object.entries({ intent: "bank", ...draft }))
        if (value !== null) fields.set(name, String(value));
    },
    showFailure: useShowOrderError(),
    onDone({ order_id: orderId }) {
      void navigate(`${base}/purchase-history/${orderId}/transfer`);
    },
  });
  return (
    <Form {...form.props} className="stack-sm">
      <Button type="submit" kind="quiet" block busy={form.isBusy} aria-describedby="bank-hint">
        {t("payByBank")}
      </Button>
      <p className={classNames("hint", styles.hint)} id="bank-hint">
        {t("payByBankHint")}
      </p>
    </Form>
  );
}
