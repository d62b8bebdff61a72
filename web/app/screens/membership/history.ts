import type { ResponseOf } from "@alcove/contract/call";
import type { getOrders, Grant, Order } from "@alcove/contract/membership";

type Entry =
  | { key: string; at: string | null; order: Order; grant: null }
  | { key: string; at: string; order: null; grant: Grant };

/** Newest first; orders that are not paid yet come before all others. */
export function inTimeOrder({ orders, grants }: ResponseOf<typeof getOrders>): Entry[] {
  const entries: Entry[] = [
    ...orders.map((order) => ({ key: order.id, at: order.payment_successed_at, order, grant: null })),
    ...grants.map((grant) => ({ key: `${grant.source} ${grant.at}`, at: grant.at, order: null, grant })),
  ];
  const timeOf = ({ at }: Entry) => (at === null ? Infinity : Date.parse(at));
  return [...entries].sort((a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)];
    return first === second ? 0 : second - first;
  });
}
