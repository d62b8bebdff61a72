import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useTranslations } from "use-intl";
import { createOrder, type Order } from "@alcove/contract/membership";
import { currencies, priceOf, type Currency } from "@alcove/contract/prices";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { languageOfSegment } from "../../lib/language.ts";
import { settings } from "../../lib/settings.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import { redirectToApproval } from "./checkout.ts";
import { useShowOrderError, type OrderDraft } from "./order-draft.ts";
import { PayPalButtons } from "./paypal-buttons.tsx";
import { hasPayPalScript } from "./paypal-script.ts";
import { PlanTable } from "./plan-table.tsx";
import { likelyCurrency, type Plan } from "./plan-text.ts";

interface PlanFormProps {
  /** An unpaid order, whose plan is set again. */
  order: Order | null;
  /** Shown while no plan is chosen. */
  coupon: React.ReactNode;
}

const NO_PLAN: Plan = { year: 0, month: 0 };
const CURRENCY_CHOICES = (["USD", "TWD", "JPY"] as const satisfies (typeof currencies)[number][]).map(
  (currency) => [currency, currency] as const,
);

export function PlanForm({ order, coupon }: PlanFormProps) {
  const t = useTranslations("membership");
  const tf = useTranslations("fields");
  const language = languageOfSegment(useParams()["lang"]);
  const [plan, setPlan] = useState<Plan>(order ?? NO_PLAN);
  const [chosenCurrency, setChosenCurrency] = useState<Currency | null>(order?.currency ?? null);
  const currency = chosenCurrency ?? likelyCurrency(language);
  const price = priceOf(currency, plan);
  const draft = { currency, price, year: plan.year, month: plan.month };
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
          choices={CURRENCY_CHOICES}
          defaultValue={currency}
          onChange={(value) => setChosenCurrency(currencies.find((known) => known === value) ?? null)}
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
      {price > 0 && hasPayPalScript() && <PayPalButtons draft={draft} />}
      <PayButton draft={draft} isSandbox={isSandbox} />
      {price === 0 && coupon}
    </>
  );
}

/** Creates the order and redirects to PayPal, which leads back to this screen. */
function PayButton({ draft, isSandbox }: { draft: OrderDraft; isSandbox: boolean }) {
  const t = useTranslations("membership");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const showOrderError = useShowOrderError();
  const [openOrderId, setOpenOrderId] = useState<string | null>(null);

  // The native wrapper opens PayPal in another window, and a browser may restore this page from its history.
  const handleReturn = useEffectEvent(() => {
    if (openOrderId === null || document.visibilityState !== "visible") return;
    setOpenOrderId(null);
    if (device.isNative()) void navigate(`${base}/upgrade-account?order_id=${openOrderId}`);
  });
  useEffect(() => {
    const controller = new AbortController();
    addEventListener("pageshow", handleReturn, controller);
    document.addEventListener("visibilitychange", handleReturn, controller);
    return () => controller.abort();
  }, []);

  const pay = useAction(async () => {
    const { order_id: orderId, approve_url: approveUrl } = await api(createOrder, draft);
    setOpenOrderId(orderId);
    redirectToApproval({ orderId, approveUrl });
  }, showOrderError);

  return (
    <div className="stack-sm">
      <Button
        block
        kind={hasPayPalScript() ? "quiet" : "primary"}
        busy={pay.isBusy || openOrderId !== null}
        disabled={draft.price === 0}
        aria-describedby={draft.price === 0 ? "fill-plan" : "pay-hint"}
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
