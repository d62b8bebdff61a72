export const PRICES = {
  TWD: { month: 300, year: 2_500 },
  USD: { month: 10, year: 80 },
  JPY: { month: 1_500, year: 12_000 },
} as const;

export type Currency = keyof typeof PRICES;
export const currencies = ["TWD", "USD", "JPY"] as const satisfies readonly Currency[];

export function priceOf(currency: Currency, plan: { year: number; month: number }): number {
  return plan.year * PRICES[currency].year + plan.month * PRICES[currency].month;
}
