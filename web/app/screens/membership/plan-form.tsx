import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from "react";
import { useParams } from "react-router";
import { useTranslations } from "use-intl";
import { extendedUntil, monthsOf, type Term } from "@alcove/contract/calendar";
import type { ValidationErrors } from "@alcove/contract/fields";
import type { createOrder, Order } from "@alcove/contract/membership";
import type { ResponseOf } from "@alcove/contract/call";
import { currencies, type Currency, priceOf } from "@alcove/contract/prices";
import { isTooLong, type RegionRules, type Regions, rulesOf } from "@alcove/contract/regions";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { settings } from "../../lib/page/settings.ts";
import { Button } from "../../ui/button.tsx";
import { UnitSelect } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { BuyerNotes, NoSaleNote } from "./buyer-notes.tsx";
import { BankOrderForm } from "./bank-order-form.tsx";
import { redirectToApproval } from "./checkout.ts";
import { likelyCountry } from "./country.ts";
import { CountryField } from "./country-field.tsx";
import { useShowOrderError, type OrderDraft } from "./order-draft.ts";
import { PayPalButtons } from "./paypal-buttons.tsx";
import { hasPayPalScript } from "./paypal-script.ts";
import { rememberedPlanChoice, rememberPlanChoice, type PlanChoice } from "./plan-choice.ts";
import { PlanRows } from "./plan-rows.tsx";
import { likelyCurrency, type Plan } from "./plan-text.ts";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./membership.module.css";

interface PlanFormProps {
  /** Another value makes an earlier choice void. */
  membership: string;
  /** An unpaid order, whose plan is set again. */
  order: Order | null;
  /** The running membership. */
  term: Term | null;
  /** The time of the page. */
  now: Date;
  /** The rules of each country, and the country of the last order. */
  sale: { regions: Regions; country: string | null; bank_transfers: boolean };
  /** The coupon form, which shows while no plan is chosen. */
  coupon: ReactNode;
}

const NO_PLAN: Plan = { year: 0, month: 0 };
const ONE_YEAR: Plan = { year: 1, month: 0 };

function firstChoice(order: Order | null): PlanChoice {
  const plan = order ? { year: order.year, month: order.month } : ONE_YEAR;
  return {
    plan,
    currency: order?.currency ?? null,
    country: null,
    startsAtOnce: false,
    isCouponOpened: false,
  };
}

const CURRENCY_CHOICES = (["USD", "TWD", "JPY"] as const satisfies (typeof currencies)[number][]).map(
  (currency) => [currency, currency] as const,
);

export function PlanForm({ membership, order, term, now, sale, coupon }: PlanFormProps) {
  const language = languageOfSegment(useParams()["lang"]);
  const [remembered] = useState(() => rememberedPlanChoice(membership));
  const [choice, setChoice] = useState<PlanChoice>(remembered ?? firstChoice(order));
  /** PayPal's script loads only after the member has chosen something. */
  const [hasChosen, setHasChosen] = useState(remembered !== null || order !== null);
  const years = useRef<HTMLInputElement>(null);
  const missingId = useId();
  const { plan, isCouponOpened } = choice;
  const currency = choice.currency ?? likelyCurrency(language);
  const country = choice.country ?? sale.country ?? likelyCountry(language);
  const price = priceOf(currency, plan);
  const hasPlan = price > 0;
  const rules = rulesOf(sale.regions, country);
  const startAtOnce = choice.startsAtOnce ? ("yes" as const) : null;
  const draft: OrderDraft = { ...plan, currency, price, country, start_at_once: startAtOnce };

  function choose(changes: Partial<PlanChoice>) {
    const chosen = { ...choice, isCouponOpened: false, ...changes };
    setChoice(chosen);
    setHasChosen(true);
    rememberPlanChoice(membership, chosen);
  }
  return (
    <div className="stack above-bar">
      <section className="stack">
        <PlanHead currency={currency} onChange={(chosen) => choose({ currency: chosen, isCouponOpened })} />
        <PlanRows
          currency={currency}
          plan={plan}
          yearsRef={years}
          missingId={hasPlan ? undefined : missingId}
          onChange={(chosen) => choose({ plan: chosen })}
        />
        <CouponPart
          coupon={hasPlan ? null : coupon}
          onOpen={() => choose({ plan: NO_PLAN, isCouponOpened: true })}
          onClose={() => {
            choose({ plan: ONE_YEAR });
            years.current?.focus();
          }}
        />
      </section>
      {!isCouponOpened && (
        <OrderForm
          draft={draft}
          rules={rules}
          countryField={
            <CountryField
              language={language}
              regions={sale.regions}
              country={country}
              onChange={(chosen) => choose({ country: chosen, startsAtOnce: false })}
            />
          }
          onStartChange={(startsAtOnce) => choose({ startsAtOnce })}
          until={hasPlan ? extendedUntil(term, now, plan) : null}
          missingId={missingId}
          hasPayPalButtons={hasChosen && hasPlan && hasPayPalScript()}
          onMissing={() => years.current?.focus()}
        >
          {hasPlan && sale.bank_transfers && obstacleOf(rules, draft) === null && (
            <BankOrderForm draft={draft} />
          )}
        </OrderForm>
      )}
    </div>
  );
}

function PlanHead({ currency, onChange }: { currency: Currency; onChange: (currency: Currency) => void }) {
  const t = useTranslations("membership");
  return (
    <div className="row between">
      <h2>{t("plan")}</h2>
      <span className={styles.currency}>
        <UnitSelect
          label={t("currency")}
          name="currency"
          choices={CURRENCY_CHOICES}
          value={currency}
          onChange={({ currentTarget: { value } }) => onChange(currencies.find((known) => known === value)!)}
        />
      </span>
    </div>
  );
}

