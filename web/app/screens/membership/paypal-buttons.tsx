import { useEffect, useEffectEvent, useRef } from "react";
import { useNavigate, useParams } from "react-router";
import { createOrder } from "@alcove/contract/membership";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { useShowOrderError, type OrderDraft } from "./order-draft.ts";
import { capture } from "./outcome.ts";
import { loadPayPal, type PayPalButtons as Buttons } from "./paypal-script.ts";

/** PayPal's own buttons, which approve the order on this page. Our own button works without them. */
export function PayPalButtons({ draft }: { draft: OrderDraft }) {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const showOrderError = useShowOrderError();
  const language = languageOfSegment(useParams()["lang"]);
  const { currency } = draft;
  const container = useRef<HTMLDivElement>(null);
  const orderId = useRef<string | null>(null);

  const create = useEffectEvent(async () => {
    orderId.current = null;
    try {
      const order = await api(createOrder, draft);
      orderId.current = order.order_id;
      return order.paypal_order_id;
    } catch (error) {
      showOrderError(error);
      throw error;
    }
  });
  const handleApproval = useEffectEvent(async (restart: () => unknown) => {
    const approvedId = orderId.current!;
    const kind = await capture(approvedId).then(
      ({ outcome }) => outcome.kind,
      () => "over" as const,
    );
    if (kind === "declined") return restart();
    // That screen shows any other outcome, as after PayPal's redirect, also after another login.
    const at = kind === "paid" ? `/payment/successed/${approvedId}` : `?order_id=${approvedId}`;
    return navigate(`${base}/upgrade-account${at}`, { replace: true });
  });
  const handleCancel = useEffectEvent(() => {
    void navigate(`${base}/upgrade-account?cancelled=${orderId.current ?? ""}`, { replace: true });
  });
  const showFailure = useEffectEvent(() => {
    if (orderId.current !== null) banner.alert("membership.notProcessed"); // otherwise the reason is shown already
  });

  useEffect(() => {
    let buttons: Buttons | null = null;
    let isUnmounted = false;
    async function show() {
      const paypal = await loadPayPal(currency, language);
      if (isUnmounted) return;
      buttons = paypal.Buttons({
        createOrder: () => create(),
        onApprove: (_, actions) => handleApproval(() => actions.restart()),
        onCancel: () => handleCancel(),
        onError: () => showFailure(),
      });
      await buttons.render(container.current!);
    }
    void show().catch(() => undefined); // our own button works without the script
    return () => {
      isUnmounted = true;
      void buttons?.close();
    };
  }, [currency, language]);

  return <div ref={container} />;
}
