import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, replace, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import { type Order, previewWithdrawal, type Refund, withdraw } from "@alcove/contract/membership";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { formResult, actionResult } from "../../lib/forms/form-result.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import { usePlanText } from "./plan-text.ts";
import cardStyles from "../../ui/styles/card.module.css";
import keyValuesStyles from "../../ui/styles/key-values.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";

/** Shows an alert and the purchase history if nothing can be withdrawn. */
export async function loader({ params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  try {
    return await api(previewWithdrawal, { order_id: params.orderId! });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    banner.alertText(error.message);
    throw replace(`/${params.lang}/purchase-history`);
  }
}

export async function action({ params }: ActionFunctionArgs) {
  return actionResult(await formResult(() => api(withdraw, { order_id: params.orderId! })));
}

/** The second of two steps; afterwards the confirmation, also after a reload. */
export default function Withdraw() {
  const { order, refund } = useLoaderData<typeof loader>();
  return order.withdrawn_at === null ? (
    <Confirm order={order} refund={refund} />
  ) : (
    <Withdrawn order={order} refund={refund} at={new Date(order.withdrawn_at)} />
  );
}

function Confirm({ order, refund }: { order: Order; refund: Refund }) {
  const t = useTranslations("membership");
  const base = useLanguagePath();
  const form = useForm<ResponseOf<typeof withdraw>>({ check: () => ({}) });
  return (
    <div className="stack form--narrow">
      <Head title={t("withdraw")} />
      <p className="muted">{t("withdrawText")}</p>
      <Facts order={order} refund={refund} at={null} />
      <Form {...form.props} className="stack-sm">
        <Button type="submit" kind="danger" block busy={form.isBusy}>
          {t("confirmWithdraw")}
        </Button>
        <Link className={buttonClass({ kind: "quiet", block: true })} to={`${base}/purchase-history`}>
          {t("keepPurchase")}
        </Link>
      </Form>
    </div>
  );
}

function Withdrawn({ order, refund, at }: { order: Order; refund: Refund; at: Date }) {
  const t = useTranslations("membership");
  const base = useLanguagePath();
  return (
    <div className="stack form--narrow">
      <Head title={t("withdrawnTitle")} />
      <Facts order={order} refund={refund} at={at} />
      <p className={classNames(noteStyles.note, refund.state === "pending" && noteStyles.lamp)} role="status">
        <Icon name="info" />
        <span>{t(refund.state === "done" ? "refundDone" : "refundPending")}</span>
      </p>
      <p className="hint">{t("withdrawnEmail")}</p>
      <Link
        className={buttonClass({ kind: "quiet", block: true })}
        to={`${base}/purchase-history/${order.id}`}
      >
        <Icon name="receipt" small />
        {t("creditNote")}
      </Link>
    </div>
  );
}

function Head({ title }: { title: string }) {
  return (
    <div className={screenHeadStyles.head}>
      <h1>{title}</h1>
    </div>
  );
}

function Facts({ order, refund, at }: { order: Order; refund: Refund; at: Date | null }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  const priceText = useMoneyText();
  return (
    <div className={cardStyles.card}>
      <dl className={keyValuesStyles.keyValues}>
        <dt>{t("number")}</dt>
        <dd className="num">{order.number}</dd>
        <dt>{t("bought")}</dt>
        <dd>{planText(order)}</dd>
        <dt>{t("price")}</dt>
        <dd className="num">{priceText(order.currency, order.price)}</dd>
        {at && (
          <>
            <dt>{t("withdrawnOn")}</dt>
            <dd className="num">{momentText(at)}</dd>
          </>
        )}
        <dt>{t("youGetBack")}</dt>
        <dd className="num">{priceText(refund.currency, refund.amount)}</dd>
      </dl>
    </div>
  );
}
