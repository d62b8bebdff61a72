import { useEffect, useEffectEvent, useRef, useState } from "react";
import { replace, useNavigation, useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { User } from "@alcove/contract/users";
import { CouponForm } from "./coupon-form.tsx";
import { capture, readCancelledOrder, type Outcome, type PaymentResult } from "./outcome.ts";
import { OutcomeNote } from "./outcome-note.tsx";
import { usePayPalDocument } from "./paypal-script.ts";
import { PlanForm } from "./plan-form.tsx";
import { StatusCard } from "./status-card.tsx";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { api } from "../../lib/api.ts";
import { OfflineError } from "../../lib/errors.ts";
import { settings } from "../../lib/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/upgrade-account";

/**
 * The member; and, for who comes back from PayPal, what became of the order. Coming back twice, or a reload, asks again,
 * which is harmless.
 */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const returned = await whatBecame(new URL(request.url).searchParams);
  if (returned === null) return { user: await ownUser(null), returned };
  const { outcome, order, user } = returned;
  if (outcome.kind === "paid")
    throw replace(`/${params.lang}/upgrade-account/payment/successed/${order?.id ?? ""}`);
  if (outcome.kind === "given_back") throw replace(`/${params.lang}/purchase-history`);
  return { user: user ?? (await ownUser(outcome)), returned: { outcome, order } };
}

async function whatBecame(query: URLSearchParams): Promise<PaymentResult | null> {
  const [orderId, cancelled] = [query.get("order_id"), query.get("cancelled")];
  if (orderId) return capture(orderId);
  return cancelled ? readCancelledOrder(cancelled) : null;
}

/** Who paid and has lost the connection is told what becomes of the payment, and not only that there is none. */
async function ownUser(outcome: Outcome | null): Promise<User | null> {
  try {
    return (await api(getOwnUser, {})).user;
  } catch (error) {
    if (error instanceof OfflineError && outcome?.kind === "unknown") return null;
    throw error;
  }
}

/** The member's status, and buying a membership by years and months or with a coupon. */
export default function UpgradeAccount({ loaderData: { user: loaded, returned } }: Route.ComponentProps) {
  usePayPalDocument();
  const t = useTranslations("membership");
  const { revalidate, state } = useRevalidator();
  const { state: going } = useNavigation();
  const [changed, setChanged] = useState<User | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const user = changed ?? loaded;
  // Whose money may be on its way already is not asked for more.
  const mayPay = returned === null || !["pending", "unknown"].includes(returned.outcome.kind);

  // A browser may bring this very page back from its history, where the same order may have been paid since.
  const askAgain = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted && returned !== null) void revalidate();
  });
  useEffect(() => {
    const controller = new AbortController();
    addEventListener("pageshow", askAgain, controller);
    return () => controller.abort();
  }, []);

  function handleApplied(to: User) {
    setChanged(to);
    heading.current?.focus(); // the button can be pressed no more
  }
  const coupon = <CouponForm onApplied={handleApplied} />;

  return (
    <div className="stack-lg form--narrow">
      <div className="screen-head">
        <h1>{t("title")}</h1>
      </div>
      {user && <StatusCard user={user} heading={heading} />}
      {returned && (
        <OutcomeNote
          outcome={returned.outcome}
          order={returned.order}
          isChecking={state === "loading" || going === "loading"}
          onCheck={() => void revalidate()}
        />
      )}
      {mayPay && settings.payments !== "off" && (
        <PlanForm key={returned?.order?.id} order={returned?.order ?? null} coupon={coupon} />
      )}
      {mayPay && settings.payments === "off" && (
        <>
          <BuyingIsOff />
          {coupon}
        </>
      )}
      <BankTransfer />
    </div>
  );
}

function BuyingIsOff() {
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
      {t.rich("bankTransfer", { email, link: (words) => <a href={`mailto:${email}`}>{words}</a> })}
    </p>
  );
}
