import { utcDay } from "../platform/clock.ts";
import type { App } from "../platform/http/router.ts";
import { add, recordFigures } from "./record.ts";

/** Other features do not know that they are counted. */
export function registerStatistics({ ctx }: App): void {
  const { domainEvents } = ctx;
  domainEvents.on("member_joined", (tx) => add(tx, ctx, { sign_ups: 1, active: 1, active_in_month: 1 }));
  domainEvents.on("member_visited", (tx, { before }) => {
    const isFirstOfMonth = before.slice(0, 7) !== utcDay(ctx.clock.now()).slice(0, 7);
    return add(tx, ctx, { active: 1, active_in_month: Number(isFirstOfMonth) });
  });
  domainEvents.on("card_decided", (tx, { verdict }) =>
    add(tx, ctx, verdict === "like" ? { likes: 1, cards: 1 } : { cards: 1 }),
  );
  domainEvents.on("match_made", (tx) => add(tx, ctx, { matches: 1 }));
  domainEvents.on("conversation_begun", (tx) => add(tx, ctx, { first_messages: 1 }));
  domainEvents.on("order_paid", (tx, { currency, amount, country }) =>
    add(tx, ctx, {
      [`buyers:${currency}`]: 1,
      [`revenue:${currency}`]: amount,
      ...(country && { [`buyers_in:${country.slice(0, 2)}`]: 1 }),
    }),
  );
  domainEvents.on("order_refunded", (tx, { currency, amount }) =>
    add(tx, ctx, { [`refunds:${currency}`]: 1, [`refunded:${currency}`]: amount }),
  );
  domainEvents.on("fee_recorded", (tx, { usdCents }) => add(tx, ctx, { fees: 1, fee_cents: usdCents }));
  ctx.jobs.handle("record_figures", () => recordFigures(ctx));
}
