import { useEffect, useEffectEvent, useRef, useState } from "react";
import { replace, useNavigation, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { User } from "@alcove/contract/users";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { api } from "../../lib/api.ts";
import { OfflineError } from "../../lib/errors.ts";
import { settings } from "../../lib/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/upgrade-account";
import { CouponForm } from "./coupon-form.tsx";
import { OutcomeNote } from "./outcome-note.tsx";
import { capture, readCancelledOrder, type Outcome, type PaymentResult } from "./outcome.ts";
import { usePayPalDocument } from "./paypal-script.ts";
import { PlanForm } from "./plan-form.tsx";
import { StatusCard } from "./status-card.tsx";

/** Also settles the order after a redirect from PayPal; a reload repeats this safely. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const result = await readPaymentResult(new URL(request.url).searchParams);
  if (result === null) return { user: await readOwnUser(null), result };
  const { outcome, order, user } = result;
  if (outcome.kind === "paid")
    throw replace(`/${params.lang}/upgrade-account/payment/successed/${order?.id ?? ""}`);
  if (outcome.kind === "given_back") throw replace(`/${params.lang}/purchase-history`);
  return { user: user ?? (await readOwnUser(outcome)), result: { outcome, order } };
}

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

export default function UpgradeAccount({ loaderData: { user: loadedUser, result } }: Route.ComponentProps) {
  usePayPalDocument();
  const t = useTranslations("membership");
  const { revalidate, state } = useRevalidator();
  const { state: navigationState } = useNavigation();
  const [updatedUser, setUpdatedUser] = useState<User | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const user = updatedUser ?? loadedUser;
  // A payment that may be under way must not be paid twice.
  const canPay = result === null || !["pending", "unknown"].includes(result.outcome.kind);

  // A browser may restore this page from its history after the order was paid.
  const refreshRestoredPage = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted && result !== null) void revalidate();
  });
  useEffect(() => {
    const controller = new AbortController();
    addEventListener("pageshow", refreshRestoredPage, controller);
    return () => controller.abort();
  }, []);

  function handleApplied(to: User) {
    setUpdatedUser(to);
    heading.current?.focus(); // the button is disabled now
  }
  const coupon = <CouponForm onApplied={handleApplied} />;

  return (
    <div className="stack-lg form--narrow">
      <div className="screen-head">
        <h1>{t("title")}</h1>
      </div>
      {user && <StatusCard user={user} heading={heading} />}
      {result && (
        <OutcomeNote
          outcome={result.outcome}
          order={result.order}
          isChecking={state === "loading" || navigationState === "loading"}
          onCheck={() => void revalidate()}
        />
      )}
      {canPay && settings.payments !== "off" && (
        <PlanForm key={result?.order?.id} order={result?.order ?? null} coupon={coupon} />
      )}
      {canPay && settings.payments === "off" && (
        <>
          <PaymentsPaused />
          {coupon}
        </>
      )}
      <BankTransfer />
    </div>
  );
}

function PaymentsPaused() {
  const t = useTranslations("errors");
  return (
    <section className="stack">
      <p className="note">
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
