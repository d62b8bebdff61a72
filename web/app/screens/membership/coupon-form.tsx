import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import type { ResponseOf } from "@alcove/contract/call";
import { checkCoupon, CouponId, useCoupon as applyCoupon, type Coupon } from "@alcove/contract/membership";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { formResult } from "../../lib/forms/form-result.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { isComposing } from "../../ui/forms/is-composing.ts";
import { showError } from "../../lib/page/show-error.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { withCouponMessage } from "./coupon-message.ts";
import { usePlanText } from "./plan-text.ts";
import fieldStyles from "../../ui/forms/field.module.css";
import styles from "./membership.module.css";

/** Only a checked, valid code can be applied. */
export function CouponForm({ onApplied }: { onApplied: () => void }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  const input = useRef<HTMLInputElement>(null);
  const [coupon, setCoupon] = useState<Coupon | null>(null);
  const checkedCode = useRef("");
  const form = useForm<ResponseOf<typeof applyCoupon>>({
    check: (fields) => pickErrors(applyCoupon, fields, ["coupon_id"]),
    complete: (fields) => fields.set("intent", "coupon"),
    onDone() {
      banner.notify("membership.couponApplied");
      onApplied();
    },
    onFailure({ problems }) {
      if ("coupon_id" in problems) setCoupon(null);
      return false;
    },
  });

  function handleChange() {
    setCoupon(null);
    checkedCode.current = "";
  }

  /** Checks each code once and ignores a response for an outdated code. */
  async function checkCode() {
    const code = input.current!.value;
    const id = CouponId.safeParse(code);
    if (!id.success || checkedCode.current === code) return;
    checkedCode.current = code;
    const result = withCouponMessage(await formResult(() => api(checkCoupon, { coupon_id: id.data })));
    if (checkedCode.current !== code) return;
    if (result.ok) return setCoupon(result.value.coupon);
    if (Object.keys(result.problems).length > 0) return form.show(result.problems);
    checkedCode.current = "";
    showError(result.error);
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || coupon || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    void checkCode();
  }

  const validText = coupon && t("couponValid", { plan: planText(coupon) });
  return (
    <Form {...form.props}>
      <Field
        label={t("couponCode")}
        {...form.errorsOf("coupon_id")}
        hint={validText ? <ValidCoupon text={validText} /> : t("couponHint")}
      >
        {(control) => (
          <span className={styles.withButton}>
            <input
              {...control}
              ref={input}
              className={fieldStyles.input}
              name="coupon_id"
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              onChange={handleChange}
              onBlur={() => void checkCode()}
              onKeyDown={handleKey}
            />
            <Button type="submit" busy={form.isBusy} disabled={coupon === null}>
              {t("applyCoupon")}
            </Button>
          </span>
        )}
      </Field>
      <p className="vh" role="status">
        {validText}
      </p>
    </Form>
  );
}

function ValidCoupon({ text }: { text: string }) {
  return (
    <span className={styles.couponOk}>
      <Icon name="check" small />
      {text}
    </span>
  );
}
