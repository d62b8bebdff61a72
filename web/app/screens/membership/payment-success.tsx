import { Link, type LoaderFunctionArgs, replace, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { monthsOf } from "@alcove/contract/calendar";
import { getOrder, type Order } from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { Shell } from "../../layout/shell/shell.tsx";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Art } from "../../ui/art.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { usePlanText } from "./plan-text.ts";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import keyValuesStyles from "../../ui/styles/key-values.module.css";
import styles from "./membership.module.css";

/** Shows an alert and the purchase history if the paid order cannot be loaded. */
export async function loader({ params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  try {
    const [{ order }, { user }] = await Promise.all([
      api(getOrder, { order_id: params.orderId! }),
      api(getOwnUser, {}),
    ]);
    if (order.payment_successed_at !== null) return { order, user };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw error;
  }
  banner.alert("errors.fault");
  throw replace(`/${params.lang}/purchase-history`);
}

export default function PaymentSuccess() {
  const { order, user } = useLoaderData<typeof loader>();
  const t = useTranslations("membership");
  const base = useLanguagePath();
  const planText = usePlanText();
  const priceText = useMoneyText();
  const until = user.paid_account_expired_at;
  return (
    <Shell hasMenu width="form">
      <div className="stack-lg">
        <div className={classNames("stack", styles.thanks)}>
          <Art viewBox="50 34 300 226" />
          <h1>{t("thanks")}</h1>
          {user.status === "paid" && (
            <p className="muted">{t(isExtension(order, user) ? "thanksExtended" : "thanksText")}</p>
          )}
        </div>
        <div className={cardStyles.card}>
          <dl className={keyValuesStyles.keyValues}>
            <dt>{t("bought")}</dt>
            <dd>{planText(order)}</dd>
            <dt>{t("price")}</dt>
            <dd className="num">{priceText(order.currency, order.price)}</dd>
            {until && (
              <>
                <dt>{t("expiry")}</dt>
                <dd className="num">{momentText(new Date(until))}</dd>
              </>
            )}
          </dl>
        </div>
        {user.email !== null && <p className={classNames("hint", styles.hint)}>{t("receiptComes")}</p>}
        <Link className={buttonClass({ kind: "lamp", block: true })} to={base}>
          {t("start")}
        </Link>
      </div>
    </Shell>
  );
}

/** True if the account was paid before. */
function isExtension(order: Order, { paid_account_term: term }: User): boolean {
  return term != null && term.months > monthsOf(order);
}
