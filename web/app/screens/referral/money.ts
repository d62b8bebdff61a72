import { useFormatter } from "use-intl";

/** Formats US dollars with cents and currency code, because several currencies share a sign. */
export function useDollarText(): (amount: number) => string {
  const format = useFormatter();
  return (amount) => format.number(amount, { style: "currency", currency: "USD", currencyDisplay: "code" });
}
