import { useFormatter } from "use-intl";

/** How a sum in USD is written, with its cents and the currency's code: a sign alone could be that of another dollar. */
export function useDollarText(): (amount: number) => string {
  const format = useFormatter();
  return (amount) => format.number(amount, { style: "currency", currency: "USD", currencyDisplay: "code" });
}
