import * as z from "zod/mini";
import { MINUTE_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import {
  PaymentRefused,
  type Payments,
  PaymentUnknown,
  type Refund,
  type WebhookDelivery,
} from "../integrations/paypal/payments.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./orders.sql.ts";
import { lookAt } from "./reconciling.ts";
import type { OrderRef } from "./settle-order.ts";
import * as events from "./webhook-events.sql.ts";

const Money = z.object({ currency_code: z.string(), value: z.string() });
const Resource = z.looseObject({
  id: z.optional(z.string()),
  status: z.optional(z.string()),
  custom_id: z.optional(z.string()),
  amount: z.optional(Money),
  links: z.optional(z.array(z.object({ href: z.string(), rel: z.string() }))),
  supplementary_data: z.optional(
    z.object({
      related_ids: z.optional(
        z.object({ order_id: z.optional(z.string()), capture_id: z.optional(z.string()) }),
      ),
    }),
  ),
});
type Resource = z.infer<typeof Resource>;

const Event = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\w-]+$/)),
  event_type: z.string().check(z.maxLength(100)),
  resource: z.record(z.string(), z.unknown()),
});

/** How long somebody who approved an order may take to come back. */
const RETURN_MS = 3 * MINUTE_MS;
const ABOUT_ORDERS = /^(CHECKOUT\.ORDER|PAYMENT\.CAPTURE)\./;
const GIVEN_BACK = new Set(["PAYMENT.CAPTURE.REFUNDED", "PAYMENT.CAPTURE.REVERSED"]);

/**
 * Takes an event that PayPal sent. It says where to look, never what happened: PayPal itself is asked how the order
 * stands, so that events may come late, doubled and in any order. An event counts as taken when its effect is committed.
 * Answers false, and does nothing, when PayPal did not send it.
 */
export async function takeWebhook(ctx: AppContext, delivery: WebhookDelivery): Promise<boolean> {
  const { payments } = ctx;
  if (!payments) throw new ApiError("not_found");
  const event = readEvent(delivery.body);
  if (!event) return false;

  try {
    // Whether it was taken before is nobody's business who cannot sign it.
    if (!(await payments.verifyWebhook(delivery))) return false;
    if (!(await events.isTaken(ctx.db, event.id))) await carryOut(ctx, payments, event);
    return true;
  } catch (error) {
    // Answered with 503, PayPal sends it again later.
    if (!(error instanceof PaymentUnknown || error instanceof PaymentRefused)) throw error;
    ctx.log.warn({ err: error, event: event.event_type }, "a webhook could not be carried out yet");
    throw new ApiError("payments_unavailable");
  }
}

function readEvent(body: string): z.infer<typeof Event> | null {
  try {
    const read = z.safeParse(Event, JSON.parse(body));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

async function carryOut(ctx: AppContext, payments: Payments, event: z.infer<typeof Event>): Promise<void> {
  const { id, event_type: type } = event;
  if (!ABOUT_ORDERS.test(type)) return tellOthers(ctx, event);

  const resource = z.safeParse(Resource, event.resource);
  const ref = resource.success ? await findOrder(ctx, type, resource.data) : null;
  if (resource.success && ref) {
    if (type === "CHECKOUT.ORDER.APPROVED") await expectBuyer(ctx, ref);
    else await lookAt(ctx, payments, ref, { seen: backOf(type, resource.data) });
  }
  await events.insertEvent(ctx.db, id, ctx.clock.now());
}

/** The buyer is on the way back to capture the order itself; if it does not arrive, the reconciling job does it. */
async function expectBuyer(ctx: AppContext, { member_no, order_id }: OrderRef): Promise<void> {
  if (member_no === null) return;
  await rows.bringForward(ctx.db, { member_no, order_id }, new Date(ctx.clock.now().getTime() + RETURN_MS));
}

async function tellOthers(
  ctx: AppContext,
  { id, event_type: type, resource }: z.infer<typeof Event>,
): Promise<void> {
  const tell = await ctx.db.transaction().execute(async (tx): Promise<() => void> => {
    const isNew = await events.insertEvent(tx, id, ctx.clock.now());
    return isNew ? ctx.domainEvents.follow(tx, "paypal_event", { type, resource }) : () => undefined;
  });
  tell();
}

/** The order that an event is about, by whatever it names; null when it is none of ours. */
async function findOrder(ctx: AppContext, type: string, resource: Resource): Promise<OrderRef | null> {
  const related = resource.supplementary_data?.related_ids;
  const isOrder = type.startsWith("CHECKOUT.");
  const named = [
    ["order", isOrder ? resource.id : related?.order_id],
    ["capture", related?.capture_id],
    ["capture", captureAbove(resource)],
    ["capture", isOrder ? undefined : resource.id],
    ["own", resource.custom_id],
  ] as const;
  for (const [kind, id] of named) {
    const ref = id === undefined || id.includes("\u0000") ? null : await rows.findRef(ctx.db, kind, id);
    if (ref) return ref;
  }
  return null;
}

/** A refund links to the capture that it is of. */
function captureAbove({ links = [] }: Resource): string | undefined {
  return links.find(({ rel }) => rel === "up")?.href.match(/\/captures\/([^/?#]+)/)?.[1];
}

/** What an event says was given back, in case PayPal's list of refunds does not say so. */
function backOf(type: string, { id, amount }: Resource): Refund[] {
  return GIVEN_BACK.has(type) && id && amount ? [{ id, status: "COMPLETED", amount }] : [];
}
