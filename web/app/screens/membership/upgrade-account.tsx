import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useEffectEvent, useRef } from "react";
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  replace,
  useLoaderData,
  useNavigation,
  useRevalidator,
} from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import {
  createBankOrder,
  createOrder,
  getRegions,
  useCoupon as applyCoupon,
} from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { Benefits } from "../../features/prices/benefits.tsx";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { api } from "../../lib/api/api.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { OfflineError } from "../../lib/api/errors.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { NativePurchase } from "../../layout/native-features.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { settings } from "../../lib/page/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import { CouponForm } from "./coupon-form.tsx";
import { withCouponMessage } from "./coupon-message.ts";
import { OutcomeNote } from "./outcome-note.tsx";
import { capture, readCancelledOrder, type Outcome, type PaymentResult } from "./outcome.ts";
import { usePayPalDocument } from "./paypal-script.ts";
import { termOf } from "./term.ts";
import { PlanForm } from "./plan-form.tsx";
import { classNames } from "../../ui/class-names.ts";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import badgeStyles from "../../ui/styles/badge.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./membership.module.css";

/** Also settles the order after a redirect from PayPal; a reload repeats this safely. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  const result = await readPaymentResult(new URL(request.url).searchParams);
  const now = new Date(serverNow());
  if (result === null) {
    const [user, sale] = await Promise.all([readOwnUser(null), api(getRegions, {})]);
    return { user, result, now, sale };
  }
  const { outcome, order, user } = result;
  if (outcome.kind === "paid")
    throw replace(`/${params.lang}/upgrade-account/payment/successed/${order?.id ?? ""}`);
  if (outcome.kind === "given_back") throw replace(`/${params.lang}/purchase-history`);
  const sale = canPayAfter(outcome) ? await api(getRegions, {}) : null;
  return { user: user ?? (await readOwnUser(outcome)), result: { outcome, order }, now, sale };
}

/** A payment that may be under way must not be paid twice. */
function canPayAfter({ kind }: Outcome): boolean {
  return kind !== "pending" && kind !== "unknown";
}

/** The purchase, or the use of a coupon. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  if (form.get("intent") === "coupon")
    return actionResult(withCouponMessage(await submitForm(applyCoupon, form)));
  const result = await submitForm(form.get("intent") === "bank" ? createBankOrder : createOrder, form);
  // The alert begins with "Could not initiate", so no field has the message.
  return actionResult(result.ok ? result : { ...result, problems: {} });
}

/** Another page replaces this one after an order. */
export { reloadWhenDone as shouldRevalidate } from "../../lib/forms/submit-form.ts";

async function readPaymentResult(query: URLSearchParams): Promise<PaymentResult | null> {
  const [orderId, cancelled] = [query.get("order_id"), query.get("cancelled")];
  if (orderId) return capture(orderId);
  return cancelled ? readCancelledOrder(cancelled) : null;
}

/** A buyer who lost the connection still sees the outcome of the payment. */
async function readOwnUser(outcome: Outcome | null): Promise<User | null> {
  try {
    return (await api(getOwnUser, {})).user;
  } catch (error) {
    if (error instanceof OfflineError && outcome?.kind === "unknown") return null;
    throw error;
  }
}

export default function UpgradeAccount() {
  const { user, result, now, sale } = useLoaderData<typeof loader>();
  usePayPalDocument();
  const t = useTranslations("membership");
  const { revalidate, state } = useRevalidator();
  const { state: navigationState } = useNavigation();
  const heading = useRef<HTMLHeadingElement>(null);
  const paidUntil = user?.paid_account_expired_at ? new Date(user.paid_account_expired_at) : null;

  // A browser may restore this page from its history after the order was paid.
  const refreshRestoredPage = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted && result !== null) void revalidate();
  });
  useEffect(() => {
    const controller = new AbortController();
    addEventListener("pageshow", refreshRestoredPage, controller);
    return () => controller.abort();
  }, []);

  function handleApplied() {
    heading.current?.focus();
    void revalidate();
  }

  const isOpen = settings.payments !== "off" || sale?.bank_transfers;
  const membership = `${result?.order?.id} ${user?.paid_account_expired_at}`;
  const coupon = <CouponForm onApplied={handleApplied} />;
  return (
    <div className="stack-lg form--narrow">
      <div className={styles.status}>
        <div className={classNames(screenHeadStyles.head, styles.head)}>
          <h1 ref={heading} tabIndex={-1}>
            {t(user?.status === "paid" ? "titlePaid" : "title")}
          </h1>
          {user && (
            <span className={classNames(badgeStyles.badge, user.status === "paid" && badgeStyles.lamp)}>
              {t(user.status)}
            </span>
          )}
        </div>
        {paidUntil && <p>{t("paidUntil", { at: momentText(paidUntil) })}</p>}
      </div>
      {result && (
        <OutcomeNote
          outcome={result.outcome}
          order={result.order}
          isChecking={state === "loading" || navigationState === "loading"}
          onCheck={() => void revalidate()}
        />
      )}
      <Benefits />
      {sale && NativePurchase && <NativePurchase />}
      {sale && !NativePurchase && isOpen && (
        <PlanForm
          key={membership}
          membership={membership}
          order={result?.order ?? null}
          term={user ? termOf(user) : null}
          now={now}
          sale={sale}
          coupon={coupon}
        />
      )}
      {sale && !NativePurchase && !isOpen && (
        <>
          <PaymentsPaused />
          {coupon}
        </>
      )}
      {!sale?.bank_transfers && <BankTransfer />}
    </div>
  );
}

function PaymentsPaused() {
  const t = useTranslations("errors");
  return (
    <section className="stack">
      <p className={noteStyles.note}>
        <Icon name="info" />
        <span>{t("payments_off")}</span>
      </p>
      <PriceTable />
    </section>
  );
}

function BankTransfer() {
  const t = useTranslations("membership");
  const email = settings.supportEmail;
  return (
    <p className="hint">
      {t.rich("bankTransfer", { email, link: (text) => <a href={`mailto:${email}`}>{text}</a> })}
    </p>
  );
}