/** Opens the coupon form, which is null while a plan is chosen. */
function CouponPart(props: { coupon: ReactNode; onOpen: () => void; onClose: () => void }) {
  const { coupon, onOpen, onClose } = props;
  const t = useTranslations("membership");
  const className = classNames(buttonStyles.linkButton, styles.reveal);
  return coupon === null ? (
    <button type="button" className={className} onClick={onOpen}>
      <Icon name="plus" small />
      {t("haveCoupon")}
    </button>
  ) : (
    <div className="stack-sm">
      {coupon}
      <button type="button" className={className} onClick={onClose}>
        {t("noCoupon")}
      </button>
    </div>
  );
}

interface OrderFormProps {
  draft: OrderDraft;
  rules: RegionRules;
  countryField: ReactNode;
  onStartChange: (startsAtOnce: boolean) => void;
  /** The new expiry; null if no plan is chosen. */
  until: Date | null;
  missingId: string;
  hasPayPalButtons: boolean;
  /** Called when the order has no plan. */
  onMissing: () => void;
  /** Another way to pay. */
  children: ReactNode;
}

/** Creates the order and redirects to PayPal, which leads back to this screen. */
function OrderForm({
  draft,
  rules,
  countryField,
  until,
  missingId,
  hasPayPalButtons,
  onMissing,
  onStartChange,
  children,
}: OrderFormProps) {
  const t = useTranslations("membership");
  const formId = useId();
  const showOrderError = useShowOrderError();
  const [openOrderId, setOpenOrderId] = useState<string | null>(null);
  const { currency, price, year, month, start_at_once } = draft;
  const obstacle = obstacleOf(rules, draft);
  const form = useForm<ResponseOf<typeof createOrder>>({
    check: (): ValidationErrors => (price === 0 ? { plan: ["plan_required"] } : {}),
    onInvalid: onMissing,
    complete(fields) {
      for (const [name, value] of Object.entries({ intent: "order", currency, price, year, month }))
        fields.set(name, String(value));
    },
    showFailure: showOrderError,
    onDone({ order_id: orderId, approve_url: approveUrl }) {
      setOpenOrderId(orderId);
      redirectToApproval({ orderId, approveUrl });
    },
  });
  const clearAlert = useEffectEvent(() => form.correct("plan"));
  useEffect(() => {
    if (price > 0) clearAlert();
  }, [price]);

  // A browser may restore this page from its history.
  const handleReturn = useEffectEvent(() => {
    if (openOrderId === null || document.visibilityState !== "visible") return;
    setOpenOrderId(null);
  });
  useEffect(() => {
    const controller = new AbortController();
    addEventListener("pageshow", handleReturn, controller);
    document.addEventListener("visibilitychange", handleReturn, controller);
    return () => controller.abort();
  }, []);

  return (
    <>
      <Form {...form.props} id={formId} className="stack">
        {countryField}
        {obstacle ? (
          <NoSaleNote reason={obstacle} />
        ) : (
          <>
            <BuyerNotes rules={rules} startsAtOnce={start_at_once === "yes"} onStartChange={onStartChange} />
            {until && <p className="hint">{t("newExpiry", { at: dayText(until) })}</p>}
            {settings.payments !== "off" && (
              <>
                <StatementNotes />
                {hasPayPalButtons && <PayPalButtons draft={draft} />}
              </>
            )}
          </>
        )}
      </Form>
      {children}
      <PayBar
        {...{ draft, until, missingId, formId, hasPayPalButtons }}
        canPay={obstacle === null && settings.payments !== "off"}
        isBusy={form.isBusy || openOrderId !== null}
      />
    </>
  );
}

interface PayBarProps extends Pick<OrderFormProps, "draft" | "until" | "missingId" | "hasPayPalButtons"> {
  formId: string;
  canPay: boolean;
  isBusy: boolean;
}

/** Price and button, within reach at the bottom of the window. */
function PayBar({ draft, until, missingId, hasPayPalButtons, formId, canPay, isBusy }: PayBarProps) {
  const t = useTranslations("membership");
  const tf = useTranslations("fields");
  const moneyText = useMoneyText();
  return (
    <div className={styles.payBar} data-bottom-bar>
      <div>
        <p className={styles.total} aria-live="polite" aria-atomic="true">
          <span>{t("total")}</span> <strong>{moneyText(draft.currency, draft.price)}</strong>
        </p>
        {until ? (
          <p className="hint">
            {t.rich("untilDay", { day: dayText(until), w: (day) => <span className="unbroken">{day}</span> })}
          </p>
        ) : (
          <p className="hint" id={missingId}>
            {tf("plan_required")}
          </p>
        )}
      </div>
      {canPay && (
        <Button type="submit" form={formId} kind={hasPayPalButtons ? "quiet" : "primary"} busy={isBusy}>
          {settings.payments === "sandbox" ? t("paySandbox") : t("pay")}
        </Button>
      )}
    </div>
  );
}

/** The law of a country or state that forbids this purchase. */
function obstacleOf(rules: RegionRules, plan: Plan): "country_closed" | "plan_too_long" | null {
  if (!rules.open) return "country_closed";
  const sold = { months: monthsOf(plan), usd: priceOf("USD", plan) };
  return isTooLong(rules, sold) ? "plan_too_long" : null;
}

function StatementNotes() {
  const t = useTranslations("membership");
  return (
    <>
      <p className={styles.statement}>
        <Icon name="receipt" />
        <span>{t("statement", { text: settings.statementText })}</span>
      </p>
      {settings.payments === "sandbox" && (
        <p className={noteStyles.note}>
          <Icon name="info" />
          <span>{t("sandbox")}</span>
        </p>
      )}
      <p className="hint">{t("payHint")}</p>
    </>
  );
}
