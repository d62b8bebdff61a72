import { Link, replace } from "react-router";
import { useTranslations } from "use-intl";
import { getOrders, type Order } from "@alcove/contract/membership";
import { usePriceText, usePlanText } from "./plan-text.ts";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { momentText } from "../../lib/dates.ts";
import { Empty } from "../../ui/empty.tsx";
import type { Route } from "./+types/purchase-history";

/** The member's orders. Where they cannot be had: an alert, and home (specification, section 8). */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  try {
    return await api(getOrders, {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw error;
    banner.alert("errors.fault");
    throw replace(`/${params.lang}`);
  }
}

/** What the member has bought, the newest first, and what is on its way. */
export default function PurchaseHistory({ loaderData: { orders } }: Route.ComponentProps) {
  const t = useTranslations("membership");
  const ts = useTranslations("settings");
  return (
    <div className="stack">
      <div className="screen-head">
        <h1>{ts("purchaseHistory")}</h1>
      </div>
      {orders.length === 0 ? (
        <Empty title={t("noOrders")} />
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t("paidOn")}</th>
              <th scope="col">{t("bought")}</th>
              <th scope="col" className="end">
                {t("price")}
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <OrderRow key={order.id} order={order} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const STATES = { pending: "onItsWay", refunded: "refunded", partly_refunded: "partlyRefunded" } as const;

function OrderRow({ order }: { order: Order }) {
  const t = useTranslations("membership");
  const planWords = usePlanText();
  const money = usePriceText();
  const base = useLanguagePath();
  const { status, payment_successed_at: paidAt } = order;
  return (
    <tr>
      <td>
        {paidAt && <Moment at={new Date(paidAt)} />}
        {status in STATES && <span className="badge">{t(STATES[status as keyof typeof STATES])}</span>}
        {status === "pending" && (
          <Link className="link-btn" to={`${base}/upgrade-account?order_id=${order.id}`}>
            {t("lookAtOrder")}
          </Link>
        )}
      </td>
      <td>{planWords(order)}</td>
      <td className="end">{money(order.currency, order.price)}</td>
    </tr>
  );
}

/** A moment that may break between its day and its time where it is narrow. */
function Moment({ at }: { at: Date }) {
  const [day, time] = momentText(at).split("-");
  return (
    <>
      {day}
      <wbr />-{time}{" "}
    </>
  );
}
