import { useState } from "react";
import { useFetcher, useLoaderData, type ActionFunctionArgs } from "react-router";
import { confirmBank, getPayments, type Payment } from "@alcove/contract/console";
import { Button } from "../../app/ui/button.tsx";
import { TextField } from "../../app/ui/forms/field.tsx";
import { Segmented } from "../../app/ui/forms/segmented.tsx";
import { api, attempt, formInput } from "../api.ts";
import { Heading } from "../frame.tsx";
import { dayOf, Note, ProblemNote, Table, timeOf, usePaymentState } from "../parts.tsx";
import { useSumText, useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import badgeStyles from "../../app/ui/styles/badge.module.css";
import consoleStyles from "../console.module.css";

export const loadPayments = () => api(getPayments, {});

export async function changePayments({ request }: ActionFunctionArgs) {
  const data = await request.formData();
  return attempt(() => api(confirmBank, formInput<typeof confirmBank>(data)));
}

export function PaymentsScreen() {
  const t = useTexts();
  const payments = useLoaderData<typeof loadPayments>();
  const [kind, setKind] = useState<string>("orders");
  const [isOpenOnly, setOpenOnly] = useState(false);
  const all = kind === "orders" ? payments.orders : payments.transfers;
  const shown = all.filter(({ is_open }) => is_open || !isOpenOnly);
  return (
    <>
      <Heading>{t("payments")}</Heading>
      <p className="muted small">{t("paymentsLead")}</p>
      <BankTransfers bank={payments.bank} />
      <div className="row between">
        <Segmented
          legend={t("payments")}
          isLegendHidden
          name="kind"
          choices={[
            ["orders", t("orders")],
            ["transfers", t("transfers")],
          ]}
          value={kind}
          onChange={setKind}
        />
        <label className="row small">
          <input type="checkbox" checked={isOpenOnly} onChange={() => setOpenOnly(!isOpenOnly)} />
          {t("onlyOpen")}
        </label>
      </div>
      <section className={cardStyles.card}>
        {shown.length === 0 ? <p className="muted">{t("nothing")}</p> : <PaymentTable payments={shown} />}
      </section>
    </>
  );
}

/** The operator confirms money that arrived, and money that they paid back by hand. */
function BankTransfers({ bank }: Pick<Awaited<ReturnType<typeof loadPayments>>, "bank">) {
  const t = useTexts();
  const sumText = useSumText();
  const fetcher = useFetcher<typeof changePayments>();
  const problem = fetcher.data?.problem;
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("bank")}</h2>
      <p className="muted small">{t("bankLead")}</p>
      {fetcher.state === "idle" && problem === null && <Note>{t("done")}</Note>}
      <ProblemNote problem={problem} />
      <fetcher.Form method="post" className="row" noValidate>
        <input type="hidden" name="what" value="paid" />
        <TextField
          label={t("reference")}
          name="reference"
          autoComplete="off"
          spellCheck={false}
          error={problem?.fields["reference"]}
        />
        <Button type="submit" busy={fetcher.state !== "idle"}>
          {t("bankPaid")}
        </Button>
      </fetcher.Form>
      {bank.length > 0 && (
        <Table
          head={[t("reference"), t("amount"), t("state"), ""]}
          rows={bank.map(({ reference, amount, state }) => [
            <span className={consoleStyles.mono} key="reference">
              {reference}
            </span>,
            sumText(amount),
            t(`bank_${state}`),
            state === "pay_back" && <PaidBack key="paid" reference={reference} fetcher={fetcher} />,
          ])}
        />
      )}
    </section>
  );
}

function PaidBack(props: {
  reference: string;
  fetcher: ReturnType<typeof useFetcher<typeof changePayments>>;
}) {
  const { reference, fetcher } = props;
  const t = useTexts();
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="what" value="refunded" />
      <input type="hidden" name="reference" value={reference} />
      <Button type="submit" kind="quiet" small busy={fetcher.state !== "idle"}>
        {t("bankRefunded")}
      </Button>
    </fetcher.Form>
  );
}

function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  const t = useTexts();
  const sumText = useSumText();
  const stateText = usePaymentState();
  return (
    <Table
      head={[t("day"), t("amount"), t("state"), t("nextPoll"), t("id"), t("paypalId")]}
      rows={payments.map((one) => [
        dayOf(one.on),
        sumText(one.amount),
        <span className={classNames(badgeStyles.badge, one.is_open && badgeStyles.lamp)} key="state">
          {stateText(one.state)}
        </span>,
        one.next_poll_at ? timeOf(one.next_poll_at) : "–",
        <span className={consoleStyles.mono} key="id">
          {one.id}
        </span>,
        <span className={consoleStyles.mono} key="paypal">
          {one.paypal_id ?? "–"}
        </span>,
      ])}
    />
  );
}
