import { ApiError } from "../../lib/api/errors.ts";
import type { FormResult } from "../../lib/forms/form-result.ts";

/** Shows the server's message about a coupon at its field. */
export function withCouponMessage<T>(result: FormResult<T>): FormResult<T> {
  if (result.ok || !(result.error instanceof ApiError) || !result.error.code.startsWith("coupon_"))
    return result;
  return { ...result, problems: { coupon_id: [{ text: result.error.message }] } };
}
