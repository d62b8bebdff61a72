import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useTranslations } from "use-intl";
import { createOrder, type Order } from "@alcove/contract/membership";
import { currencies, priceOf, type Currency } from "@alcove/contract/prices";
import { device } from "../../device/browser.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { languageOfSegment } from "../../lib/language.ts";
import { settings } from "../../lib/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { redirectToApproval } from "./checkout.ts";
import { PlanTable } from "./plan-table.tsx";
import { PayPalButtons } from "./paypal-buttons.tsx";
import { hasPayPalScript } from "./paypal-script.ts";
import { useShowOrderError, type OrderDraft } from "./order-draft.ts";
import { likelyCurrency, type Plan } from "./plan-text.ts";

interface PlanFormProps {
  /** The order that was not paid, whose plan is set again. */
  order: Order | null;
  /** Shown while nothing is chosen. */
  coupon: React.ReactNode;
}

const NOTHING: Plan = { year: 0, month: 0 };
const CHOICES = (["USD", "TWD", "JPY"] as const satisfies (typeof currencies)[number][]).map(
  (currency) => [currency, currency] as const,
);

/** Years and months, what they cost, what one should know before paying, and the way to pay. */
export function PlanForm({ order, coupon }: PlanFormProps) {
  const t = useTranslations("membership");
  const tf = useTranslations("fields");
  const language = languageOfSegment(useParams()["lang"]);
  const [plan, setPlan] = useState<Plan>(order ?? NOTHING);
  const [chosen, setChosen] = useState<Currency | null>(order?.currency ?? null);
  const currency = chosen ?? likelyCurrency(language);
  const price = priceOf(currency, plan);
  const wish = { currency, price, year: plan.year, month: plan.month };
  const isSandbox = settings.payments === "sandbox";
  return (
    <>
      <section className="stack">
        {isSandbox && (
          <p className="note">
            <Icon name="info" />
            <span>{t("sandbox")}</span>
          </p>
        )}
        <Segmented
          key={language}
          legend={t("currency")}
          name="currency"
          choices={CHOICES}
          defaultValue={currency}
          onChange={(value) => setChosen(currencies.find((known) => known === value) ?? null)}
        />
        <PlanTable currency={currency} plan={plan} onChange={setPlan} />
      </section>
      {price === 0 ? (
        <p className="note" id="fill-plan">
          <Icon name="info" />
          <span>{tf("plan_required")}</span>
        </p>
      ) : (
        <div className="note note--lamp">
          <Icon name="info" />
          <div className="stack-sm">
            <p>{t("noCancel")}</p>
            <p>{t("noRefund")}</p>
            <p>{t("statement", { text: settings.statementText })}</p>
          </div>
        </div>
      )}
      {price > 0 && hasPayPalScript() && <PayPalButtons wish={wish} />}
      <PayButton wish={wish} isSandbox={isSandbox} />
      {price === 0 && coupon}
    </>
  );
}

/** Begins the order and leads to where it is approved, which leads back to this screen. */
function PayButton({ wish, isSandbox }: { wish: OrderDraft; isSandbox: boolean }) {
  const t = useTranslations("membership");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const tellWhy = useShowOrderError();
  const [left, setLeft] = useState<string | null>(null);

  // The wrapper opens PayPal beside itself, and a browser may bring this very page back from its history.
  const comeBack = useEffectEvent(() => {
    if (left === null || document.visibilityState !== "visible") return;
    setLeft(null);
    if (device.isNative()) void navigate(`${base}/upgrade-account?order_id=${left}`);
  });
  useEffect(() => {
    const controller = new AbortController();
    addEventListener("pageshow", comeBack, controller);
    document.addEventListener("visibilitychange", comeBack, controller);
    return () => controller.abort();
  }, []);

  const pay = useAction(async () => {
    const { order_id: orderId, approve_url: approveUrl } = await api(createOrder, wish);
    setLeft(orderId);
    redirectToApproval({ orderId, approveUrl });
  }, tellWhy);

  return (
    <div className="stack-sm">
      <Button
        block
        kind={hasPayPalScript() ? "quiet" : "primary"}
        busy={pay.isBusy || left !== null}
        disabled={wish.price === 0}
        aria-describedby={wish.price === 0 ? "fill-plan" : "pay-hint"}
        onClick={pay.start}
      >
        <Icon name="key" small />
        {isSandbox ? t("paySandbox") : t("pay")}
      </Button>
      <p className="hint" id="pay-hint">
        {t("payHint")}
      </p>
    </div>
  );
}
