import { useEffect, useEffectEvent, useRef } from "react";
import { useNavigate, useParams } from "react-router";
import { createOrder } from "@alcove/contract/membership";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { languageOfSegment } from "../../lib/language.ts";
import { capture } from "./outcome.ts";
import { loadPayPal, type PayPalButtons as Buttons } from "./paypal-script.ts";
import { useShowOrderError, type OrderDraft } from "./order-draft.ts";

/** PayPal's own buttons, which approve the order without leaving the page. Where they do not come there is our button. */
export function PayPalButtons({ wish }: { wish: OrderDraft }) {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const tellWhy = useShowOrderError();
  const language = languageOfSegment(useParams()["lang"]);
  const { currency } = wish;
  const place = useRef<HTMLDivElement>(null);
  const begun = useRef<string | null>(null);

  const begin = useEffectEvent(async () => {
    begun.current = null;
    try {
      const order = await api(createOrder, wish);
      begun.current = order.order_id;
      return order.paypal_order_id;
    } catch (error) {
      tellWhy(error);
      throw error;
    }
  });
  const finish = useEffectEvent(async (restart: () => unknown) => {
    const orderId = begun.current!;
    const kind = await capture(orderId).then(
      ({ outcome }) => outcome.kind,
      () => "over" as const,
    );
    if (kind === "declined") return restart();
    // Whatever else became of it is said there, as to those who come back from PayPal's page; and who must log in comes back to it.
    const at = kind === "paid" ? `/payment/successed/${orderId}` : `?order_id=${orderId}`;
    return navigate(`${base}/upgrade-account${at}`, { replace: true });
  });
  const goBack = useEffectEvent(() => {
    void navigate(`${base}/upgrade-account?cancelled=${begun.current ?? ""}`, { replace: true });
  });
  const tellFault = useEffectEvent(() => {
    if (begun.current !== null) banner.alert("membership.notProcessed"); // else it was told why
  });

  useEffect(() => {
    let buttons: Buttons | null = null;
    let isGone = false;
    async function show() {
      const paypal = await loadPayPal(currency, language);
      if (isGone) return;
      buttons = paypal.Buttons({
        createOrder: () => begin(),
        onApprove: (_, actions) => finish(() => actions.restart()),
        onCancel: () => goBack(),
        onError: () => tellFault(),
      });
      await buttons.render(place.current!);
    }
    void show().catch(() => undefined); // our own button is always there
    return () => {
      isGone = true;
      void buttons?.close();
    };
  }, [currency, language]);

  return <div ref={place} />;
}
