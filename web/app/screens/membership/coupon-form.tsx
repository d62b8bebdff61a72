import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { COUPON_ID } from "@alcove/contract/limits";
import { checkCoupon, CouponId, useCoupon as applyCoupon, type Coupon } from "@alcove/contract/membership";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { momentText } from "../../lib/dates.ts";
import { ApiError } from "../../lib/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { showError } from "../../lib/show-error.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { usePlanText } from "./plan-text.ts";

type Check = { kind: "none" } | { kind: "valid"; coupon: Coupon } | { kind: "wrong"; message: string };

/** Only a checked, valid code can be applied. */
export function CouponForm({ onApplied }: { onApplied: (user: User) => void }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  const [code, setCode] = useState("");
  const [check, setCheck] = useState<Check>({ kind: "none" });
  const checkedCode = useRef("");

  function handleChange(typed: string) {
    setCode(typed);
    setCheck({ kind: "none" });
    checkedCode.current = "";
  }

  /** Checks each code once and ignores a response for an outdated code. */
  async function checkCode() {
    const id = CouponId.safeParse(code);
    if (!id.success || checkedCode.current === code) return;
    checkedCode.current = code;
    try {
      const { coupon } = await api(checkCoupon, { coupon_id: id.data });
      if (checkedCode.current === code) setCheck({ kind: "valid", coupon });
    } catch (error) {
      if (checkedCode.current !== code) return;
      checkedCode.current = "";
      if (error instanceof ApiError && error.status !== 401)
        setCheck({ kind: "wrong", message: error.message });
      else showError(error);
    }
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || check.kind === "valid" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void checkCode();
  }

  const apply = useAction(
    async (coupon: Coupon) => {
      const { user } = await api(applyCoupon, { coupon_id: coupon.id });
      // `checkedCode` stays set: the field that loses the focus below still holds the code.
      setCode("");
      setCheck({ kind: "none" });
      banner.notify("membership.couponApplied");
      onApplied(user);
    },
    (error) => {
      if (error instanceof ApiError && error.status < 429)
        setCheck({ kind: "wrong", message: error.message });
      showError(error);
    },
  );

  function handleSubmit() {
    if (check.kind === "valid") apply.start(check.coupon);
  }

  const found =
    check.kind === "valid"
      ? t("couponValid", { plan: planText(check.coupon), at: momentText(new Date(check.coupon.expires_at)) })
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
        errorText={check.kind === "wrong" ? check.message : undefined}
        hint={found ?? t("couponHint")}
        onChange={({ currentTarget }) => handleChange(currentTarget.value)}
        onBlur={() => void checkCode()}
        onKeyDown={handleKey}
      />
      <p className="vh" role="status">
        {check.kind === "wrong" ? check.message : found}
      </p>
      <Button type="submit" kind="quiet" block busy={apply.isBusy} disabled={check.kind !== "valid"}>
        {t("applyCoupon")}
      </Button>
    </Form>
  );
}
