import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { COUPON_ID } from "@alcove/contract/limits";
import { checkCoupon, CouponId, useCoupon as applyCoupon, type Coupon } from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import { momentText } from "../../lib/dates.ts";
import { showError } from "../../lib/show-error.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { usePlanText } from "./plan-text.ts";

/** What is known of the code that stands in the field. */
type Check = { kind: "none" } | { kind: "valid"; coupon: Coupon } | { kind: "wrong"; sentence: string };

/** A coupon's code: checked when its field is left, and applied only when it is good (specification, section 5). */
export function CouponForm({ onApplied }: { onApplied: (user: User) => void }) {
  const t = useTranslations("membership");
  const words = usePlanText();
  const [code, setCode] = useState("");
  const [check, setCheck] = useState<Check>({ kind: "none" });
  const asked = useRef("");

  function handleChange(typed: string) {
    setCode(typed);
    setCheck({ kind: "none" });
    asked.current = "";
  }

  /** Asks once for each code; an answer that comes after the code was changed says nothing any more. */
  async function look() {
    const id = CouponId.safeParse(code);
    if (!id.success || asked.current === code) return;
    asked.current = code;
    try {
      const { coupon } = await api(checkCoupon, { coupon_id: id.data });
      if (asked.current === code) setCheck({ kind: "valid", coupon });
    } catch (error) {
      if (asked.current !== code) return;
      asked.current = "";
      if (error instanceof ApiError && error.status !== 401)
        setCheck({ kind: "wrong", sentence: error.message });
      else showError(error);
    }
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || check.kind === "valid" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void look();
  }

  const apply = useAction(
    async (coupon: Coupon) => {
      const { user } = await api(applyCoupon, { coupon_id: coupon.id });
      // It stays asked about: the field that loses the focus below still holds the code.
      setCode("");
      setCheck({ kind: "none" });
      banner.notify("membership.couponApplied");
      onApplied(user);
    },
    (error) => {
      if (error instanceof ApiError && error.status < 429)
        setCheck({ kind: "wrong", sentence: error.message });
      showError(error);
    },
  );

  function handleSubmit() {
    if (check.kind === "valid") apply.start(check.coupon);
  }

  const found =
    check.kind === "valid"
      ? t("couponValid", { plan: words(check.coupon), at: momentText(new Date(check.coupon.expires_at)) })
      : null;
  return (
    <Form className="stack" noValidate onSubmit={handleSubmit}>
      <h2>{t("haveCoupon")}</h2>
      <TextField
        label={t("couponCode")}
        name="coupon_id"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={COUPON_ID.max}
        value={code}
        errorText={check.kind === "wrong" ? check.sentence : undefined}
        hint={found ?? t("couponHint")}
        onChange={({ currentTarget }) => handleChange(currentTarget.value)}
        onBlur={() => void look()}
        onKeyDown={handleKey}
      />
      <p className="vh" role="status">
        {check.kind === "wrong" ? check.sentence : found}
      </p>
      <Button type="submit" kind="quiet" block busy={apply.isBusy} disabled={check.kind !== "valid"}>
        {t("applyCoupon")}
      </Button>
    </Form>
  );
}
