import { useState } from "react";
import { useLoaderData } from "react-router";
import { getPayments, type Payment } from "@alcove/contract/console";
import { Segmented } from "../../app/ui/forms/segmented.tsx";
import { api } from "../api.ts";
import { Heading } from "../frame.tsx";
import { Table, timeOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { classNames } from "../../app/ui/class-names.ts";
import cardStyles from "../../app/ui/styles/card.module.css";
import badgeStyles from "../../app/ui/styles/badge.module.css";
import consoleStyles from "../console.module.css";

export const loadPayments = () => api(getPayments, {});

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

function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  const t = useTexts();
  return (
    <Table
      head={[t("day"), t("amount"), t("state"), t("nextPoll"), t("id"), t("paypalId")]}
      rows={payments.map((one) => [
        one.on,
        one.amount,
        <span className={classNames(badgeStyles.badge, one.is_open && badgeStyles.lamp)} key="state">
          {one.state}
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
